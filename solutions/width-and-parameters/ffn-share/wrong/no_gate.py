# status: values
# points: 1
# mistake: no_gate
def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = 2 * d_model * d_ff
    return ffn / (ffn + 2 * d_model * (n_heads + n_kv_heads) * d_head)
