"""Whatever a child sends, the grader sees values or a fault, never an exception of another kind."""

import json
import socket
import struct
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from grading_tools import QUICK
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ffnbook.exercises import values
from ffnbook.exercises.judge import Fault, Judge
from ffnbook.grading import wire
from ffnbook.grading.sandbox import Child
from ffnbook.grading.session import Session

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
tags = st.sampled_from([*values.TAGS, "t", "s", "k", "ok", "fault", "facts", "at", "loaded", "n", "arrays", "warnings", "changed"])
trees = st.recursive(leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(tags, inner, max_size=4), max_leaves=25)


@FEW
@given(st.binary(max_size=400), st.binary(max_size=100))
def test_any_bytes_are_a_frame_or_broken(text, payload):
    try:
        header, arrays = wire.unpack(text, payload)
    except wire.Broken:
        return
    assert isinstance(header, dict) and all(isinstance(a, np.ndarray) for a in arrays)


@FEW
@given(trees, st.binary(max_size=64))
def test_any_json_is_a_frame_or_broken(tree, payload):
    try:
        wire.unpack(json.dumps({"arrays": tree, "ok": tree}).encode(), payload)
    except wire.Broken:
        pass


@pytest.mark.parametrize(
    "text",
    [b"[" * 100_000, b"9" * 10_000, b'{"arrays": [["<f8", [-1]]]}', b'{"arrays": [["|O8", [1]]]}', b'{"arrays": [["<f8", [1e3]]]}',
     b'{"arrays": [["<f8", [99999999999]]]}', b'{"arrays": [["<f99", [1]]]}', b'{"arrays": [["<f8", [true]]]}',
     b'{"arrays": [["<M8", [1]]]}', b'{"arrays": {}}', b"null", b"", b"\xff"],
)  # fmt: skip
def test_bad_frames_are_broken(text):
    with pytest.raises(wire.Broken):
        wire.unpack(text, bytes(8))


@FEW
@given(trees)
def test_any_tree_is_a_value_or_bad(tree):
    try:
        value = values.decode(tree, [np.zeros(3)])
    except values.BadTree:
        return
    values.describe(value)


@FEW
@given(trees)
def test_the_judge_survives_any_value(tree):
    try:
        value = values.decode(tree, [np.zeros(3)])
    except values.BadTree:
        return
    judge = Judge(SimpleNamespace(last=None, warnings=[], changed=[]))
    for test in (
        lambda: judge.close(value, np.ones((2, 3))),
        lambda: judge.close(value, 1.0),
        lambda: judge.equal(value, (1, 2)),
        lambda: judge.dtype(value, "float32"),
        lambda: judge.finite(value),
    ):
        try:
            test()
        except Fault as fault:
            json.dumps(fault.facts)


@FEW
@given(hnp.arrays(hnp.scalar_dtypes(), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)))
def test_arrays_of_numbers_cross_unchanged(array):
    arrays: list = []
    tree = values.encode(array, arrays)
    header, got = wire.unpack(*_parts(wire.pack({"ok": tree}, arrays)))
    back = values.decode(header["ok"], got)
    if array.dtype.kind not in values.KINDS:
        assert isinstance(back, values.Opaque)
    elif array.dtype.itemsize <= 8 or array.dtype.kind == "c":
        assert np.array_equal(back, array, equal_nan=array.dtype.kind in "fc") and back.shape == array.shape
        assert back.dtype == array.dtype.newbyteorder("=")


@FEW
@example([-0.0, 2**60, float("-inf")])
@given(st.lists(leaves | st.tuples(leaves, leaves), max_size=4))
def test_plain_values_cross_unchanged(items):
    arrays: list = []
    back = values.decode(values.encode(items, arrays), arrays)
    assert repr(back) == repr(items)


def _parts(frame: bytes) -> tuple[bytes, bytes]:
    head, body = wire.LENGTHS.unpack(frame[:8])
    return frame[8 : 8 + head], frame[8 + head : 8 + head + body]


class Rogue:
    """A sandbox whose child answers every frame with the same bytes."""

    layers, final = [], True

    def __init__(self, loaded: bytes, answer: bytes):
        self.loaded, self.answer = loaded, answer

    def child(self, *_):
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._talk, args=(theirs,), daemon=True).start()
        return Child(ours, lambda ending: 0)

    def _talk(self, sock):
        try:
            wire.receive(sock, 5)
            sock.sendall(self.loaded)
            while True:
                wire.receive(sock, 5)
                sock.sendall(self.answer)
        except (wire.Closed, wire.Late, OSError):
            sock.close()


def frame(tree) -> bytes:
    text = json.dumps(tree).encode()
    return struct.pack(">II", len(text), 0) + text


LOADED = frame({"loaded": {}})


@FEW
@given(trees, st.sampled_from([1, 2]))
def test_a_session_survives_any_answer(tree, number):
    answer = dict(tree) if isinstance(tree, dict) else {"ok": tree}
    session = Session(Rogue(LOADED, frame(answer | {"n": number})), ["x = 1"], {}, [], QUICK)
    try:
        session.request("f", None, None, (np.zeros(2),), {})
    except Fault as fault:
        json.dumps(fault.facts)
    finally:
        session.close()


@FEW
@given(trees)
def test_a_session_survives_any_start(tree):
    loaded = frame({"loaded": tree, "output": tree})
    session = Session(Rogue(loaded, frame({"n": 1, "ok": 1})), ["x = 1"], {}, [], QUICK)
    try:
        assert session.value("x") == 1
        json.dumps(session.output)
        for fault in session.errors.values():
            json.dumps(fault.facts)
    finally:
        session.close()


@settings(max_examples=60, deadline=None)
@given(st.binary(min_size=8, max_size=80))
def test_a_session_survives_any_bytes(raw):
    quick = type(QUICK)(statement=0.05, loading=0.2, whole=0.3, restarts=1)
    session = Session(Rogue(LOADED, raw), ["x = 1"], {}, [], quick)
    session.begin(0.05)
    try:
        session.value("x")
    except Fault as fault:
        assert fault.status in ("timeout", "crash", "raised", "environment", "missing", "memory", "unanswered")
    finally:
        session.close()
