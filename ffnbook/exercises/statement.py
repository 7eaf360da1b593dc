"""What an exercise says, for whoever shows it: the book's pages (MyST) and the learner's notebooks (Markdown)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ffnbook.exercises.catalog import Exercise, written
from ffnbook.numbers import STYLES, localise

GIVEN = re.compile(r"\{given\}`([^`]+)`")
CODE = re.compile(r"(`[^`]*`)")
MATH = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
LINK = re.compile(r"\[([^\[\]]+)\]\(#[^()\s]+\)")


@dataclass(frozen=True)
class Question:
    """One thing asked for: ``name`` is the variable that holds the answer, ``entry`` its table in answers.toml."""

    name: str
    title: str
    entry: dict


def body(exercise: Exercise, lang: str) -> str:
    """The statement without its title: whoever shows it has a heading already."""
    return exercise.text(lang).partition("\n")[2].strip()


def explanation(exercise: Exercise, lang: str) -> str:
    """Why the worked solution is as it is; empty where this installation has no solutions."""
    path = exercise.solution and exercise.solution.with_name(f"explain.{lang}.md")
    return written(path).strip() if path and path.is_file() else ""


def questions(exercise: Exercise, lang: str) -> list[Question]:
    """What a numeric or choice exercise asks, in order; nothing for the other kinds."""
    if exercise.kind not in ("numeric", "choice"):
        return []
    return [Question(name, entry.get(lang, {}).get("title", name), entry) for name, entry in exercise.answers.items()]


def plain(text: str, lang: str) -> str:
    """MyST as the Markdown of notebooks: given numbers written for the language, links to other pages as words."""
    text = GIVEN.sub(lambda found: localise(found[1], STYLES[lang]), text)
    pieces = CODE.split(text)  # code stays as it is
    return "".join(piece if piece.startswith("`") else _words(piece, lang) for piece in pieces)


def _words(text: str, lang: str) -> str:
    text = LINK.sub(r"\1", text)
    return MATH.sub(lambda found: re.sub(r"(\d)\.(\d)", r"\1{,}\2", found[0]), text) if lang == "es" else text


def choices(question: Question, lang: str) -> list[tuple[str, str, str]]:
    """(letter, text, reply) of each choice."""
    return [(letter, table[lang]["text"], table[lang]["reply"]) for letter, table in question.entry["choices"].items()]
