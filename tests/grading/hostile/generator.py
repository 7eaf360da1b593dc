# A generator is not an array.
def relu(x):
    yield from x
