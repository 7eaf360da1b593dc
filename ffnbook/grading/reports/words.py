"""Sentences about a whole submission."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ffnbook import messages
from ffnbook.exercises.run import Verdict
from ffnbook.exercises.say import listed, what
from ffnbook.grading.collect import Skipped
from ffnbook.grading.grade import SEPARATOR, Result
from ffnbook.numbers import num

# besides what no XML may hold: marks that turn the direction of the text after them, a neighbour's too
CONTROL = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
NOTES = ("duplicate_ids", "many_cells", "split_cell", "not_code", "input", "version", "python", "unknown")


def fault_text(result: Result, lang: str) -> str:
    """Why a submission could not be graded."""
    return what(Verdict("", result.status, 0, 0, False, result.facts), lang)


def notes(result: Result, lang: str) -> list[str]:
    """What is worth knowing although it costs nothing."""
    said = []
    for note in dict.fromkeys(result.notes):
        name, _, names = note.partition(":")
        if name in NOTES:
            names = listed(names.split(SEPARATOR), lang)
            said.append(messages.t(f"grading.note.{name}", lang, names=names, version=result.version or "—"))
    return said


def why_skipped(one: Skipped, lang: str) -> str:
    """Why a file was not read, and what to do."""
    return messages.t(f"grading.skipped.{one.why}", lang)


def not_read(skipped: Sequence[Skipped], lang: str, most: int) -> list[str]:
    """A line for each of the files that were not read, up to so many."""
    lines = [printable(f"{one.name}: {why_skipped(one, lang)}") for one in skipped[:most]]
    more = len(skipped) - len(lines)
    return lines + ([messages.t("grading.report.more", lang, count=num(more, lang=lang))] if more else [])


def layer_names(layers: list[str], lang: str) -> str:
    """The walls that are up, in words."""
    return listed((messages.t(f"grading.layer.{layer}", lang) for layer in layers), lang) or "—"


def printable(text: str) -> str:
    """Hostile text without the characters that XML, HTML, terminals and readers choke on."""
    return CONTROL.sub("\ufffd", text)
