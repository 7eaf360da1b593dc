# status: shape
# points: 0
import numpy as np


def relu(x):
    return np.max(np.append(x, 0))
