# Nobody answers.
def relu(x):
    return float(input('x? '))
