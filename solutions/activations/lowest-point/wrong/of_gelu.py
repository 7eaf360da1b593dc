# status: values
# points: 0
# mistake: mistake0
x_low, f_low = -0.7518, -0.1700
