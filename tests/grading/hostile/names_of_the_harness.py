# The harness has no names to lose (D03).
import numpy as np

t = s = ref = rng = test = results = score = check = grader = np2 = None
sum = 5
list = []
len = print = 3


def relu(x):
    return np.maximum(x, 0)
