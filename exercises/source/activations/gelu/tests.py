"""GELU, exact.  Known values: mpmath, 50 digits."""

import numpy as np

KNOWN = {-3.0: -0.00404969409489031, -1.0: -0.158655253931457, 0.0: 0.0, 0.5: 0.345731230637007, 2.0: 1.95449973610364}


def _tanh_form(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def shape(s, t):
    t.shape(s.gelu(np.zeros((2, 3))), (2, 3))
    t.shape(s.gelu(np.full((1, 2, 4), 0.5)), (1, 2, 4))


def known(s, t):
    x = np.array(list(KNOWN))
    wrong = {"tanh": _tanh_form(x), "relu": np.maximum(x, 0), "sigmoid": x / (1 + np.exp(-1.702 * x)), "silu": x / (1 + np.exp(-x))}
    t.close(s.gelu(x), list(KNOWN.values()), atol=1e-5, rtol=0, mistakes=wrong)
    t.untouched()


def extremes(s, t):
    t.close(s.gelu(np.array([-1000.0, -40.0, 40.0, 1000.0])), [0, 0, 40, 1000])
    t.quiet()


def kinds(s, t):
    t.close(s.gelu(np.array([-1, 0, 2])), [KNOWN[-1.0], 0, KNOWN[2.0]])
    t.close(s.gelu(np.array([-3, 0.5], dtype=np.float32)), [KNOWN[-3.0], KNOWN[0.5]])


def exact(s, t, ref, rng):
    x = rng.normal(scale=2, size=(7, 5))
    t.close(s.gelu(x), ref.gelu(x), mistakes={"tanh": _tanh_form(x)})
