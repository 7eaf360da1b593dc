# status: raised
# points: 4
import numpy as np


def swish(x, beta):
    return np.asarray(x) / (1 + np.exp(-beta * np.asarray(x)))
