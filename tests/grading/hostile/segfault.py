# A segmentation fault.
import ctypes


def relu(x):
    return ctypes.string_at(0)
