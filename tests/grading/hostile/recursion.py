# RecursionError.
def relu(x):
    return relu(x)
