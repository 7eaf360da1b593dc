# Sleeping takes time, too.
import time


def relu(x):
    time.sleep(10**6)
