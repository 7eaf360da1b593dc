"""Links stay in their language and name explicit ids, which are unique in the book."""

from __future__ import annotations

import re

from ffnbook.messages import LANGUAGES
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.reading.pages import Page

REFERENCES = frozenset(["ref", "numref", "eq", "myst:ref", "std:ref"])
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.I)
SPHINX_OWN = frozenset(["genindex", "modindex", "search"])


def check(pages: list[Page]) -> list[Fault]:
    """The faults of all pages of one language."""
    ids: dict[str, tuple[str, int]] = {}
    found = []
    for page in pages:
        for name, line in page.ids:
            if name in ids:
                first, at = ids[name]
                found.append(fault(page.path, line, "authoring.links.twice", id=name, other=first, other_line=at))
            ids.setdefault(name, (page.path, line))
    return found + [f for page in pages for f in _page(page, ids)]


def _page(page: Page, ids: dict[str, tuple[str, int]]):
    other = next(lang for lang in LANGUAGES if lang != page.lang)
    crossing = re.compile(rf"(?:^|/){other}/|\.{other}\.md")
    for link in page.links:
        url = link.url.removeprefix("project:").removeprefix("path:")
        if SCHEME.match(url):
            continue
        if crossing.search(url):
            yield fault(page.path, link.line, "authoring.links.crosses", url=link.url, language=page.lang)
        fragment = url.partition("#")[2]
        if fragment and fragment not in ids:
            yield fault(page.path, link.line, "authoring.links.unknown", id=fragment)
    for role in page.roles:
        if role.name in REFERENCES:
            name = _target(role.text)
            if name not in ids and name not in SPHINX_OWN:
                yield fault(page.path, role.line, "authoring.links.unknown", id=name)


def _target(text: str) -> str:
    """The id in ``id`` or ``title <id>``."""
    titled = re.search(r"<([^<>]+)>\s*$", text)
    return (titled[1] if titled else text).strip()
