import numpy as np


def known(s, t):
    t.close(s.double(3.0), 6.0)


def secret(s, t, rng):
    x = rng.normal(size=3)
    t.close(s.double(x), 2 * x)
