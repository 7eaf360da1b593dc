"""The people behind a source, as the page's language joins their names."""

from __future__ import annotations

from functools import cache

from pybtex.richtext import Tag, Text

from ffnbook.messages import t

# An entry is formatted for its label and for its line, on every page that cites anything.
latex = cache(Text.from_latex)


def plain(text: str) -> str:
    return str(latex(text))


def surname(person) -> str:
    return plain(" ".join([*person.prelast_names, *person.last_names]))


def initials(person) -> str:
    first = [plain(name)[0] + "." for name in [*person.first_names, *person.middle_names]]
    return " ".join([*first, surname(person)])


def join_names(persons, written, limit: int, lang: str | None = None) -> Text:
    """``A``, ``A and B``, ``A et al.`` past ``limit`` or where the source's list ends in «others»."""
    known = [p for p in persons if surname(p) != "others"]
    names = [written(p) for p in known]
    if len(known) < len(persons) or len(names) > limit:
        return Text(", ".join(names[: 1 if limit == 2 else limit]), " ", Tag("em", "et al."))
    *early, last = names
    return Text(", ".join(early) + f" {t('ui.and', lang)} " + last) if early else Text(last)
