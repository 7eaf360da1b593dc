"""Running an exercise's tests against a subject, one verdict per test."""

from __future__ import annotations

import inspect
import zlib
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np

from ffnbook.exercises.catalog import Exercise, Test, written
from ffnbook.exercises.judge import FATAL, Fault, Judge
from ffnbook.exercises.subject import Local, Subject
from ffnbook.exercises.values import describe


@dataclass(frozen=True)
class Verdict:
    """What one test says; ``facts`` are what its message is made of."""

    test: str
    status: str
    points: Fraction
    max: Fraction
    private: bool
    facts: dict = field(default_factory=dict)

    def plain(self) -> dict:
        """As JSON, the points as exact fractions."""
        return {**asdict(self), "points": str(self.points), "max": str(self.max)}

    @classmethod
    def from_plain(cls, data: dict) -> Verdict:
        return cls(**{**data, "points": Fraction(data["points"]), "max": Fraction(data["max"])})


def run(exercise: Exercise, subject: Subject, *, seed: int | None = None) -> list[Verdict]:
    """Every test in order; without a ``seed`` the private ones are left out.

    After a fault that no other test can escape (nothing there, no end, no memory) the
    rest earn the same status without being run.
    """
    verdicts: list[Verdict] = []
    fatal: Fault | None = None
    for test in exercise.tests:
        if test.private and seed is None:
            continue
        fault = fatal or _fault(exercise, test, subject, seed)
        verdicts.append(_verdict(test, fault))
        if fault and fault.status in FATAL and _whole(exercise, fault):
            fatal = fault
    return verdicts


def _whole(exercise: Exercise, fault: Fault) -> bool:
    """Whether a fault concerns the whole exercise; several questions stand each alone."""
    return exercise.kind in ("function", "torch") or fault.status not in ("missing", "unanswered")


def _fault(exercise: Exercise, test: Test, subject: Subject, seed: int | None) -> Fault | None:
    wanted = inspect.signature(test.function).parameters
    extra: dict = {"ref": _Due(exercise)} if "ref" in wanted else {}
    if "rng" in wanted:
        extra["rng"] = np.random.default_rng([seed % 2**64, zlib.crc32(f"{exercise.id}/{test.name}".encode())])
    try:
        test.function(subject, Judge(subject), **extra)
    except Fault as fault:
        return _with_call(fault, subject)
    except OSError:  # a pipe or a sandbox of ours broke: no fault of the learner's
        raise
    except Exception as error:  # the test stumbled over what came back: not a kind of value it can use
        return _with_call(Fault("dtype", why="odd", stumbled=f"{type(error).__name__}: {error}"[:200]), subject)
    return None


def _with_call(fault: Fault, subject: Subject) -> Fault:
    if subject.last is not None:
        fault.facts.setdefault("call", str(subject.last)[:300])
        if fault.status in ("shape", "dtype", "nan", "values"):
            fault.facts.setdefault("result", describe(subject.result)[:300])
    elif subject.result is not None:
        fault.facts.setdefault("result", describe(subject.result)[:300])
    return fault


def _verdict(test: Test, fault: Fault | None) -> Verdict:
    status, points = (fault.status, Fraction(0)) if fault else ("pass", test.points)
    return Verdict(test.name, status, points, test.points, test.private, dict(fault.facts) if fault else {})


def reference(exercise: Exercise) -> Local:
    """The worked solution as a subject of its own."""
    if exercise.solution is None:
        raise FileNotFoundError(f"{exercise.id}: no solution.py to compare with")
    return Local(_namespace(exercise.solution))


class _Due(Local):
    """The worked solution as a test asks it what is due: where it fails, that is no fault of the answer's."""

    def __init__(self, exercise: Exercise):
        super().__init__({})
        self._exercise = exercise

    def request(self, *args) -> object:
        try:
            self._namespace = _namespace(self._exercise.solution)
            return super().request(*args)
        except Exception as error:
            why = error.facts.get("text") or error.status if isinstance(error, Fault) else error
            raise Fault("environment", why="grader", text=f"{self._exercise.id}, solution.py: {why}"[:300]) from None


@cache
def _namespace(path: Path) -> dict:
    namespace: dict = {"__name__": path.parent.name, "__file__": str(path)}
    exec(compile(written(path), str(path), "exec"), namespace)
    return namespace


def overall(verdicts: list[Verdict]) -> str:
    """The status of an exercise: its first fault, or pass."""
    return next((v.status for v in verdicts if v.status != "pass"), "pass")
