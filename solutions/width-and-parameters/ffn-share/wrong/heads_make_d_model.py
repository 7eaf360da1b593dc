# status: values
# points: 2
# mistake: four_d_squared
def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = (3 if gated else 2) * d_model * d_ff
    return ffn / (ffn + 2 * d_model**2 * (1 + n_kv_heads / n_heads))
