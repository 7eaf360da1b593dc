# Defined and taken away.
import numpy as np


def relu(x):
    return np.maximum(x, 0)


globals().pop('relu')
