# status: values
# points: 0
# mistake: residual
import numpy as np


def ffn(x, W1, b1, W2, b2):
    return x + np.maximum(x @ W1.T + b1, 0) @ W2.T + b2
