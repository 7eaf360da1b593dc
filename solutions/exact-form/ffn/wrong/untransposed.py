# status: raised
# points: 0
import numpy as np


def ffn(x, W1, b1, W2, b2):
    return np.maximum(x @ W1 + b1, 0) @ W2 + b2
