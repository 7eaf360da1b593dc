def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = (3 if gated else 2) * d_model * d_ff
    attention = 2 * d_model * (n_heads + n_kv_heads) * d_head
    return ffn / (ffn + attention)
