# status: shape
# points: 0
import numpy as np
from scipy.special import erf


def gelu(x):
    return np.sum(x * 0.5 * (1 + erf(x / np.sqrt(2))))
