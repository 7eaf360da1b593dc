# An object that equals everything is not an array of numbers.
class Yes:
    __hash__ = None

    def __eq__(self, other):
        return True

    __le__ = __ge__ = __lt__ = __gt__ = __ne__ = __eq__


def relu(x):
    return Yes()
