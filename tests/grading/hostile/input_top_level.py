# … but nothing waits.
import numpy as np

n = int(input('n? '))


def relu(x):
    return np.maximum(x, 0)
