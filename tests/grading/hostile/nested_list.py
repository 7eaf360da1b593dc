# Depth is limited.
def relu(x):
    y = []
    for _ in range(100_000):
        y = [y]
    return y
