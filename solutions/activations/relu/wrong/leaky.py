# status: values
# mistake: leaky
import numpy as np


def relu(x):
    x = np.asarray(x)
    return np.where(x > 0, x, 0.01 * x)
