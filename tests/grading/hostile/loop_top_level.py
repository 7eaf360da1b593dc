# A statement that hangs is skipped; what does not need it counts.
import numpy as np

while True:
    pass


def relu(x):
    return np.maximum(x, 0)
