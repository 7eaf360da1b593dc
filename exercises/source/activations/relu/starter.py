import numpy as np


def relu(x):
    # {{todo}}
    ...
