# Its text is cut.
def relu(x):
    raise ValueError('x' * 10**7)
