# A lock nobody opens.
import threading

lock = threading.Lock()
lock.acquire()


def relu(x):
    with lock:
        return x
