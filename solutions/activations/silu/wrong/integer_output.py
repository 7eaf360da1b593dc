# status: values
# points: 5
import numpy as np
from scipy.special import expit


def silu(x):
    x = np.asarray(x)
    return (x * expit(x)).astype(x.dtype)
