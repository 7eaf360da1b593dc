# No cell of the table begins a formula.
def relu(x):
    raise ValueError("=HYPERLINK(1)")
