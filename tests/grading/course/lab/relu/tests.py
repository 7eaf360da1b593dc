import numpy as np


def shape(s, t):
    t.shape(s.relu(np.zeros((2, 3))), (2, 3))


def known(s, t):
    t.close(s.relu(np.array([-1.0, 0.0, 2.0])), [0.0, 0.0, 2.0], mistakes={"abs": [1.0, 0.0, 2.0]})


def kept(s, t):
    t.close(s.relu(np.array([-1.0, 3.0])), [0.0, 3.0])
    t.untouched()


def secret(s, t, ref, rng):
    x = rng.normal(size=(4, 3))
    t.close(s.relu(x), ref.relu(x))
