# status: values
# points: 2
# mistake: wide_biases
def ffn_params(d_model, d_ff, bias=True, gated=False):
    matrices = 3 if gated else 2
    return matrices * (d_model * d_ff + bias * d_ff)
