# status: values
# points: 2
# mistake: mistake0
n_rows, n_hidden, n_output, factor = 2048, 10 * 2048, 10 * 512, 1
