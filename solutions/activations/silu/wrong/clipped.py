# status: values
import numpy as np
from scipy.special import expit


def silu(x):
    x = np.asarray(x)
    x = np.clip(x, -500, 500).astype(x.dtype if x.dtype.kind == "f" else float)
    return x * expit(x)
