import numpy as np


def find_transposed(x, y, W1, b1, W2, b2):
    # {{todo}}
    ...
