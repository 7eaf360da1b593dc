def crossover(d_model, d_ff, n_heads, n_kv_heads, d_head, gated):
    ffn = (6 if gated else 4) * d_model * d_ff
    projections = 4 * d_model * (n_heads + n_kv_heads) * d_head
    per_token_seen = 4 * n_heads * d_head
    return (ffn - projections) / per_token_seen


n_xl = crossover(1600, 6400, 25, 25, 64, gated=False)
n_llama3 = crossover(4096, 14336, 32, 8, 128, gated=True)
n_unshared = crossover(4096, 14336, 32, 32, 128, gated=True)
