# status: raised
import numpy as np


def silu(x):
    x = np.asarray(x)
    return x / (1 + np.exp(-x))
