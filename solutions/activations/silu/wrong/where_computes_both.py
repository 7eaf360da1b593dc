# status: raised
import numpy as np


def silu(x):
    x = np.asarray(x)
    return x * np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))
