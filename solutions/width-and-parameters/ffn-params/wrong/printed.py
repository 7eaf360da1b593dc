# status: dtype
# points: 0
def ffn_params(d_model, d_ff, bias=True, gated=False):
    print(2 * d_model * d_ff + bias * (d_ff + d_model))
