"""The FFN of GPT-2 as a torch module: what it stores and what it computes."""

import numpy as np
from scipy.special import erf

D, D_FF = 3, 4
NAMES = ["down.bias", "down.weight", "up.bias", "up.weight"]
UP = np.array([[1.0, 0, -1], [2, 1, 0], [0, -1, 1], [-1, 1, 2]], dtype=np.float32)
UP_BIAS = np.array([0.2, -0.7, 0.1, 0.4], dtype=np.float32)
DOWN = np.array([[1.0, -1, 0, 2], [0, 1, 1, -1], [2, 0, -1, 1]], dtype=np.float32)
DOWN_BIAS = np.array([0.25, -0.5, 1], dtype=np.float32)
X = np.array([[1.0, -2, 0.5], [-1.5, 0.5, 1], [2, 1, -0.5]], dtype=np.float32)


def _tanh(z):
    return 0.5 * z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3)))


def _exact(z):
    return 0.5 * z * (1 + erf(z / np.sqrt(2)))


def _ffn(x, act=_tanh, weights=(UP, UP_BIAS, DOWN, DOWN_BIAS)):
    up, up_bias, down, down_bias = (np.asarray(w, dtype=float) for w in weights)
    return act(np.asarray(x, dtype=float) @ up.T + up_bias) @ down.T + down_bias


def _loaded(s, t, weights=(UP, UP_BIAS, DOWN, DOWN_BIAS), sizes=(D, D_FF)):
    """The learner's module with these weights in it."""
    module = s.FFN(*sizes)
    module.load_state_dict(dict(zip(("up.weight", "up.bias", "down.weight", "down.bias"), map(t.tensor, weights), strict=True)))
    return module


def parameters(s, t):
    stored = s.FFN(D, D_FF).state_dict()
    no_bias = [name for name in NAMES if name.endswith("weight")]
    t.equal(sorted(stored), NAMES, mistakes={"nothing_stored": [], "no_bias": no_bias})


def shapes(s, t):
    stored = s.FFN(D, D_FF).state_dict()
    t.shape(stored["up.weight"], (D_FF, D))
    t.shape(stored["up.bias"], (D_FF,))
    t.shape(stored["down.weight"], (D, D_FF))
    t.shape(stored["down.bias"], (D,))


def output(s, t):
    got = _loaded(s, t)(t.tensor(X))
    t.torch(got)
    wrong = {
        "exact": _ffn(X, _exact),
        "relu": _ffn(X, lambda z: np.maximum(z, 0)),
        "no_activation": _ffn(X, lambda z: z),
        "residual": X + _ffn(X),
        "act_last": _tanh(_ffn(X)),
    }
    t.close(got, _ffn(X), atol=2e-5, mistakes=wrong)
    t.untouched()


def batch(s, t):
    module = _loaded(s, t)
    for x in (X[0], np.stack([X, -X])):
        got = module(t.tensor(x))
        t.torch(got)
        t.close(got, _ffn(x), atol=2e-5)


def random(s, t, rng):
    d, d_ff = 5, 20
    weights = [rng.normal(size=size).astype(np.float32) for size in ((d_ff, d), (d_ff,), (d, d_ff), (d,))]
    x = rng.normal(size=(2, 4, d)).astype(np.float32)
    got = _loaded(s, t, weights, (d, d_ff))(t.tensor(x))
    t.torch(got)
    t.close(got, _ffn(x, weights=weights), atol=5e-5)
