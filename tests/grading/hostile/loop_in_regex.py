# A regular expression that never ends.
import re


def relu(x):
    return re.match('(a+)+$', 'a' * 60 + 'b')
