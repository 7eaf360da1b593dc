# No clock tells what is due.
import time

import numpy as np

def relu(x):
    time.sleep(0.001)
    return np.abs(x)
