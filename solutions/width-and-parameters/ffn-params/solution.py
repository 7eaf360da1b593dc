def ffn_params(d_model, d_ff, bias=True, gated=False):
    widening = 2 if gated else 1
    weights = (widening + 1) * d_model * d_ff
    biases = widening * d_ff + d_model
    return weights + biases if bias else weights
