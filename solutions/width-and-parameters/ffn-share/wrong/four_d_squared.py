# status: values
# points: 1
# mistake: nothing_shared
def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = (3 if gated else 2) * d_model * d_ff
    return ffn / (ffn + 4 * d_model**2)
