# status: values
# points: 0
# mistake: no_biases
import numpy as np


def ffn(x, W1, b1, W2, b2):
    return np.maximum(x @ W1.T, 0) @ W2.T
