d_model = 1024
d_ff = 4 * d_model

n_W1 = d_ff * d_model
n_W2 = d_model * d_ff
n_ffn = n_W1 + d_ff + n_W2 + d_model
