"""A page of the book as its checks see it: headings, cells, directives, labels, prose.

This reads the source of a MyST notebook line by line, without Sphinx, so that all pages
of both languages are checked in a fraction of a second.  It knows the MyST the book uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ffnbook.site.reading import inline
from ffnbook.site.reading.blocks import Scanner
from ffnbook.site.reading.markup import Cell, Directive, Heading, Image, Link, Math, Role


@dataclass
class Page:
    """``path`` relative to the repository; ``name`` as other pages call it: ``exact-form``."""

    path: str
    name: str
    lang: str
    lines: list[str]
    front: dict[str, object] = field(default_factory=dict)
    headings: list[Heading] = field(default_factory=list)
    targets: list[tuple[str, int]] = field(default_factory=list)
    directives: list[Directive] = field(default_factory=list)
    math: list[Math] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)  # line by line; what is not prose is blank
    problems: list[tuple[int, str, dict[str, str]]] = field(default_factory=list)

    @cached_property
    def cells(self) -> list[Cell]:
        return [Cell(d.body_line, "\n".join(d.body), d.tags) for d in self.directives if d.name == "code-cell"]

    @cached_property
    def labels(self) -> list[tuple[str, int]]:
        """Labels of equations, figures and tables, and targets that no heading owns, in order."""
        own = {h.target for h in self.headings}
        found = [(d.label, d.line) for d in self.directives if d.label]
        found += [(m.label, m.line) for m in self.math if m.label]
        found += [(name, line) for name, line in self.targets if name not in own]
        return sorted(found, key=lambda item: item[1])

    @cached_property
    def ids(self) -> list[tuple[str, int]]:
        """Every explicit id a link may name."""
        predictions = [(d.argument, d.line) for d in self.directives if d.name == "predict"]
        return self.labels + [(h.target, h.line) for h in self.headings if h.target] + predictions

    @cached_property
    def citations(self) -> dict[str, int]:
        """Key of each work cited, with the first line that cites it."""
        return _first_lines(
            (key.strip(), role.line) for role in self.roles if role.name.startswith("cite") for key in role.text.split(",")
        )

    @cached_property
    def glue_uses(self) -> dict[str, int]:
        """Name of each glued value the page shows, with the first line that shows it."""
        inline_uses = [(r.text.split(":")[0].strip(), r.line) for r in self.roles if r.name.startswith("glue")]
        return _first_lines(inline_uses + [(d.argument, d.line) for d in self.directives if d.name.startswith("glue")])

    def section_at(self, line: int) -> str | None:
        """The target of the heading that ``line`` stands under."""
        above = [h.target for h in self.headings if h.line <= line]
        return above[-1] if above else None


def _first_lines(pairs) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, line in pairs:
        found.setdefault(key, line)
    return found


def parse(text: str, path: str, name: str, lang: str) -> Page:
    """The page written in ``text`` (with either kind of line end)."""
    page = _scanned(text, path, name, lang)
    inline.scan(page)
    return page


def cells_of(text: str) -> list[Cell]:
    """The code cells alone, in a quarter of the time."""
    return _scanned(text, "", "", "").cells


def _scanned(text: str, path: str, name: str, lang: str) -> Page:
    page = Page(path, name, lang, text.replace("\r\n", "\n").split("\n"))
    Scanner(page).run()
    return page


def read(path: Path, root: Path, name: str, lang: str) -> Page:
    """The page in the file ``path``, which must be UTF-8."""
    return parse(path.read_text(encoding="utf-8-sig"), path.relative_to(root).as_posix(), name, lang)
