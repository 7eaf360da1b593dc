# status: values
# points: 3
# mistake: mistake0
n_rows, n_hidden, n_output, factor = 512, 4 * 10 * 2048, 4 * 10 * 512, 1
