# status: values
# points: 1
# mistake: mistake3
x_low, f_low = 0.7512, -0.1636
