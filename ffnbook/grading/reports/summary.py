"""``summary.md``, also the job summary of a GitHub Actions run: a table, then what to look at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises.catalog import Set
from ffnbook.exercises.say import listed, points, say
from ffnbook.grading.collect import Skipped
from ffnbook.grading.grade import Graded, Result
from ffnbook.grading.reports.words import fault_text, layer_names, not_read, notes, printable
from ffnbook.numbers import num

MAX_ROWS = 500
DETAILS = 5  # up to so many submissions the faults are told one by one
GITHUB_LIMIT = 1_000_000  # bytes; of more it shows nothing


def write(
    path: Path, results: Iterable[Result], exercises: Set, lang: str, layers: list[str], skipped: Sequence[Skipped] = ()
) -> None:
    """The file, and the same for GitHub where a run asks for it."""
    results = iter(results)
    shown = list(islice(results, MAX_ROWS))
    text = _text(shown, sum(1 for _ in results), exercises, lang, layers) + not_read_section(skipped, lang)
    path.write_text(text, encoding="utf-8")
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if target:
        with open(target, "a", encoding="utf-8") as file:
            file.write(text.encode()[:GITHUB_LIMIT].decode(errors="ignore") + "\n")


def _text(results: list[Result], more: int, exercises: Set, lang: str, layers: list[str]) -> str:
    lang_of = results[0].lang or lang if len(results) == 1 else lang
    say_it = lambda key, **values: messages.t(f"grading.report.{key}", lang_of, **values)  # noqa: E731
    lines = [f"## {say_it('heading')}", "", f"| {say_it('submission')} | {say_it('points')} | |", "|---|---:|---|"]
    for result in results:
        good = result.status == "graded"
        mark = points(result.points, result.max, lang_of) if good else "—"
        lines.append(f"| {_cell(result.name)} | {mark} | {_cell(_short(result, lang_of))} |")
    if more:
        lines += ["", say_it("more", count=num(more, lang=lang_of))]
    if len(results) <= DETAILS:
        for result in results:
            lines += _details(result, exercises, result.lang or lang)
    if not all(result.final for result in results if result.status == "graded"):
        lines += ["", say_it("provisional")]
    return "\n".join([*lines, "", say_it("layers", layers=layer_names(layers, lang_of)), ""])


def not_read_section(skipped: Sequence[Skipped], lang: str) -> str:
    """What was handed in and not read; empty where there is nothing of the kind."""
    if not skipped:
        return ""
    lines = [f"- {_cell(line)}" for line in not_read(skipped, lang, MAX_ROWS)]
    return "\n".join(["", f"### {messages.t('grading.report.not_read', lang)}", "", *lines, ""])


def _short(result: Result, lang: str) -> str:
    if result.status != "graded":
        return fault_text(result, lang)
    bad: dict[str, list[str]] = {}
    for graded in result.graded:
        if graded.status != "pass":
            bad.setdefault(graded.status, []).append(graded.exercise)
    told = [f"{messages.t(f'grading.status.{status}', lang)}: {listed(names, lang)}" for status, names in bad.items()]
    return "; ".join(told) or messages.t("grading.status.pass", lang)


def _details(result: Result, exercises: Set, lang: str) -> list[str]:
    lines = ["", f"### {_cell(result.learner or result.name)}"] if result.graded else []
    for graded in result.graded:
        lines += _exercise(graded, exercises, lang)
    return lines + [f"- {_cell(note)}" for note in notes(result, lang)]


def _exercise(graded: Graded, exercises: Set, lang: str) -> list[str]:
    exercise = exercises.find(graded.exercise)
    mark = "✓" if graded.status == "pass" else "✗"
    lines = [f"- {mark} **{_cell(exercise.title(lang))}** ({points(graded.points, graded.max, lang)})"]
    first = next((v for v in graded.verdicts if v.status != "pass"), None)
    if first is not None:
        said = say(exercise, first, lang)
        lines += [f"  - {_cell(line)}" for line in (said.title, *said.lines())]
    return lines


def _cell(text: str) -> str:
    """Hostile text in Markdown: one line, nothing of it markup."""
    text = escape(printable(text).replace("\n", " "), quote=False)
    return "".join("\\" + c if c in "\\`*_[]|#!~$" else c for c in text).replace("@", "@\u200b")
