import numpy as np


def shapes(s, t):
    block = s.Block(4, 8)
    parts = block.state_dict()
    t.true(sorted(v.size for v in parts.values()) == [4, 8, 32, 32], "parts")


def acts(s, t):
    block = s.Block(4, 8)
    y = block(t.tensor(np.ones((2, 3, 4), np.float32)))
    t.shape(y, (2, 3, 4))
    t.torch(y)
