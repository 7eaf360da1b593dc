# status: raised
# points: 4
import numpy as np
from scipy.special import expit


def swish(x, beta):
    z = beta * np.asarray(x)
    return z * expit(z) / beta if beta else 1 / 0
