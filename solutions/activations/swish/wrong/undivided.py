# status: values
# points: 1
# mistake: undivided
import numpy as np
from scipy.special import expit


def swish(x, beta):
    z = beta * np.asarray(x)
    return z * expit(z)
