import numpy as np
from scipy.special import erf


def gelu(x):
    x = np.asarray(x)
    return x * 0.5 * (1 + erf(x / np.sqrt(2)))
