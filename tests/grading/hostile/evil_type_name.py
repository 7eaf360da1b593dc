# So is the name of a type.
Evil = type("<b>" + "x" * 10**6, (), {})


def relu(x):
    return Evil()
