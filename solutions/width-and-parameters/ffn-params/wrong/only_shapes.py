# status: shape
# points: 0
def ffn_params(d_model, d_ff, bias=True, gated=False):
    return (d_ff, d_model), (d_model, d_ff)
