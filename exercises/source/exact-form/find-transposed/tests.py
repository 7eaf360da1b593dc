"""Which of two square matrices was stored transposed: the one that makes the outputs agree."""

import numpy as np

FIRST = np.array([[1.0, 2, 0, -1], [0, 1, -2, 1], [3, 0, 1, 1], [-1, 1, 0, 2]])
SECOND = np.array([[2.0, 0, 1, -1], [1, 1, 0, 3], [0, -2, 1, 1], [1, 0, 2, 1]])
B1, B2 = np.array([0.5, -0.5, 1, 0]), np.array([1.0, 0, -1, 0.25])
X = np.array([[1.0, 0, 2, -1], [-1, 1, 1, 2], [0.5, 2, -1, 0], [2, -1, 0, 1], [0, 1, 3, 1]])


def _ffn(x, first=FIRST, second=SECOND):
    return np.maximum(x @ first.T + B1, 0) @ second.T + B2


def _three(s, t, x, y):
    got = s.find_transposed(x, y, FIRST, B1, SECOND, B2)
    t.true(not isinstance(got, str) or got not in ("W1", "W2"), "other_way")
    t.equal(got, "none")
    t.equal(s.find_transposed(x, y, FIRST.T, B1, SECOND, B2), "W1", mistakes={"wrong_one": "W2", "missed": "none"})
    t.equal(s.find_transposed(x, y, FIRST, B1, SECOND.T, B2), "W2", mistakes={"wrong_one": "W1", "missed": "none"})


def each(s, t):
    _three(s, t, X, _ffn(X))
    t.untouched()


def rounding(s, t):
    _three(s, t, X, _ffn(X).astype(np.float32))
    _three(s, t, X, _ffn(X) * (1 + 1e-7))


def batch(s, t):
    x = np.stack([X, -X])
    _three(s, t, x, _ffn(x))


def symmetric(s, t):
    symmetric = FIRST + FIRST.T
    y = _ffn(X, first=symmetric)
    t.equal(s.find_transposed(X, y, symmetric, B1, SECOND, B2), "none", mistakes={"too_keen": "W1"})
    t.equal(s.find_transposed(X, y, symmetric, B1, SECOND.T, B2), "W2")


def random(s, t, rng):
    """In an order that changes with the seed: whoever counts the calls and never looks at them earns nothing here."""
    d = 7
    for due in rng.permutation(["none", "W1", "W2"] * 2).tolist():
        x, (first, second), (b1, b2) = rng.normal(size=(12, d)), rng.normal(size=(2, d, d)), rng.normal(size=(2, d))
        y = np.maximum(x @ first.T + b1, 0) @ second.T + b2
        stored = first.T if due == "W1" else first, b1, second.T if due == "W2" else second, b2
        t.equal(s.find_transposed(x, y, *stored), due)
