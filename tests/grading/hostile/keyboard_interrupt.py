# Nor does this.
def relu(x):
    raise KeyboardInterrupt
