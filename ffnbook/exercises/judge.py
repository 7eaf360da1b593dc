"""The judge ``t`` that a test is given: compares what came back with what is due.

Every method says nothing when all is well and raises :class:`Fault` with the first thing
wrong: no answer, wrong kind, wrong shape, not finite, wrong values, in that order.
"""

from __future__ import annotations

import numbers

import numpy as np

from ffnbook.exercises.values import KINDS, MAX_ITEMS, Matrix, Opaque, Tensor, TooBig, describe

STATUSES = (
    "pass", "unanswered", "missing", "syntax", "raised", "shape", "dtype", "nan", "values",
    "timeout", "memory", "crash", "environment", "unreadable",
)  # fmt: skip
ODD = {  # types that say what slipped, by the text that tells it
    "lazy": ("generator", "map", "filter", "zip", "enumerate", "reversed", "range", "dict_values", "dict_keys"),
    "function": ("function", "builtin_function_or_method", "method", "ufunc", "type", "partial"),
    "coroutine": ("coroutine", "async_generator"),
    "masked": ("MaskedArray",),
}
FATAL = ("missing", "syntax", "unanswered", "timeout", "memory", "crash", "environment", "unreadable")


class Fault(Exception):
    """One thing wrong: a status and the facts its message is made of (JSON values only)."""

    def __init__(self, status: str, **facts: object):
        super().__init__(status)
        self.status, self.facts = status, facts


def numeric(got: object) -> np.ndarray:
    """``got`` as an array of numbers, or the fault it has."""
    if got is Ellipsis:
        raise Fault("unanswered")
    if got is None:
        raise Fault("dtype", why="none")
    if isinstance(got, TooBig):
        raise Fault("memory", why="too_big")
    if isinstance(got, Opaque | str | dict):
        name = got.type_name if isinstance(got, Opaque) else type(got).__name__
        raise Fault("dtype", why=_odd(name), got=name.removeprefix("ndarray[").removesuffix("]"))
    if isinstance(got, list | tuple) and any(item is Ellipsis for item in got):
        raise Fault("unanswered")
    try:
        array = np.asarray(got)
    except ValueError:  # rows of different lengths
        raise Fault("shape", why="ragged") from None
    if array.dtype.kind not in KINDS:
        raise Fault("dtype", why="elements", got=array.dtype.name)
    return array


def _odd(name: str) -> str:
    """Which text says what to do about a type that is no number."""
    if name.startswith("ndarray["):
        return "elements"
    return next((why for why, names in ODD.items() if name in names), "type")


def _misshapen(got: object, array: np.ndarray, due: tuple) -> Fault:
    why = "matrix" if isinstance(got, Matrix) else "number" if due == () else "single" if array.ndim == 0 else ""
    return Fault("shape", got=str(array.shape), due=str(due), **({"why": why} if why else {}))


