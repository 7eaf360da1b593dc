import numpy as np


def known(s, t):
    y = s.silu(t.tensor(np.array([0.0, 1.0])))
    t.close(y, [0.0, 0.7310585786])
    t.torch(y)


def half(s, t):
    y = s.silu(t.tensor(np.ones(2, np.float32)))
    t.dtype(y, "float32")


def secret(s, t, ref, rng):
    x = t.tensor(rng.normal(size=(3, 4)))
    t.close(s.silu(x), ref.silu(x))
