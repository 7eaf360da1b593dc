"""SiLU, in three floating types and far out.  Known values: mpmath, 50 digits."""

import numpy as np
from scipy.special import erf

KNOWN = {-4.0: -0.0719448398484, -2.0: -0.238405844044, -1.0: -0.268941421370, 0.0: 0.0, 0.5: 0.311229665601, 3.0: 2.85772238047}
FAR = [-1000, -100, 0, 100, 1000]
FAR_DUE = [0, 0, 0, 100, 1000]


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def known(s, t):
    x = np.array(list(KNOWN))
    wrong = {
        "sigmoid": _sigmoid(x),
        "gelu": 0.5 * x * (1 + erf(x / np.sqrt(2))),
        "quick": x * _sigmoid(1.702 * x),
        "sign": x * _sigmoid(-x),
        "relu": np.maximum(x, 0),
    }
    t.close(s.silu(x), list(KNOWN.values()), atol=1e-7, rtol=1e-7, mistakes=wrong)
    t.untouched()


def shape(s, t):
    t.shape(s.silu(np.zeros((2, 3))), (2, 3))
    t.shape(s.silu(np.full((1, 2, 4), 0.5)), (1, 2, 4))


def extremes(s, t):
    for kind in (np.float64, np.float32, np.float16):
        t.close(s.silu(np.array(FAR, dtype=kind)), FAR_DUE, atol=1e-30, rtol=1e-3)
        t.quiet()


def types(s, t):
    for kind, tolerance in ((np.float64, 1e-9), (np.float32, 1e-5), (np.float16, 2e-3)):
        got = s.silu(np.array([-2, -1, 3], dtype=kind))
        t.close(got, [KNOWN[-2.0], KNOWN[-1.0], KNOWN[3.0]], atol=tolerance, rtol=tolerance)
        t.dtype(got, kind)


def integers(s, t):
    t.close(s.silu(np.array([-2, 0, 3])), [KNOWN[-2.0], 0, KNOWN[3.0]])
    t.close(s.silu([[-1, 0], [3, -4]]), [[KNOWN[-1.0], 0], [KNOWN[3.0], KNOWN[-4.0]]])
    t.close(s.silu(np.array([-1000, 1000])), [0, 1000], atol=1e-30)
    t.quiet()


def random(s, t, ref, rng):
    x = rng.normal(scale=6, size=(7, 5))
    t.close(s.silu(x), ref.silu(x), atol=1e-9, rtol=1e-9)
    t.quiet()
