# Output is cut, not stored.
import os
import sys

import numpy as np

print("x" * 10**8)
for fd in (1, 2):
    for _ in range(100):
        os.write(fd, b"y" * 10**6)


def relu(x):
    sys.stderr.write("z" * 10**7)
    return np.maximum(x, 0)
