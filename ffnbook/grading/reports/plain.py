"""``grades.json`` (all of them) and what other systems read of one submission."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises.catalog import Set
from ffnbook.exercises.say import say
from ffnbook.grading.collect import Skipped
from ffnbook.grading.grade import Result
from ffnbook.grading.reports.words import fault_text, why_skipped
from ffnbook.grading.when import now

CLASSROOM50 = "classroom50/result/v1"


def write_json(path: Path, results: Iterable[Result], lang: str, pages: list[str], skipped: Iterable[Skipped] = ()) -> None:
    """A list of results, then of the files that were not read; written one by one so that memory stays flat."""
    graded = (_entry(result, page=page) for result, page in zip(results, pages, strict=True))
    others = (_entry(Result(one.name, "not_read", facts={"why": one.why}), text=why_skipped(one, lang)) for one in skipped)
    with path.open("wb") as file:
        file.write(b"[")
        for index, data in enumerate(chain(graded, others)):
            file.write((",\n" if index else "\n").encode() + json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
        file.write(b"\n]\n")


def _entry(result: Result, **more: str) -> dict:
    return {**result.plain(), "points": str(result.points), "max": str(result.max), **more}


def is_ours(path: Path) -> bool:
    """Whether a file is a result for another system, as the functions below make it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, dict) and (data.get("schema") == CLASSROOM50 or set(data) == {"score", "output", "output_format", "tests"})


def _rows(result: Result, exercises: Set, lang: str) -> Iterable[tuple[str, bool, Fraction, Fraction, str]]:
    for graded in result.graded:
        exercise = exercises.find(graded.exercise)
        for verdict in graded.verdicts:
            said = say(exercise, verdict, lang)
            name = f"{exercise.title(lang)}: {said.title}"
            yield name, verdict.status == "pass", verdict.points, verdict.max, "\n".join(said.lines())


def gradescope(result: Result, exercises: Set, lang: str, handed_in: str = "") -> dict:
    """Gradescope's ``results.json``: scores as numbers, texts as plain text."""
    if result.status != "graded":
        return {"score": 0, "output": fault_text(result, lang), "output_format": "text", "tests": []}
    tests = [
        {
            "name": name,
            "score": float(points),
            "max_score": float(most),
            "status": "passed" if good else "failed",
            "output": text,
            "output_format": "text",
            "visibility": "visible",
        }
        for name, good, points, most, text in _rows(result, exercises, lang)
    ]
    provisional = "" if result.final else messages.t("grading.report.provisional", lang)
    return {"score": float(result.points), "output": provisional, "output_format": "text", "tests": tests}


def classroom50(result: Result, exercises: Set, lang: str, handed_in: str = "") -> dict:
    """Classroom 50's ``result.json``: whole points, so all are multiplied by what makes them whole.

    ``datetime`` is when the work was handed in, which no grading again may change; ``graded_at`` is now.
    """
    given = os.environ.get
    rows = list(_rows(result, exercises, lang))
    scale = math.lcm(*(value.denominator for _, _, _, most, _ in rows for value in (most,)), 1)
    tests = [
        {"test-name": name, "passed": good, "score": int(points * scale), "max-score": int(most * scale), "output": text}
        for name, good, points, most, text in rows
    ]
    if result.status != "graded":
        tests = [{"test-name": result.name, "passed": False, "score": 0, "max-score": 1, "output": fault_text(result, lang)}]
    commit, graded_at = given("COMMIT_URL", ""), now()
    return {
        "schema": CLASSROOM50,
        "classroom": given("CLASSROOM", ""),
        "assignment": given("ASSIGNMENT", ""),
        "submission": given("SUBMISSION_TAG", ""),
        "commit": commit,
        "release": given("RELEASE_URL", ""),
        "review": given("REVIEW_URL") or commit,
        "datetime": handed_in or graded_at,
        "graded_at": graded_at,
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }


def write_one(path: Path, data: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
