# status: values
# points: 1
# mistake: c
order, reason = "c", "c"
