# status: values
# points: 0
# mistake: no_relu
def ffn(x, W1, b1, W2, b2):
    return (x @ W1.T + b1) @ W2.T + b2
