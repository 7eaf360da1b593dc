# status: dtype
# points: 3
n_rows, n_hidden, n_output, factor = "2048", 81920, 20480, 1
