# The last definition counts.
import numpy as np


def relu(x):
    return x


# %%
def relu(x):
    return np.maximum(x, 0)
