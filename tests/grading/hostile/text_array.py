# Digits in quotes.
import numpy as np


def relu(x):
    return np.array(x).astype(str)
