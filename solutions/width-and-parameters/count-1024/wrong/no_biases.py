# status: values
# points: 2
# mistake: mistake0
n_W1 = n_W2 = 4096 * 1024
n_ffn = n_W1 + n_W2
