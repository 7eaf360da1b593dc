"""What a learner has run: the cells that make up their answers, from the kernel's own memory.

Neither file names nor cell ids nor metadata are looked at.  A cell belongs to an exercise
because it defines what the exercise asks for; with it go the cells that define what it uses,
and those that change it afterwards.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from dataclasses import dataclass

from ffnbook.exercises.catalog import Exercise
from ffnbook.grading.cells import MARGIN, MARKER, neutral
from ffnbook.grading.flow import Flow


@dataclass(frozen=True)
class Run:
    """One executed cell that is valid Python."""

    source: str
    names: Flow


def executed() -> list[str]:
    """The sources run in this kernel, oldest first; those of the script where there is none."""
    try:
        shell = get_ipython()  # type: ignore[name-defined]  # IPython puts it among the builtins
        return list(shell.history_manager.input_hist_raw)
    except (NameError, AttributeError):
        path = getattr(sys.modules.get("__main__"), "__file__", None)
        if not path:
            return []
        with open(path, encoding="utf-8") as file:
            return [file.read()]


def runs(sources: list[str]) -> list[Run]:
    """The valid ones among the sources, with the names of each."""
    found = []
    for source in sources:
        try:
            found.append(Run(source, Flow(ast.parse(neutral(source)).body)))
        except (SyntaxError, ValueError, RecursionError):
            continue
    return found


def answers(sources: list[str], exercises: list[Exercise]) -> dict[int, list[str]]:
    """Index of each cell that is needed → the exercises it answers (none for a helper), in order."""
    past = runs(sources)
    end = len(past)
    chosen: dict[int, list[str]] = {}
    waiting: list[tuple[str, int]] = []
    for exercise in exercises:
        given = {name: last for name in exercise.names if (last := _last(past, name, end)) is not None}
        waiting += [(name, end) for name in given]
        for index in sorted(set(given.values())):
            chosen.setdefault(index, []).append(exercise.id)
    asked, followed = set(waiting), set()
    while waiting:
        for index in _made(past, *waiting.pop()):
            chosen.setdefault(index, [])
            if index not in followed:
                followed.add(index)
                names = past[index].names
                needed = {(name, index) for name in names.before} | {(name, end) for name in names.later}
                waiting += needed - asked
                asked |= needed
    return dict(sorted(chosen.items()))


def _last(past: list[Run], name: str, end: int) -> int | None:
    """The cell before ``end`` that gave ``name`` its value last."""
    return next((index for index in range(end - 1, -1, -1) if name in past[index].names.binds), None)


def _made(past: list[Run], name: str, end: int) -> list[int]:
    """That cell (or the one with a ``from … import *``), and those that changed the value since."""
    last = _last(past, name, end)
    if last is None and name not in dir(builtins):
        last = _last(past, "*", end)
    if last is None:
        return []
    changed = [] if name in past[last].names.modules else [i for i in range(last + 1, end) if name in past[i].names.changes]
    return [last, *changed]


def marked(run: Run, exercises: list[str]) -> str:
    """The cell's source, marked with what it answers; a %%magic stays first, or Jupyter would not know it for one."""
    there = set(MARKER.findall(run.source))
    margin = MARGIN.match(run.source)[1]
    marks = "".join(f"{margin}#| exercise: {name}\n" for name in exercises if name not in there)
    magic, rest = re.match(r"(\s*%%[^\n]*\n)?(.*)", run.source, re.DOTALL).groups(default="")
    return magic + marks + rest
