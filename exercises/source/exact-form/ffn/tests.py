"""The FFN with ReLU, for one token and for any batch of them."""

import numpy as np

W1 = np.array([[1.0, 0, -1], [2, 1, 0], [0, -1, 1], [-1, 1, 2], [1, 1, 1]])
B1 = np.array([0.5, -1, 0, 1, -2])
W2 = np.array([[1.0, -1, 0, 2, 1], [0, 1, 1, -1, 0], [2, 0, -1, 1, 1]])
B2 = np.array([0.25, -0.5, 1])
TOKEN = np.array([1.0, -2, 0.5])
DUE = np.array([1.25, 2.0, 0.5])  # z = (1, -1, 2.5, -1, -2.5): worked out by hand


def _relu(z):
    return np.maximum(z, 0)


def _ffn(x, w1=W1, b1=B1, w2=W2, b2=B2):
    return _relu(x @ w1.T + b1) @ w2.T + b2


def _mistakes(x):
    return {
        "no_b1": _ffn(x, b1=0),
        "no_b2": _ffn(x, b2=0),
        "no_biases": _ffn(x, b1=0, b2=0),
        "no_relu": (x @ W1.T + B1) @ W2.T + B2,
        "relu_last": _relu(_ffn(x)),
        "residual": x + _ffn(x),
    }


def token(s, t):
    t.close(s.ffn(TOKEN, W1, B1, W2, B2), DUE, mistakes=_mistakes(TOKEN))
    t.untouched()


def rows(s, t):
    x = np.array([TOKEN, -TOKEN, [0, 0, 0], [3, 1, -1]])
    t.close(s.ffn(x, W1, B1, W2, B2), _ffn(x), mistakes={**_mistakes(x), "last_only": _ffn(x[-1])})
    t.untouched()


def batch(s, t):
    for shape in ((2, 4, 3), (2, 1, 2, 3)):
        x = np.linspace(-3, 3, int(np.prod(shape))).reshape(shape)
        t.close(s.ffn(x, W1, B1, W2, B2), _ffn(x))


def square(s, t):
    """As many tokens as dimensions, and d_ff = d: no shape gives a wrong product away."""
    x = np.array([[1.0, 2, 0], [0, 1, -1], [2, 0, 1]])
    square1, square2, bias = W1[:3], W2[:, :3], B1[:3]
    due = _ffn(x, square1, bias, square2)
    columns = square2 @ _relu(square1 @ x + bias) + B2
    turned = _ffn(x, square1.T, bias, square2.T)
    t.close(s.ffn(x, square1, bias, square2, B2), due, mistakes={"columns": columns, "transposed": turned})


def integers(s, t):
    x = np.array([[1, -2, 3], [0, 1, 1]])
    t.close(s.ffn(x, W1 / 4, B1, W2, B2), _ffn(x, W1 / 4))
    small = x.astype(np.float32)
    t.close(s.ffn(small, (W1 / 4).astype(np.float32), B1.astype(np.float32), W2.astype(np.float32), B2.astype(np.float32)), _ffn(x, W1 / 4))


def random(s, t, ref, rng):
    d, d_ff = 6, 17
    x = rng.normal(size=(3, 5, d))
    weights = [rng.normal(size=size) for size in ((d_ff, d), (d_ff,), (d, d_ff), (d,))]
    t.close(s.ffn(x, *weights), ref.ffn(x, *weights))
