# Nor a number of a hundred thousand bits.
def relu(x):
    return 1 << 100_000
