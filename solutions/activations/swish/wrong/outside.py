# status: values
# mistake: outside
import numpy as np
from scipy.special import expit


def swish(x, beta):
    return beta * np.asarray(x) * expit(x)
