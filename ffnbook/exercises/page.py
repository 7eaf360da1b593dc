"""What a chapter shows of an exercise: its worked solution, graded there and then like a learner's answer."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.report import Note, Report
from ffnbook.exercises.run import reference, run
from ffnbook.exercises.say import points

SEED = 20_260_101


class SolutionFails(AssertionError):
    """The book's own solution does not earn everything."""


@dataclass(frozen=True)
class Solution:
    """The source of a solution and what the grader says of it, private cases included."""

    source: str
    report: Report

    @property
    def verdict(self) -> str:
        total, lang = self.report.exercise.total, self.report.lang
        return messages.t("questions.solution.graded", lang, points=points(total, total, lang))

    def __str__(self) -> str:
        return f"{self.source}\n\n{self.verdict}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        titles = "".join(f"<li>{escape(said.title)}</li>" for _, said in self.report.shown())
        return (
            f'<div class="solution-code"><div class="highlight"><pre translate="no">{_coloured(self.source)}</pre></div></div>'
            f'<div class="solution-verdict" lang="{self.report.lang}"><p>{escape(self.verdict)}</p><ul>{titles}</ul></div>'
        )


def solution(name: str, lang: str | None = None) -> Solution | Note:
    """Show the worked solution of the exercise ``name`` and grade it; a solution that fails stops the build."""
    lang = lang or messages.current()
    exercise = catalog.load().find(name)
    if exercise.solution is None:
        return Note(messages.t("questions.solution.elsewhere", lang))
    report = Report(exercise, tuple(run(exercise, reference(exercise), seed=SEED)), lang)
    if not report:
        raise SolutionFails(str(report))
    return Solution(catalog.written(exercise.solution).strip(), report)


def _coloured(source: str) -> str:
    """The source as HTML; its colours are the style sheet's, where there is one."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip()
