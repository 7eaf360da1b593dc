# status: values
# points: 2
# mistake: two_matrices
def ffn_params(d_model, d_ff, bias=True, gated=False):
    return 2 * d_model * d_ff + bias * (d_ff + d_model)
