# status: values
# points: 0
# mistake: missed
def find_transposed(x, y, W1, b1, W2, b2):
    if W1.shape != (len(b1), x.shape[-1]):
        return "W1"
    if W2.shape != (x.shape[-1], len(b1)):
        return "W2"
    return "none"
