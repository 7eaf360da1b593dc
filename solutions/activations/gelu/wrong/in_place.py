# status: values
# mistake: changed
from scipy.special import erf


def gelu(x):
    x *= 0.5 * (1 + erf(x / 2**0.5))
    return x
