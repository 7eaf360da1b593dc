# A signal of one's own.
import signal
import time

signal.setitimer(signal.ITIMER_REAL, 0.2)


def relu(x):
    time.sleep(30)
