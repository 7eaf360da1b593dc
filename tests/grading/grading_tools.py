"""What the grading tests share: a small set of exercises, right answers, notebooks made of cells."""

from __future__ import annotations

import json
from pathlib import Path

from ffnbook.exercises import catalog
from ffnbook.grading.grade import Result, grade
from ffnbook.grading.session import Limits

HERE = Path(__file__).parent
COURSE = HERE / "course"
LAB = catalog.load(COURSE)
RIGHT = {ex.id: ex.solution.read_text(encoding="utf-8") for ex in LAB}
QUICK = Limits(statement=1.0, loading=10.0, whole=30.0)
SEED = 5


def notebook(*cells: str | tuple[str, str], metadata: dict | None = None, **top: object) -> dict:
    """A notebook of code cells, or of (kind, source) pairs."""
    made = []
    for index, cell in enumerate(cells):
        kind, source = cell if isinstance(cell, tuple) else ("code", cell)
        entry = {"cell_type": kind, "id": f"c{index}", "metadata": {}, "source": source.splitlines(keepends=True)}
        made.append(entry | ({"outputs": [], "execution_count": None} if kind == "code" else {}))
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata or {}, "cells": made} | top


def data(made: dict) -> bytes:
    return json.dumps(made).encode()


def graded(sandbox, *cells, name: str = "x.ipynb", content: bytes | None = None, **options) -> Result:
    """Grade these cells (or this content) with the small set."""
    content = data(notebook(*cells)) if content is None else content
    options = {"seed": SEED, "chapters": ("lab",), "limits": QUICK} | options
    return grade(name, content, LAB, sandbox, **options)


def statuses(result: Result) -> dict[str, str]:
    return {one.exercise: one.status for one in result.graded}


def points(result: Result) -> dict[str, str]:
    return {one.exercise: str(one.points) for one in result.graded}
