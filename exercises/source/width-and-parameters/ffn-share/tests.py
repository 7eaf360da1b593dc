"""The FFN's part of a block's matrices, with any sharing of keys and values."""

GPT2 = dict(d_model=768, d_ff=3072, n_heads=12, n_kv_heads=12, d_head=64, gated=False)
LLAMA3 = dict(d_model=4096, d_ff=14336, n_heads=32, n_kv_heads=8, d_head=128, gated=True)
GEMMA_2B = dict(d_model=2048, d_ff=16384, n_heads=8, n_kv_heads=1, d_head=256, gated=True)
GEMMA_7B = dict(d_model=3072, d_ff=24576, n_heads=16, n_kv_heads=16, d_head=256, gated=True)


def _parts(c):
    ffn = (3 if c["gated"] else 2) * c["d_model"] * c["d_ff"]
    return ffn, 2 * c["d_model"] * (c["n_heads"] + c["n_kv_heads"]) * c["d_head"]


def _wrong(c):
    ffn, attention = _parts(c)
    d, q, kv = c["d_model"], c["n_heads"] * c["d_head"], c["n_kv_heads"] * c["d_head"]
    return {
        "percent": 100 * ffn / (ffn + attention),
        "ratio": ffn / attention,
        "of_attention": attention / (ffn + attention),
        "no_output": ffn / (ffn + d * (q + 2 * kv)),
        "nothing_shared": ffn / (ffn + 4 * d * q),
        "four_d_squared": ffn / (ffn + 4 * d * d),
        "output_shared": ffn / (ffn + d * (q + 3 * kv)),
        "no_gate": 2 * d * c["d_ff"] / (2 * d * c["d_ff"] + attention),
    }


def _share(s, t, c, wrong):
    ffn, attention = _parts(c)
    t.close(s.ffn_share(*c.values()), ffn / (ffn + attention), atol=1e-6, rtol=0, mistakes=wrong)


def classic(s, t):
    ffn, attention = _parts(GPT2)
    wrong = {name: value for name, value in _wrong(GPT2).items() if name in ("percent", "ratio", "of_attention", "no_output")}
    t.close(s.ffn_share(*GPT2.values()), ffn / (ffn + attention), atol=1e-6, rtol=0, mistakes={**wrong, "zero": 0})


def shared(s, t):
    _share(s, t, LLAMA3, _wrong(LLAMA3))
    _share(s, t, GEMMA_2B, _wrong(GEMMA_2B))


def heads(s, t):
    """Sixteen heads of 256 are more than the 3072 of the model."""
    # 4 · 3072² is just what three of its four matrices hold; whoever left one out was told by the tests before
    _share(s, t, GEMMA_7B, {name: value for name, value in _wrong(GEMMA_7B).items() if name != "no_output"})


def random(s, t, ref, rng):
    for d, d_ff, n_heads, n_kv, d_head in rng.integers(1, 300, size=(5, 5)).tolist():
        for gated in (True, False):
            sizes = (d, d_ff, n_heads * n_kv, n_kv, d_head, gated)
            t.close(s.ffn_share(*sizes), ref.ffn_share(*sizes), atol=1e-6, rtol=0)
