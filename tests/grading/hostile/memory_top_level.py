# A statement that runs out of memory costs itself.
import numpy as np

kept = [bytearray(10**8) for _ in range(10**6)]


def relu(x):
    return np.maximum(x, 0)
