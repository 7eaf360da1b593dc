"""The exercises' directives as the Markdown of notebooks: the other half of ``questions``."""

from __future__ import annotations

import re

from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.say import score
from ffnbook.exercises.statement import Question, body, choices, explanation, questions
from ffnbook.messages import t
from ffnbook.site.reading.markup import Directive

SHOWN = re.compile(r'^solution\("([\w-]+)"\)$')


def solution_source(code: str) -> str:
    """The code of the solution that a cell shows, or the cell's own where it is another."""
    exercise = named(code)
    return exercise.solution.read_text(encoding="utf-8").strip() if exercise and exercise.solution else code


def answer_cell(code: str, lang: str) -> str:
    """What the reader is given to write in before the solution that ``code`` shows."""
    exercise = named(code)
    if exercise is None:
        return f"# {t('running.notebook.answer', lang)}"
    return f'{exercise.starter(lang).strip()}\n\ncheck("{exercise.id}")'


def named(code: str) -> catalog.Exercise | None:
    found = SHOWN.match(code.strip())
    return catalog.load().find(found[1]) if found else None


class ExerciseBlocks:
    """The part of :class:`ffnbook.site.takeaway.plain_markdown.Writer` that writes exercises; check() gives the replies there."""

    def write_exercise(self, block: Directive) -> str:
        exercise = catalog.load().find(block.argument)
        kind = messages.catalogue("questions.kind", self.lang)[exercise.kind]
        points = t("questions.points", self.lang, points=score(exercise.total, self.lang))
        asked = questions(exercise, self.lang) if exercise.kind == "choice" else []
        return "\n\n".join([f"*{kind} · {points}*", self.other(body(exercise, self.lang)), *map(self._choice, asked)])

    def _choice(self, question: Question) -> str:
        how = t("questions.notebook.letter", self.lang, name=question.name)
        options = "\n".join(f"- **{letter})** {self.prose(text)}" for letter, text, _ in choices(question, self.lang))
        return f"**{question.title}** {how}\n\n{options}"

    def write_solution(self, block: Directive) -> str:
        text = explanation(catalog.load().find(block.argument), self.lang)
        return details(t("questions.solution.title", self.lang), self.other(text))


def details(title: str, text: str) -> str:
    return f"<details>\n<summary>{title}</summary>\n\n{text}\n\n</details>"
