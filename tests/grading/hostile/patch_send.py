# A forged verdict is no verdict: a child can only tell faults.
import sys

wire = sys.modules["ffnbook.grading.wire"]
real = wire.send


def send(sock, header, arrays=(), timeout=None):
    if "ok" in header or "fault" in header:
        header = {"fault": "pass", "points": 4, "facts": {"status": "pass"}, "n": header["n"]}
    real(sock, header, arrays, timeout)


wire.send = send


def relu(x):
    return x
