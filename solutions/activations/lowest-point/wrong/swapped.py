# status: values
# points: 0
# mistake: mistake4
x_low, f_low = -0.1636, -0.7512
