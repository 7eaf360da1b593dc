"""A submission as a test's subject: its code runs in a child, only plain values come back.

A child that hangs, dies or talks nonsense is ended, its place remembered, and a new one
started for the exercises that are left.
"""

from __future__ import annotations

import re
import select
import time
from dataclasses import dataclass

from ffnbook.exercises import values
from ffnbook.exercises.judge import STATUSES, Fault
from ffnbook.exercises.subject import Subject
from ffnbook.grading import wire
from ffnbook.grading.sandbox import KILLED, Child, NoSandbox, Sandbox

FROM_CHILD = ("raised", "unanswered", "missing", "memory", "environment")
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]*")
GIGABYTE = 1 << 30
PATIENCE = 3  # times the limit, for one that sleeps or a machine that is busy


@dataclass(frozen=True)
class Limits:
    """Seconds and bytes; none of them can be switched off."""

    statement: float = 5.0  # of processor time: one statement of the notebook
    loading: float = 30.0  # running all its cells, restarts included
    whole: float = 90.0  # the whole submission
    restarts: int = 24  # more than there are exercises: each may end its process
    memory: int = GIGABYTE
    memory_torch: int = 4 * GIGABYTE
    cpu: int = 120


class Session(Subject):
    """The learner's names, across the wall."""

    def __init__(self, sandbox: Sandbox, cells: list[str], inject: dict, modules: list[str], limits: Limits = Limits()):
        super().__init__()
        self._sandbox, self._cells, self._inject, self._modules, self._limits = sandbox, cells, inject, modules, limits
        self._child: Child | None = None
        self._end = time.monotonic() + limits.whole
        self._spent = 0.0
        self._skip: list[list[int]] = []
        self._seconds = 2.0
        self._last: Fault | None = None  # how the last child ended
        self._starts = self._asked = 0
        self.stopped: dict[int, Fault] = {}  # cell → how one of its statements ended the process
        self.errors: dict[int, Fault] = {}  # cell → the first exception in it
        self.output = ""

    def begin(self, seconds: float) -> None:
        """Before each exercise: the time one call may take."""
        self._seconds = seconds

    def close(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None

    def _value(self, name: str) -> object:
        return self._ask({"op": "get", "name": name}, [])

    def _call(self, name, handle, attribute, args, kwargs) -> object:
        arrays: list = []
        keep = [values.encode(arg, arrays) for arg in args]
        named = {key: values.encode(arg, arrays) for key, arg in kwargs.items()}
        header = {"op": "call", "name": name, "handle": handle, "attribute": attribute, "args": keep, "kwargs": named}
        return self._ask(header, arrays)

    def _ask(self, header: dict, arrays: list) -> object:
        self.ready()
        seconds = min(self._seconds, self._end - time.monotonic())
        try:
            self._asked += 1
            wire.send(self._child.sock, header | {"n": self._asked}, arrays, max(seconds, 0.01))
            reply, got = self._receive(seconds)
            if reply.get("n") != self._asked:
                raise wire.Broken("an answer to no question")
            return self._read(reply, got)
        except (wire.Late, wire.Closed, wire.Broken, values.BadTree) as end:
            raise self._ended(end, self._seconds) from None

    def _receive(self, seconds: float) -> tuple[dict, list]:
        """The next frame, within so many seconds of processor time: a busy machine must not cost marks."""
        child, start = self._child, time.monotonic()
        before = child.cpu()
        while True:
            passed = time.monotonic() - start
            used = passed if before is None else (child.cpu() or 0.0) - before
            left = min(seconds - used, PATIENCE * seconds - passed, self._end - time.monotonic())
            if left <= 0:
                raise wire.Late
            if select.select([child.sock], [], [], left)[0]:
                return wire.receive(child.sock, max(seconds, 0.01))

    def _read(self, reply: dict, arrays: list) -> object:
        if "fault" in reply:
            raise _fault(reply["fault"], reply.get("facts"))
        self.warnings = [[_text(part) for part in pair[:2]] for pair in _list(reply.get("warnings")) if _pair(pair)]
        self.changed = [index for index in _list(reply.get("changed")) if type(index) is int]
        return values.decode(reply.get("ok"), arrays)

    def ready(self) -> None:
        """Have a child that has run the cells."""
        while self._child is None:
            if self._last is not None and self._starts > self._limits.restarts:
                raise Fault(self._last.status, **self._last.facts)
            if time.monotonic() > self._end or self._spent > self._limits.loading:
                raise Fault("timeout", why="total", seconds=round(self._limits.loading))
            started = time.monotonic()
            self._starts += 1
            try:
                self._start()
            finally:
                self._spent += time.monotonic() - started

    def _start(self) -> None:
        memory = self._limits.memory_torch if "torch" in self._modules else self._limits.memory
        try:
            self._child = self._sandbox.child(self._modules, memory, self._limits.cpu)
        except NoSandbox as error:
            raise Fault("environment", why="grader", text=str(error)) from None
        waiting = time.monotonic()
        place: list[int] | None = None
        try:
            wire.send(self._child.sock, self._job(), timeout=self._limits.statement)
            while True:
                left = self._limits.loading - self._spent - (time.monotonic() - waiting)
                reply, _ = self._receive(min(self._limits.statement, left))
                if "loaded" in reply:
                    return self._loaded(reply)
                place = _place(reply.get("at"))
        except (wire.Late, wire.Closed, wire.Broken) as end:
            fault = self._ended(end, self._limits.statement)
            if place is not None:
                self._skip.append(place)
                self.stopped.setdefault(place[0], fault)

    def _job(self) -> dict:
        return {"cells": self._cells, "inject": self._inject, "skip": self._skip, "careful": self._starts > 1}

    def _loaded(self, reply: dict) -> None:
        errors = reply["loaded"] if isinstance(reply["loaded"], dict) else {}
        for cell, said in list(errors.items())[: len(self._cells)]:
            if cell.isascii() and cell.isdecimal() and len(cell) < 7 and isinstance(said, dict):
                self.errors[int(cell)] = _fault(said.get("status"), said.get("facts"))
        self.output = _text(reply.get("output", ""), 4000)

    def _ended(self, end: Exception, seconds: float) -> Fault:
        """End the child and say how it came to that."""
        code = self._child.end(ending=isinstance(end, wire.Closed)) if self._child else 0
        self._child = None
        self._last = _end(end, code, seconds, self._limits.cpu)
        return self._last


def _end(end: Exception, code: int, seconds: float, cpu: int) -> Fault:
    if isinstance(end, wire.Late):
        return Fault("timeout", seconds=seconds)
    if isinstance(end, wire.Broken | values.BadTree):
        return Fault("crash", why="protocol")
    if code == KILLED:  # and not by us: the kernel's answer to no memory
        return Fault("memory", why="killed")
    return Fault("timeout", seconds=cpu) if code == 124 else Fault("crash", code=code)


def _text(value: object, limit: int = 300) -> str:
    """A text of the child's, without the places in memory that Python tells of functions and objects: they change every time."""
    return ADDRESS.sub(" at 0x…", str(value)[:limit])


def _list(value: object) -> list:
    return value[:20] if isinstance(value, list) else []


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) >= 2


def _place(value: object) -> list[int] | None:
    good = isinstance(value, list) and len(value) == 2 and all(type(n) is int and 0 <= n < 1 << 20 for n in value)
    return value if good else None


def _fault(status: object, facts: object) -> Fault:
    """A fault as the child tells it: of few kinds, its facts short texts and numbers."""
    status = status if status in FROM_CHILD and status in STATUSES else "raised"
    kept: dict = {}
    for key, value in list((facts if isinstance(facts, dict) else {}).items())[:12]:
        if key in ("error", "text", "name", "needs", "why"):
            kept[key] = _text(value)
        elif key == "line" and type(value) is int:
            kept[key] = value
        elif key == "bases":
            kept[key] = [str(item)[:80] for item in _list(value)]
    if kept.get("why") not in (None, "exit", "allocation"):
        del kept["why"]
    return Fault(status, **kept)