class Judge:
    """The methods a test may use; ``s`` is the subject whose last call is at stake."""

    def __init__(self, subject):
        self._s = subject

    def shape(self, got: object, due: tuple) -> None:
        """``got`` is an array of numbers of exactly this shape."""
        array = numeric(got)
        if array.shape != tuple(due):
            raise _misshapen(got, array, tuple(due))

    def dtype(self, got: object, due: object) -> None:
        """``got`` has exactly this dtype (a name or a NumPy type)."""
        array = numeric(got)
        if array.dtype != np.dtype(due):
            raise Fault("dtype", why="dtype", got=array.dtype.name, due=np.dtype(due).name)

    def finite(self, got: object) -> None:
        """``got`` has no NaN and no infinity."""
        array = numeric(got)
        bad = ~np.isfinite(array)
        if bad.any():
            raise Fault("nan", count=int(bad.sum()), size=int(array.size), at=_place(bad))

    def close(self, got, due, atol: float = 1e-5, rtol: float = 1e-5, mistakes: dict | None = None) -> None:
        """``got`` has the shape of ``due`` and agrees with it to ``atol + rtol·|due|``.

        Where ``due`` is NaN or infinite ``got`` must be the same.  ``mistakes`` maps the
        name of a known mistake to the values it gives: its own hint is then shown.
        """
        due = np.asarray(due)
        self.shape(got, due.shape)
        array = numeric(got)
        if array.dtype.kind == "c" and due.dtype.kind != "c":
            raise Fault("dtype", why="complex", got=array.dtype.name)
        odd = np.isfinite(due) & ~np.isfinite(array)
        if odd.any():
            raise Fault("nan", count=int(odd.sum()), size=int(array.size), at=_place(odd))
        wrong = ~np.isclose(_wide(array), _wide(due), rtol=rtol, atol=atol, equal_nan=True)
        if wrong.any():
            raise Fault("values", **_error(array, due, wrong), **self._mistake(array, mistakes, atol, rtol))

    def equal(self, got: object, due: object, mistakes: dict | None = None) -> None:
        """``got`` is exactly ``due``: a whole number, a text, a bool, or a tuple of these."""
        if got is None and self._s.last is not None:
            raise Fault("dtype", why="none")
        if got is Ellipsis or got is None:
            raise Fault("unanswered")
        if isinstance(due, str) and not isinstance(got, str | TooBig):
            raise Fault("dtype", why="string", got=getattr(got, "type_name", type(got).__name__))
        if isinstance(got, Opaque | TooBig):
            numeric(got)  # says what it is instead
        if isinstance(got, np.ndarray) and got.size > MAX_ITEMS:  # to list so many takes seconds, and no answer has them
            raise Fault("values")
        single = isinstance(due, numbers.Number) and not isinstance(due, bool)
        if single and isinstance(got, list | tuple | np.ndarray) and (array := numeric(got)).shape:
            raise _misshapen(got, array, ())  # of the right number in a list, that it is wrong would mislead
        got, due = _plain(got), _plain(due)
        if isinstance(due, str) != isinstance(got, str):
            raise Fault("dtype", why="number" if single else "type", got=type(got).__name__)
        if got != due:
            named = next((name for name, value in (mistakes or {}).items() if got == _plain(value)), None)
            raise Fault("values", **({"mistake": named} if named else {}))

    def true(self, condition: object, mistake: str | None = None) -> None:
        """A property of the answer holds; ``mistake`` names the hint shown if it does not."""
        if not bool(np.all(condition)):
            raise Fault("values", **({"mistake": mistake} if mistake else {}))

    def torch(self, got: object) -> None:
        """``got`` is a torch tensor."""
        if not isinstance(got, Tensor):
            raise Fault("dtype", why="tensor", got=getattr(got, "type_name", type(got).__name__))

    def quiet(self) -> None:
        """The last call gave no warning."""
        if self._s.warnings:
            name, text = self._s.warnings[0]
            raise Fault("raised", why="warning", error=name, text=text)

    def untouched(self) -> None:
        """The last call left its inputs as they were."""
        if self._s.changed:
            raise Fault("values", why="changed", mistake="changed", argument=self._s.changed[0] + 1)

    def raises(self, error: str, call, *args: object) -> None:
        """``call(*args)`` raises this error (its class name, or one of its bases')."""
        try:
            got = call(*args)
        except Fault as fault:
            if fault.status == "raised" and error in fault.facts.get("bases", ()):
                return
            raise
        raise Fault("values", why="no_error", error=error, result=describe(got))

    def tensor(self, array: object) -> Tensor:
        """The array as an argument that the learner's code receives as a torch tensor."""
        return np.asarray(array).view(Tensor)

    def _mistake(self, array: np.ndarray, mistakes: dict | None, atol: float, rtol: float) -> dict:
        for name, value in (mistakes or {}).items():
            value = np.asarray(value)
            if value.shape in (array.shape, ()) and np.allclose(_wide(array), _wide(value), rtol, atol, equal_nan=True):
                return {"mistake": name}
        return {}


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _place(mask: np.ndarray) -> str:
    """The first place where ``mask`` holds, as an index one can type; empty for a single number."""
    return "" if mask.ndim == 0 else "[" + ", ".join(str(int(i)) for i in np.argwhere(mask)[0]) + "]"


def _error(array: np.ndarray, due: np.ndarray, wrong: np.ndarray) -> dict:
    with np.errstate(all="ignore"):
        gap = np.abs(_wide(array) - _wide(due))
    gap = np.where(wrong, np.nan_to_num(gap, nan=np.inf, posinf=np.inf), -1.0)
    largest = float(gap.max())
    value = array[gap == largest].flat[0]
    return {
        "error": largest if np.isfinite(largest) else None,
        "at": _place(gap == largest),
        "there": describe(value.item()),
        "count": int(wrong.sum()),
        "size": int(array.size),
    }


def _plain(value: object) -> object:
    """Whole numbers, texts and sequences in one form, so that ``(2, 3)`` equals ``[2, 3]``."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.strip().lower() if isinstance(value, str) else value
