"""What ``check`` shows: plain text in a terminal, a small escaped page in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from html import escape

from ffnbook import messages
from ffnbook.exercises.catalog import Exercise
from ffnbook.exercises.run import Verdict
from ffnbook.exercises.say import Said, points, say

MARKS = {"pass": ("✓", "var(--c-embeddings, #1f7a4d)"), "unanswered": ("○", "inherit")}
WRONG = ("✗", "var(--c-ffn, #b04008)")


@dataclass(frozen=True)
class Report:
    """The verdicts on one exercise, in one language."""

    exercise: Exercise
    verdicts: tuple[Verdict, ...]
    lang: str

    def __bool__(self) -> bool:
        return bool(self.verdicts) and all(v.status == "pass" for v in self.verdicts)

    @property
    def heading(self) -> str:
        got = sum((v.points for v in self.verdicts), Fraction(0))
        title, total = self.exercise.title(self.lang), self.exercise.total
        return messages.t("exercises.check.heading", self.lang, title=title, points=points(got, total, self.lang))

    def shown(self) -> list[tuple[str, Said]]:
        """What passed, and the first thing wrong, each with its status; for questions, every one."""
        rows = []
        for verdict in self.verdicts:
            rows.append((verdict.status, say(self.exercise, verdict, self.lang)))
            if verdict.status != "pass" and self.exercise.kind in ("function", "torch"):
                break
        return rows

    @property
    def footer(self) -> str:
        left = len(self.verdicts) - len(self.shown())
        if left:
            return messages.t("exercises.check.later", self.lang, count=left)
        hidden = any(test.private for test in self.exercise.tests)
        return messages.t("exercises.check.private", self.lang) if self and hidden else ""

    def __str__(self) -> str:
        lines = [self.heading]
        for status, said in self.shown():
            lines += [f"{MARKS.get(status, WRONG)[0]} {said.title}", *(f"  {line}" for line in said.lines())]
        return "\n".join([*lines, self.footer] if self.footer else lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for status, said in self.shown():
            mark, colour = MARKS.get(status, WRONG)
            inner = "".join(f"<div>{escape(line)}</div>" for line in said.lines())
            rows.append(f'<li><b style="color:{colour}">{mark}</b> {escape(said.title)}<div style="margin-left:1.5em">{inner}</div></li>')
        items = "".join(rows)
        return (
            f'<div lang="{self.lang}" class="ffn-report" role="status"><p><b>{escape(self.heading)}</b></p>'
            f'<ul style="list-style:none;padding-left:0">{items}</ul><p>{escape(self.footer)}</p></div>'
        )


@dataclass(frozen=True)
class Note:
    """One sentence in place of a report."""

    text: str

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__
