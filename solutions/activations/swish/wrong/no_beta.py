# status: values
# points: 1
# mistake: no_beta
import numpy as np
from scipy.special import expit


def swish(x, beta):
    return np.asarray(x) * expit(x)
