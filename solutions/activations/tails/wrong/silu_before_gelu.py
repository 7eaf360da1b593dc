# status: values
# points: 0
# mistake: a
order, reason = "a", "a"
