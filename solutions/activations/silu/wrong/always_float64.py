# status: dtype
# points: 5
import numpy as np
from scipy.special import expit


def silu(x):
    x = np.asarray(x, dtype=np.float64)
    return x * expit(x)
