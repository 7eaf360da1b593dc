# status: values
# mistake: gelu
import numpy as np
from scipy.special import ndtr


def silu(x):
    return np.asarray(x) * ndtr(x)
