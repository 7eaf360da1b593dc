# status: values
# points: 0
# mistake: ratio
def ffn_share(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    return (3 if gated else 2) * d_ff / (2 * (n_heads + n_kv_heads) * d_head)
