# A shell cell is left out, a timed one is run.
%%bash
rm -rf /

# %%
%%time
import numpy as np


def relu(x):
    return np.maximum(x, 0)
