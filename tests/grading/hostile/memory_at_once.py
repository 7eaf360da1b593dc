# A refused allocation.
def relu(x):
    return bytearray(10**11)
