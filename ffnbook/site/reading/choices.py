"""What our own directives and roles mean, for Sphinx and for the notebooks that are made without it."""

from __future__ import annotations

import math
import re

from ffnbook.numbers import STYLES, localise, num


def split_choices(lines: list[str]) -> tuple[list[str], list[tuple[bool, list[str], list[str]]]]:
    """The question's lines and its choices as (right, text lines, reply lines)."""
    question, choices, target = [], [], None
    target = question
    for line in lines:
        if found := re.match(r"- \(( |x)\) (.*)", line):
            text, reply = [found[2]], []
            choices.append((found[1] == "x", text, reply))
            target = text
        elif choices and (found := re.match(r"\s+: (.*)", line)):
            target = choices[-1][2]
            target.append(found[1])
        else:
            target.append(line if target is question else line.strip())
    return question, choices


def written(text: str, lang: str) -> str:
    """``text`` with each plain number in it, and its per-cent sign, as ``lang`` writes them."""
    style = STYLES[lang]
    text = re.sub(r"(?<![\w.])[-−]?\d+(?:\.\d+)?", lambda m: localise(m[0].replace("−", "-"), style), text)
    return re.sub(r"\s*%", style.percent, text)


def shown(entry: dict, lang: str) -> str:
    """The answer as the page writes it, to the digits it is asked for."""
    atol = entry.get("atol")
    return num(entry["value"], round(-math.log10(atol)) if atol else None, lang=lang)
