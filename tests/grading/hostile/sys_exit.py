# SystemExit is an exception like others.
import sys


def relu(x):
    sys.exit(0)
