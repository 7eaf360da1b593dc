import numpy as np
from scipy.special import expit


def silu(x):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        x = x.astype(np.float64)
    return (x * expit(x)).astype(x.dtype)
