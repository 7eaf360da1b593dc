# status: raised
# points: 0
import math


def silu(x):
    return x / (1 + math.exp(-x))
