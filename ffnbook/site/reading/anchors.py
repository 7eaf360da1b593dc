"""What links, citations and formula numbers of a page lead to, for text that leaves the site."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pybtex.database import parse_file

from ffnbook.site import address
from ffnbook.site.reading.authors import join_names, surname
from ffnbook.site.reading.pages import Page, read


@dataclass
class Book:
    """All pages of one language and the sources they cite; ``home`` is None where the site has no address."""

    root: Path
    lang: str
    home: str | None

    @cached_property
    def pages(self) -> dict[str, Page]:
        paths = sorted((self.root / "book" / self.lang).glob("*.md"))
        return {path.stem: read(path, self.root, path.stem, self.lang) for path in paths}

    @cached_property
    def _owners(self) -> dict[str, Page]:
        return {name: page for page in self.pages.values() for name, _ in page.ids}

    @cached_property
    def _sources(self):
        return parse_file(str(self.root / "book" / "references.bib"), "bibtex").entries

    def url(self, page: str, anchor: str = "") -> str | None:
        """The address of a page, or of a place in it."""
        name = "" if page == "index" else f"{page}.html"
        return f"{self.home}{self.lang}/{name}{'#' if anchor else ''}{anchor}" if self.home else None

    def file(self, path: str) -> str | None:
        """The address of a file beside the pages."""
        return f"{self.home}{self.lang}/{path}" if self.home else None

    def place(self, anchor: str) -> str | None:
        """The address of an id, whichever page it is on."""
        page = self._owners[anchor]
        equation = "equation-" if anchor in self._numbers(page) else ""
        return self.url(page.name, equation + anchor)

    def heading(self, anchor: str) -> str:
        """The text of the heading with this id (the id itself where it names something else)."""
        return next((h.text for h in self._owners[anchor].headings if h.target == anchor), anchor)

    def number(self, label: str) -> int:
        """The number of a labelled formula: they are counted page by page."""
        return self._numbers(self._owners[label])[label]

    def _numbers(self, page: Page) -> dict[str, int]:
        blocks = [(d.line, d.label) for d in page.directives if d.name == "math" and d.label]
        found = sorted(blocks + [(m.line, m.label) for m in page.math if m.label])
        return {label: number for number, (_, label) in enumerate(found, 1)}

    def source(self, key: str) -> tuple[str, str]:
        """Who wrote the work with this key, and its year."""
        entry = self._sources[key]
        return str(join_names(entry.persons["author"], surname, 2, self.lang)), entry.fields["year"]


def book(root: Path, lang: str) -> Book:
    """The book in ``lang``, at the address it is published at, if any."""
    return Book(root, lang, address.site_url() if address.is_public() else None)
