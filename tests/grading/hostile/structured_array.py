# Records.
import numpy as np


def relu(x):
    return np.zeros(x.shape, dtype=[('a', float)])
