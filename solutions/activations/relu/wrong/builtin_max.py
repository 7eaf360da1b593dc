# status: raised
# points: 0
def relu(x):
    return max(0, x)
