import numpy as np
from scipy.special import expit


def swish(x, beta):
    x = np.asarray(x)
    return x * expit(beta * x)
