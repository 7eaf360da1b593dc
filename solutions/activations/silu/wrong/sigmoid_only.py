# status: values
# mistake: sigmoid
from scipy.special import expit


def silu(x):
    return expit(x)
