# Inputs seen before say nothing of what is due.
import numpy as np

seen = []


def relu(x):
    seen.append(x)
    return np.abs(seen[-1])
