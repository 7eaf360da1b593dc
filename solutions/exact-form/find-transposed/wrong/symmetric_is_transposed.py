# status: values
# points: 4
# mistake: too_keen
import numpy as np


def find_transposed(x, y, W1, b1, W2, b2):
    for name, first, second in (("W1", W1.T, W2), ("W2", W1, W2.T)):
        if np.allclose(np.maximum(x @ first.T + b1, 0) @ second.T + b2, y, rtol=1e-4):
            return name
    return "none"
