# status: raised
# points: 3
def relu(x):
    return x * (x > 0)
