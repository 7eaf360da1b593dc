# status: raised
# points: 1
import numpy as np


def relu(x):
    return np.array([v if v > 0 else 0 for v in x])
