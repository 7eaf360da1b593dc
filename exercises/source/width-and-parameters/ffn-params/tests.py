"""How many parameters an FFN has: plain or gated, with or without biases."""


def _count(d, d_ff, bias, gated):
    widening = 2 if gated else 1
    return (widening + 1) * d * d_ff + bias * (widening * d_ff + d)


def plain(s, t):
    for d, d_ff in ((64, 256), (768, 3072)):
        weights = 2 * d * d_ff
        wrong = {
            "no_biases": weights,
            "only_b1": weights + d_ff,
            "only_b2": weights + d,
            "wide_biases": weights + 2 * d_ff,
            "narrow_biases": weights + 2 * d,
            "one_matrix": d * d_ff + d_ff + d,
            "square": d_ff**2 + d**2,
        }
        t.equal(s.ffn_params(d, d_ff), _count(d, d_ff, True, False), mistakes=wrong)


def no_bias(s, t):
    t.equal(s.ffn_params(64, 256, bias=False), 32_768, mistakes={"bias_ignored": 33_088})
    t.equal(s.ffn_params(12288, 49152, False), 1_207_959_552, mistakes={"bias_ignored": 1_208_020_992})


def gated(s, t):
    wrong = {"two_matrices": 2 * 4096 * 11008, "four_matrices": 4 * 4096 * 11008, "shrunk": 2 * 4096 * 11008 * 2 // 3}
    t.equal(s.ffn_params(4096, 11008, bias=False, gated=True), 135_266_304, mistakes=wrong)


def gated_bias(s, t):
    d, d_ff = 64, 176
    weights = 3 * d * d_ff
    wrong = {"no_gate_bias": weights + d_ff + d, "wide_biases": weights + 3 * d_ff, "no_biases": weights}
    t.equal(s.ffn_params(d, d_ff, gated=True), _count(d, d_ff, True, True), mistakes=wrong)


def random(s, t, ref, rng):
    for d, d_ff in rng.integers(1, 5000, size=(4, 2)).tolist():
        for bias in (True, False):
            for with_gate in (True, False):
                t.equal(s.ffn_params(d, d_ff, bias=bias, gated=with_gate), ref.ffn_params(d, d_ff, bias=bias, gated=with_gate))
