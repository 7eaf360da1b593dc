# Modules taken out of sys.modules.
import sys

import numpy as np

for name in list(sys.modules):
    if name not in ('builtins', 'sys'):
        del sys.modules[name]


def relu(x):
    return np.where(x > 0, x, 0.0)
