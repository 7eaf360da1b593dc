"""Swish, from a straight line (beta = 0) to ReLU (beta without limit).  Known values: mpmath, 50 digits."""

import numpy as np

X = np.array([-4.0, -2, -1, 0, 1, 2])
TWO = [-0.00134140052187, -0.0359724199242, -0.119202922022, 0, 0.880797077978, 1.96402758008]
ONE = [-0.0719448398484, -0.238405844044, -0.268941421370, 0, 0.731058578630, 1.76159415596]


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def two(s, t):
    wrong = {
        "no_beta": ONE,
        "undivided": 2 * X * _sigmoid(2 * X),
        "outside": 2 * X * _sigmoid(X),
        "divided": X / 2 * _sigmoid(X / 2) * 2,
        "sigmoid": _sigmoid(2 * X),
    }
    t.close(s.swish(X, 2), TWO, atol=1e-7, rtol=1e-7, mistakes=wrong)
    t.untouched()


def one(s, t):
    t.close(s.swish(X.reshape(2, 3), 1.0), np.reshape(ONE, (2, 3)), atol=1e-7, rtol=1e-7)


def zero(s, t):
    t.close(s.swish(X, 0), X / 2)
    t.close(s.swish(np.array([-3, 0, 5]), 0), [-1.5, 0, 2.5])


def sharp(s, t):
    t.close(s.swish(np.array([-1000.0, -1, 0, 1, 1000]), 100.0), [0, 0, 0, 1, 1000], atol=1e-9)
    t.quiet()


def random(s, t, ref, rng):
    x, beta = rng.normal(scale=3, size=(3, 4, 2)), float(rng.uniform(0.2, 5))
    t.close(s.swish(x, beta), ref.swish(x, beta), atol=1e-9, rtol=1e-9)
