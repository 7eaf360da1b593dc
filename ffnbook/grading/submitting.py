"""``submit("Ada")``: the answers of this notebook, run again from scratch, in one file to hand in."""

from __future__ import annotations

import ast
import json
import os
import platform
import re
import sys
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from pathlib import Path

import ffnbook
from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.catalog import Exercise
from ffnbook.exercises.report import Note, Report
from ffnbook.exercises.run import overall, run
from ffnbook.exercises.say import listed
from ffnbook.exercises.subject import Local
from ffnbook.grading import history
from ffnbook.grading.cells import neutral, pieces
from ffnbook.grading.grade import Graded, Result, answered, grade
from ffnbook.grading.reading import Cell, Document
from ffnbook.grading.sandbox import Sandbox


@dataclass(frozen=True)
class HandIn:
    """What ``submit`` shows: how each answer did, run from scratch, and the file."""

    path: Path
    reports: tuple[Report, ...]
    lang: str
    left: tuple[str, ...] = ()  # exercises of the same chapters that are not in the file

    @property
    def texts(self) -> tuple[str, str, str]:
        again = messages.t("grading.submit.again", self.lang)
        left = messages.t("grading.submit.left", self.lang, names=listed(self.left, self.lang)) if self.left else ""
        return again, left, messages.t("grading.submit.written", self.lang, path=self.path)

    def __str__(self) -> str:
        again, left, written = self.texts
        return "\n".join([again, *map(str, self.reports), *([left] if left else []), written])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        again, left, written = self.texts
        inner = "".join(report._repr_html_() for report in self.reports)
        return f'<div lang="{self.lang}"><p>{escape(again)}</p>{inner}{f"<p>{escape(left)}</p>" if left else ""}<p><b>{escape(written)}</b></p></div>'


def submit(learner: str = "", path: str | Path | None = None, lang: str | None = None) -> HandIn | Note:
    """Gather, run again, show, and write the file to hand in (``path``, or one named after chapter and learner)."""
    lang = lang or messages.current()
    learner = " ".join(str(learner or "").split())
    if not learner:
        return Note(messages.t("grading.submit.name", lang))
    course = catalog.load()
    sources = history.executed()
    chosen = history.answers(sources, _touched(sources, course))
    given = {name for names in chosen.values() for name in names}
    ids = [exercise.id for exercise in course if exercise.id in given]  # in the book's order, not in that of the cells
    if not ids:
        return Note(messages.t("grading.submit.nothing", lang))
    past = history.runs(sources)
    cells = [history.marked(past[index], names) for index, names in chosen.items()]
    about = {"learner": learner, "lang": lang, "version": ffnbook.__version__, "exercises": ids}
    result = _again(notebook(cells, about), course, ids)
    mine = [graded for graded in result.graded if graded.exercise in ids]
    about["made"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    about["results"] = {g.exercise: {"status": g.status, "points": str(g.points), "max": str(g.max)} for g in mine}
    chapters = dict.fromkeys(course.find(name).chapter for name in ids)  # so that one chapter's file leaves another's alone
    target = Path(path or "-".join(["ffn", *chapters, _slug(learner)]))
    if target.suffix.lower() != ".ipynb":  # or nobody would take it for a notebook
        target = target.with_name(f"{target.name}.ipynb")
    try:
        _write(target, notebook(cells, about))
    except OSError as error:
        return Note(messages.t("grading.submit.cannot_write", lang, path=target, error=error.strerror or error))
    left = tuple(exercise.id for chapter in chapters for exercise in course.chapter(chapter) if exercise.id not in given)
    return HandIn(target.resolve(), tuple(Report(course.find(g.exercise), g.verdicts, lang) for g in mine), lang, left)


def _touched(sources: list[str], course: catalog.Set) -> list[Exercise]:
    """The exercises of the chapters that were answered, as the grader sees it: a helper called relu brings none with it."""
    names = {name for exercise in course for name in exercise.names}
    found = pieces(Document([Cell("code", source) for source in sources]), names, frozenset())
    chapters = {exercise.chapter for exercise in answered(course, found)[0]}
    return [exercise for exercise in course if exercise.chapter in chapters]


def notebook(cells: list[str], about: dict) -> dict:
    """The file: a notebook any tool opens, with what it is about in its metadata."""
    title, made = messages.t("grading.submit.title", about["lang"]), messages.t(
        "grading.submit.made", about["lang"], version=about["version"], names=listed(about["exercises"], about["lang"])
    )
    head = {"cell_type": "markdown", "id": "about", "metadata": {}, "source": f"{title}: {about['learner']}\n\n{made}"}
    code = [
        {"cell_type": "code", "id": f"answer-{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": cell}
        for i, cell in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python", "version": platform.python_version()}, "ffnbook": about}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": [head, *code]}


def _again(data: dict, course: catalog.Set, ids: list[str]) -> Result:
    """Run the answers from scratch, public tests only: in a process apart, where there are processes."""
    if sys.platform == "emscripten":
        return _here(data, course, ids)
    with Sandbox() as sandbox:
        return grade("submission.ipynb", json.dumps(data).encode(), course, sandbox, seed=None)


def _here(data: dict, course: catalog.Set, ids: list[str]) -> Result:
    space: dict = {"__name__": "__main__"}
    for statement in (node for cell in data["cells"][1:] for node in ast.parse(neutral(cell["source"])).body):
        try:
            exec(compile(ast.Module([statement], []), "<cell>", "exec"), space)
        except (Exception, SystemExit):  # costs itself, as it does when it is graded
            pass
    result = Result("submission.ipynb")
    for exercise in map(course.find, ids):
        verdicts = tuple(run(exercise, Local(space)))
        result.graded.append(Graded(exercise.id, overall(list(verdicts)), verdicts))
    return result


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    tries = (re.sub(r"[\W_]+", "-", text.lower()).strip("-")[:60] for text in (plain, name))  # 李 has no letters of ASCII
    return next(filter(None, tries), "submission")


def _write(path: Path, data: dict) -> None:
    part = path.with_name(path.name + ".part")
    try:
        # halves of characters, which a name or a cell may hold, are no UTF-8
        part.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", errors="replace")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
