# status: values
# points: 2
# mistake: output_shared
def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = (3 if gated else 2) * d_model * d_ff
    return ffn / (ffn + d_model * d_head * (n_heads + 3 * n_kv_heads))
