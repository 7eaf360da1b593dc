# status: values
# points: 1
# mistake: mistake2
n_W1 = n_W2 = 2 * 4096 * 1024
n_ffn = 8393728
