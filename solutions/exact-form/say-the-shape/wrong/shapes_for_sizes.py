# status: shape
# points: 2
n_rows, n_hidden, n_output, factor = 2048, (4, 10, 2048), (4, 10, 512), 1
