# status: values
# mistake: wide_biases
def ffn_params(d_model, d_ff, bias=True, gated=False):
    return 8 * d_model**2 + 2 * d_ff if bias else (12 if gated else 8) * d_model**2
