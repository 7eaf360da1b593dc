# No pools of processes.
import multiprocessing


def relu(x):
    with multiprocessing.Pool(2) as pool:
        return pool.map(abs, x)
