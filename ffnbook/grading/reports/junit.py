"""``junit.xml``: a suite per submission, a case per test, for CI systems."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from ffnbook.exercises.catalog import Set
from ffnbook.exercises.say import say
from ffnbook.grading.grade import Result
from ffnbook.grading.reports.words import fault_text, printable


def write(path: Path, results: Iterable[Result], exercises: Set, lang: str) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
        for result in results:
            file.write(_suite(result, exercises, lang))
        file.write("</testsuites>\n")


def _suite(result: Result, exercises: Set, lang: str) -> str:
    if result.status != "graded":
        cases = [f"<testcase name={_attr(result.name)}><error message={_attr(fault_text(result, lang))}/></testcase>"]
        failures = 0
    else:
        cases = [_case(g.exercise, v, exercises, lang) for g in result.graded for v in g.verdicts]
        failures = sum(v.status != "pass" for g in result.graded for v in g.verdicts)
    head = f'tests="{len(cases)}" failures="{failures}" errors="{int(result.status != "graded")}"'
    return f"<testsuite name={_attr(result.name)} {head}>\n" + "\n".join(cases) + "\n</testsuite>\n"


def _case(name: str, verdict, exercises: Set, lang: str) -> str:
    said = say(exercises.find(name), verdict, lang)
    head = f"<testcase classname={_attr(name)} name={_attr(said.title)}"
    if verdict.status == "pass":
        return head + "/>"
    return f"{head}><failure type={_attr(verdict.status)}>{escape(printable(chr(10).join(said.lines())))}</failure></testcase>"


def _attr(text: str) -> str:
    return quoteattr(printable(text))
