# Right values, but the input is changed.
import numpy as np


def relu(x):
    x[x < 0] = 0
    return np.array(x)
