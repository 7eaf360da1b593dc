# status: values
# points: 0
# mistake: mistake1
x_low, f_low = -1.2785, -0.2785
