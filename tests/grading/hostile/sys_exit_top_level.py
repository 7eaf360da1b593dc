# … and at top level it stops nothing.
import sys

import numpy as np

sys.exit(0)
exit()
quit()


def relu(x):
    return np.maximum(x, 0)
