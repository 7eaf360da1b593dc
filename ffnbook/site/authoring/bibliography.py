"""The sources: each entry of the bibliography can be cited, and each citation has its entry."""

from __future__ import annotations

import re
from pathlib import Path

from pybtex.database import parse_string
from pybtex.exceptions import PybtexError

from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.reading.pages import Page

BIB = "book/references.bib"
ENTRY = re.compile(r"^[ \t]*@(?!comment|string|preamble)\w+[ \t]*\{[ \t]*([^,\s}]+)", re.I | re.M)
NEEDED = ("author", "title", "year")


def check(root: Path, pages: list[Page]) -> list[Fault]:
    """The faults of the bibliography, and of what the pages cite."""
    if not (root / BIB).is_file():
        return []
    try:
        text = (root / BIB).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return [fault(BIB, 1, "authoring.encoding", error=error)]
    lines: dict[str, int] = {}
    for found in ENTRY.finditer(text):
        line = text.count("\n", 0, found.start(1)) + 1
        if found[1].lower() in lines:
            return [fault(BIB, line, "authoring.bibliography.twice", name=found[1], line=lines[found[1].lower()])]
        lines[found[1].lower()] = line
    try:
        entries = parse_string(text, "bibtex").entries
    except PybtexError as error:
        return [fault(BIB, getattr(error, "lineno", None) or 1, "authoring.bibliography.unreadable", error=error)]
    faults = [
        fault(BIB, lines[key.lower()], "authoring.bibliography.lacks", name=key, field=field)
        for key, entry in entries.items()
        for field in NEEDED
        if not (entry.persons if field == "author" else entry.fields).get(field)
    ]
    return faults + [
        fault(page.path, line, "authoring.bibliography.unknown", name=key)
        for page in pages
        for key, line in page.citations.items()
        if key not in entries
    ]
