# status: values
# mistake: changed
import numpy as np


def relu(x):
    x = np.asarray(x)
    x[x < 0] = 0
    return x
