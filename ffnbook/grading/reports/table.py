"""``grades.csv``: one row per submission, for a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from ffnbook.grading.grade import Result
from ffnbook.grading.reports.words import printable

# where a cell may begin (Excel in Spanish cuts at semicolons), and then what begins a formula
FORMULA = re.compile(r"""(^[\s"]*|[;,|\t][\s"]*)(?=[=+\-@＝＋－＠])""")
FIXED = ["submission", "learner", "language", "version", "status", "final", "points", "max", "percent", "page", "sha256"]


def write(path: Path, results: Iterable[Result], exercises: list[str], pages: list[str]) -> None:
    """Two columns per exercise: its points and its status; ``pages`` are the learners', in the order of the results."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        out = csv.writer(file)
        out.writerow(FIXED + [f"{name} {part}" for name in exercises for part in ("points", "status")])
        for result, page in zip(results, pages, strict=True):
            out.writerow(map(harmless, _row(result, exercises, page)))


def _row(result: Result, exercises: list[str], page: str) -> list[object]:
    graded = {g.exercise: g for g in result.graded}
    known = result.status == "graded"
    percent = digits(round(100 * result.points / result.max, 2)) if known and result.max else ""
    row: list[object] = [result.name, result.learner, result.lang, result.version, result.status, result.final]
    row += [digits(result.points), digits(result.max), percent] if known else ["", "", ""]
    row += [page, result.sha256]
    for name in exercises:
        one = graded.get(name)
        row += [digits(one.points), one.status] if one else ["", ""]
    return row


def digits(value: Fraction) -> str:
    """A fraction in decimals, ten at most: of ``1/6`` a spreadsheet makes the first of June."""
    return f"{float(value):.10f}".rstrip("0").rstrip(".")


def harmless(value: object) -> str:
    """A cell that no spreadsheet takes for a formula, even one that cuts at other characters than commas."""
    return FORMULA.sub(r"\1'", printable(str(value)).replace("\n", " "))
