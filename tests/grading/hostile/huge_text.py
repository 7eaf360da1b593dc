# Nor is a text of ten megabytes.
def relu(x):
    return 'x' * 10**7
