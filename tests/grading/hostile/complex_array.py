# Complex numbers where real ones are due.
import numpy as np


def relu(x):
    return np.maximum(x, 0) + 0j
