# status: values
# points: 0
n_W1, n_W2, n_ffn = 4.19e6, 4.19e6, 8.39e6
