# Nobody needs its output.
import sys

import numpy as np

sys.stdout = sys.stderr = None


def relu(x):
    return np.maximum(x, 0)
