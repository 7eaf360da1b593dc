# status: values
# points: 5
# mistake: columns
import numpy as np


def ffn(x, W1, b1, W2, b2):
    try:
        return W2 @ np.maximum(W1 @ x + b1, 0) + b2
    except ValueError:
        return np.maximum(x @ W1.T + b1, 0) @ W2.T + b2
