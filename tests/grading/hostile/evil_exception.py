# An exception that cannot be printed.
class Evil(Exception):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__


def relu(x):
    raise Evil
