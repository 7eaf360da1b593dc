"""Tests of numeric and choice exercises, made from their ``answers.toml``.

The same table serves the static page, which answers without a kernel.
"""

from __future__ import annotations

import math

import numpy as np

from ffnbook.exercises.judge import Fault, numeric
from ffnbook.exercises.values import describe


def tests(kind: str, table: dict) -> dict:
    """One test per name asked for, in the table's order."""
    make = _choice if kind == "choice" else _numeric
    return {name: make(name, entry) for name, entry in table.items()}


def _numeric(name: str, entry: dict):
    due, atol, rtol = entry["value"], entry.get("atol", 0), entry.get("rtol", 0)
    mistakes = {f"mistake{i}": mistake["value"] for i, mistake in enumerate(entry.get("mistake", []))}

    def test(s, t):
        got = s.value(name)
        _answered(got)
        if isinstance(due, list | str) or not (atol or rtol):
            t.equal(number(got, due), due, mistakes)
        else:
            t.close(number(got, due), due, atol, rtol, mistakes)

    return test


def number(got: object, due: object) -> object:
    """``got`` fit to be compared with ``due``; a text where a number is due is a fault of kind."""
    if isinstance(due, str) or (isinstance(due, list) and isinstance(got, list | tuple | np.ndarray)):
        return got
    if isinstance(got, tuple) and len(got) == 2 and all(type(part) is int for part in got):
        raise Fault("shape", why="comma", got=describe(got))  # -0,75
    if isinstance(got, list | tuple | np.ndarray):
        shape = numeric(got).shape
        if shape:
            raise Fault("shape", why="number", got=str(shape), due="()")
        return got
    if isinstance(got, bool) or not isinstance(got, int | float | np.number):
        raise Fault("dtype", why="number", got=getattr(got, "type_name", type(got).__name__))
    try:
        finite = math.isfinite(got)
    except OverflowError:  # a whole number that no float holds
        raise Fault("values") from None
    if not finite:
        raise Fault("nan", count=1, size=1, at="")
    return got


def _choice(name: str, entry: dict):
    def test(s, t):
        got = s.value(name)
        _answered(got)
        if not isinstance(got, str):
            raise Fault("dtype", why="letter", got=getattr(got, "type_name", type(got).__name__), due=_letters(entry))
        letter = got.strip().strip("().").lower()
        if letter not in entry["choices"]:
            raise Fault("dtype", why="letter", got=repr(got[:20]), due=_letters(entry))
        if letter != entry["right"]:
            raise Fault("values", why="choice", got=letter, mistake=letter)

    return test


def _answered(got: object) -> None:
    if got is None or got is Ellipsis or got == "":
        raise Fault("unanswered")


def _letters(entry: dict) -> list[str]:
    return list(entry["choices"])


def reply(kind: str, entry: dict, mistake: str | None, lang: str) -> str:
    """What to say to an answer: to this mistake, else the general hint."""
    if kind == "choice":
        return entry["choices"][mistake][lang]["reply"] if mistake in entry["choices"] else ""
    if mistake and mistake.startswith("mistake"):
        return entry["mistake"][int(mistake.removeprefix("mistake"))][lang]
    return entry.get("hint", {}).get(lang, "")


def praise(kind: str, entry: dict, lang: str) -> str:
    """What to say to the right answer."""
    right = entry["choices"][entry["right"]][lang]["reply"] if kind == "choice" else entry.get("right", {}).get(lang)
    return right or ""
