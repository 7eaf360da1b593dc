# A list that contains itself.
def relu(x):
    y = []
    y.append(y)
    return y
