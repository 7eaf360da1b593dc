# status: raised
# points: 1
import numpy as np


def ffn(x, W1, b1, W2, b2):
    return W2 @ np.maximum(W1 @ x + b1, 0) + b2
