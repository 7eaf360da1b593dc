"""Frames between the grader and a sandboxed child: a JSON header and raw arrays, size-capped.

Loaded on both sides.  Whatever arrives is untrusted: :class:`Broken` is the only way a
bad frame shows.
"""

from __future__ import annotations

import json
import math
import re
import socket
import struct
import time

import numpy as np

from ffnbook.exercises import values

MAX_HEADER = 4 << 20
MAX_PAYLOAD = 32 << 20
MAX_ARRAYS = 10_000
LENGTHS = struct.Struct(">II")
DTYPE = re.compile(r"[<>|=]?[biufc]\d{1,2}")


class Broken(Exception):
    """A frame that does not follow the rules."""


class Closed(Exception):
    """The other side is gone."""


class Late(Exception):
    """Nothing (or not all) arrived before the deadline."""


def pack(header: dict, arrays: list) -> bytes:
    """One frame; ``arrays`` are C-ordered arrays of numbers."""
    described = {**header, "arrays": [[a.dtype.str, list(a.shape)] for a in arrays]}
    text = json.dumps(described).encode()
    payload = b"".join(a.tobytes() for a in arrays)
    return LENGTHS.pack(len(text), len(payload)) + text + payload


def send(sock: socket.socket, header: dict, arrays: list = (), timeout: float | None = None) -> None:
    """Send one frame; raises Closed or Late when the other side does not take it."""
    try:
        sock.settimeout(timeout)
        sock.sendall(pack(header, list(arrays)))
    except TimeoutError:
        raise Late from None
    except OSError:
        raise Closed from None


def receive(sock: socket.socket, timeout: float | None = None) -> tuple[dict, list]:
    """The next frame: its header and its arrays."""
    deadline = None if timeout is None else time.monotonic() + timeout
    head, body = LENGTHS.unpack(_exactly(sock, LENGTHS.size, deadline))
    if head > MAX_HEADER or body > MAX_PAYLOAD:
        raise Broken(f"a frame of {head} + {body} bytes")
    return unpack(_exactly(sock, head, deadline), _exactly(sock, body, deadline))


def unpack(text: bytes, payload: bytes) -> tuple[dict, list]:
    """The header and arrays of a frame's two parts."""
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Broken(str(error)[:200]) from None
    if not isinstance(header, dict):
        raise Broken("the header is no object")
    listed = header.pop("arrays", [])
    if not isinstance(listed, list) or len(listed) > MAX_ARRAYS:
        raise Broken("the arrays are not listed")
    arrays, start = [], 0
    for entry in listed:
        array, start = _array(entry, payload, start)
        arrays.append(array)
    if start != len(payload):
        raise Broken("bytes left over")
    return header, arrays


def _array(entry: object, payload: bytes, start: int) -> tuple[np.ndarray, int]:
    if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and isinstance(entry[1], list)):
        raise Broken("an array is not described")
    name, shape = entry
    if not DTYPE.fullmatch(name) or len(shape) > 16 or not all(type(n) is int and 0 <= n <= MAX_PAYLOAD for n in shape):
        raise Broken("an array of an impossible kind")
    if values.hollow(shape):
        raise Broken("an array of too many rows of nothing")
    try:
        dtype = np.dtype(name)
    except TypeError as error:
        raise Broken(str(error)[:200]) from None
    count = math.prod(shape)
    stop = start + count * dtype.itemsize
    if stop > len(payload):
        raise Broken("an array longer than its bytes")
    try:
        array = np.frombuffer(payload, dtype, count, start) if count else np.zeros(0, dtype)
        array = array.reshape(shape)
    except ValueError as error:
        raise Broken(str(error)[:200]) from None
    # a copy one may write to; a bool is one whatever byte came
    array = array.view(np.uint8) != 0 if dtype.kind == "b" else array.astype(dtype.newbyteorder("="), copy=True)
    return array, stop


def _exactly(sock: socket.socket, size: int, deadline: float | None) -> bytes:
    buffer = bytearray()
    while len(buffer) < size:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Late
            sock.settimeout(left)
        else:
            sock.settimeout(None)
        try:
            piece = sock.recv(min(size - len(buffer), 1 << 20))
        except TimeoutError:
            raise Late from None
        except OSError:
            raise Closed from None
        if not piece:
            raise Closed
        buffer += piece
    return bytes(buffer)
