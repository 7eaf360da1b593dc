# status: values
# points: 0
x_low, f_low = -0.75, -0.16
