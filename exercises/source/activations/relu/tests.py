"""ReLU: max(0, x), entry by entry."""

import numpy as np

X = np.array([-1000.0, -2, -0.5, 0, 0.5, 2, 1000])
DUE = [0, 0, 0, 0, 0.5, 2, 1000]


def known(s, t):
    wrong = {"absolute": np.abs(X), "identity": X, "step": X > 0, "negative": np.minimum(X, 0), "leaky": np.where(X > 0, X, 0.01 * X)}
    t.close(s.relu(X), DUE, atol=1e-9, mistakes=wrong)
    t.untouched()
    t.quiet()


def shape(s, t):
    t.shape(s.relu(np.zeros((2, 3))), (2, 3))
    t.shape(s.relu(np.full((1, 2, 4), -1.0)), (1, 2, 4))
    t.close(s.relu(np.array([[-1.0, 3], [2, -2]])), [[0, 3], [2, 0]])


def kinds(s, t):
    t.close(s.relu(np.array([-2, 0, 3])), [0, 0, 3])
    t.close(s.relu([[-1, 2], [3, -4]]), [[0, 2], [3, 0]])
    t.close(s.relu(np.array([-0.5, 0.5], dtype=np.float32)), [0, 0.5])


def random(s, t, rng):
    x = rng.normal(size=(4, 3, 5))
    t.close(s.relu(x), np.maximum(x, 0))
