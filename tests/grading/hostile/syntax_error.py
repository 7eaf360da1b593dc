# Costs its own cell.
def relu(x)
    return x
