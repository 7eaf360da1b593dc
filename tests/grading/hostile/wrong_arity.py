# A function of no arguments.
def relu():
    return 0
