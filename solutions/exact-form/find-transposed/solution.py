import numpy as np


def find_transposed(x, y, W1, b1, W2, b2):
    candidates = {"none": (W1, W2), "W1": (W1.T, W2), "W2": (W1, W2.T)}
    for name, (first, second) in candidates.items():
        h = np.maximum(x @ first.T + b1, 0)
        if np.allclose(h @ second.T + b2, y, rtol=1e-4, atol=1e-6):
            return name
