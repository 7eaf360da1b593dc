# A forgotten return.
def relu(x):
    y = max(0, 1)
