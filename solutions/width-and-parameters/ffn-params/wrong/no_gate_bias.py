# status: values
# points: 3
# mistake: no_gate_bias
def ffn_params(d_model, d_ff, bias=True, gated=False):
    return (3 if gated else 2) * d_model * d_ff + bias * (d_ff + d_model)
