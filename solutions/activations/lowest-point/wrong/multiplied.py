# status: values
# points: 0
# mistake: mistake2
x_low, f_low = -2.1759, -0.4739
