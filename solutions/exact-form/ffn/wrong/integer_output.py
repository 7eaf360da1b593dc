# status: values
# points: 5
import numpy as np


def ffn(x, W1, b1, W2, b2):
    y = np.zeros_like(x)
    y[...] = np.maximum(x @ W1.T + b1, 0) @ W2.T + b2
    return y
