# The exercise that hangs.
def relu(x):
    while True:
        pass
