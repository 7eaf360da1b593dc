# status: values
# points: 0
# mistake: mistake0
n_W1 = n_W2 = 1024**2
n_ffn = 2 * 1024**2 + 2 * 1024
