# Control characters are made harmless.
import numpy as np

print('\x00\x1b[2J\ud800')


def relu(x):
    return np.maximum(x, 0)
