# status: values
# points: 1
# mistake: no_biases
def ffn_params(d_model, d_ff, bias=True, gated=False):
    return 2 * d_model * d_ff
