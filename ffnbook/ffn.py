"""The feed-forward sublayer of page `exact-form`: FFN(x) = W2 · act(W1 · x + b1) + b2.

Shapes, everywhere in this module (column convention: one row of W1 per hidden unit):

    W1 (d_ff, d_model)   b1 (d_ff,)   W2 (d_model, d_ff)   b2 (d_model,)   x (..., d_model)

Whatever comes before the last axis of x (positions, sequences) is a batch: every vector gets the same
map and none sees another. Vaswani et al. 2017, section 3.3, writes it with row vectors and ReLU.
"""

from typing import NamedTuple

import numpy as np

from ffnbook.activations import gelu
from ffnbook.messages import t


class FFNWeights(NamedTuple):
    """The four arrays of one FFN, in the order `ffn` takes them: `ffn(x, *weights)`."""

    W1: np.ndarray
    b1: np.ndarray
    W2: np.ndarray
    b2: np.ndarray


def ffn(x, W1, b1, W2, b2, act=gelu):
    """Feed-forward sublayer. x: (..., d_model) -> (..., d_model)."""
    x, W1, b1, W2, b2 = map(np.asarray, (x, W1, b1, W2, b2))
    check_shapes(x, W1, b1, W2, b2)
    h = act(x @ W1.T + b1)  # (..., d_ff)
    return h @ W2.T + b2    # (..., d_model)


def ffn_token_by_token(x, W1, b1, W2, b2, act=gelu):
    """The same map as the formula says it: one vector at a time. x: (..., d_model) -> (..., d_model)."""
    x, W1, b1, W2, b2 = map(np.asarray, (x, W1, b1, W2, b2))
    check_shapes(x, W1, b1, W2, b2)
    y = np.empty(x.shape, dtype=np.result_type(x, W1, b1, W2, b2, np.float16))
    for position in np.ndindex(x.shape[:-1]):
        h = act(W1 @ x[position] + b1)  # (d_ff,)
        y[position] = W2 @ h + b2       # (d_model,)
    return y


def collapse(W1, b1, W2, b2):
    """The one affine map (W, b) that an FFN without activation is: W (d_model, d_model), b (d_model,)."""
    W1, b1, W2, b2 = map(np.asarray, (W1, b1, W2, b2))
    check_weights(W1, b1, W2, b2)
    return W2 @ W1, W2 @ b1 + b2


def init_ffn(d_model, d_ff, *, rng):
    """Random weights by the rule of torch.nn.Linear: uniform in ±1/√(number of inputs), biases too."""
    check_sizes(d_model=d_model, d_ff=d_ff)
    first, second = 1 / np.sqrt(d_model), 1 / np.sqrt(d_ff)
    return FFNWeights(
        W1=rng.uniform(-first, first, (d_ff, d_model)),
        b1=rng.uniform(-first, first, d_ff),
        W2=rng.uniform(-second, second, (d_model, d_ff)),
        b2=rng.uniform(-second, second, d_model),
    )


def check_shapes(x, W1, b1, W2, b2):
    """Raise ValueError unless x and the weights fit together."""
    check_weights(W1, b1, W2, b2)
    check_last_axis(x, W1, "W1")


def check_weights(W1, b1, W2, b2):
    """Raise ValueError unless the four arrays are the weights of one FFN."""
    d_ff, d_model = check_matrix(W1, "W1")
    check_shape(W1, "W1", W2, "W2", (d_model, d_ff))
    check_shape(W1, "W1", b1, "b1", (d_ff,))
    check_shape(W1, "W1", b2, "b2", (d_model,))


def check_matrix(first, name):
    """The shape (d_ff, d_model) of the first matrix, or ValueError if it has not two axes."""
    if first.ndim != 2:
        raise ValueError(t("library.matrix", name=name, got=first.shape))
    return first.shape


def check_shape(first, first_name, array, name, due):
    """Raise ValueError unless the array has the shape that goes with the first matrix."""
    if array.shape != due:
        key = "transposed" if array.ndim == 2 and array.T.shape == due else "shape"
        raise ValueError(t(f"library.{key}", first=first_name, first_shape=first.shape, name=name, due=due, got=array.shape))


def check_last_axis(x, first, name):
    """Raise ValueError unless the last axis of x holds d_model features."""
    d_model = first.shape[1]
    if x.ndim == 0 or x.shape[-1] != d_model:
        raise ValueError(t("library.last_axis", d_model=d_model, first=name, got=x.shape))


def check_sizes(at_least=1, **sizes):
    """Raise ValueError for the first size that is not a whole number of at least `at_least`."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < at_least:
            raise ValueError(t("library.whole_number", name=name, least=at_least, got=repr(size)))
