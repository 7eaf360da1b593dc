# status: raised
# points: 3
import numpy as np


def ffn(x, W1, b1, W2, b2):
    return np.array([W2 @ np.maximum(W1 @ token + b1, 0) + b2 for token in x])
