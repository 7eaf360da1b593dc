# NaN is named as such.
def relu(x):
    return x * float('nan')
