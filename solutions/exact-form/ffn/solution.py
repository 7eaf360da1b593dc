import numpy as np


def ffn(x, W1, b1, W2, b2):
    h = np.maximum(x @ W1.T + b1, 0)
    return h @ W2.T + b2
