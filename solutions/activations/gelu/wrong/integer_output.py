# status: values
# points: 4
import numpy as np
from scipy.special import erf


def gelu(x):
    y = np.empty_like(x)
    y[...] = x * 0.5 * (1 + erf(x / np.sqrt(2)))
    return y
