"""The two languages of a page are the same page: same sections, labels, figures, code and sources."""

from __future__ import annotations

import re
from collections import Counter

from ffnbook.messages import t
from ffnbook.site.authoring import code_parity
from ffnbook.site.authoring.catalogues import is_prose
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.reading.blocks import TITLED
from ffnbook.site.reading.markup import Directive
from ffnbook.site.reading.pages import Page

# Asides that one language may need and the other not.
FREE = frozenset(
    "admonition attention caution hint important margin note seealso sidebar tip topic warning code-cell math".split()
)
WORDS_IN_MATH = re.compile(r"\\(?:text|operatorname|mathrm|textit|textbf)\*?\{[^{}]*\}|\s+")
Item = tuple[str, int]  # what must be the same, and its line


def check(one: Page, two: Page) -> list[Fault]:
    """Every way in which two language versions of a page differ that a reader must not see."""
    found = [f for kind, read in SEQUENCES.items() for f in _sequence(kind, (one, read(one)), (two, read(two)))]
    found += [f for kind, read in SETS.items() for f in _members(kind, (one, read(one)), (two, read(two)))]
    return [*found, *_levels(one, two), *_choices(one, two), *_run(one, two), *_alts(one, two), *code_parity.check(one, two)]


def _directives(page: Page) -> list[Item]:
    return [(_named(d), d.line) for d in page.directives if d.name and d.name not in FREE]


def _named(block: Directive) -> str:
    """Its name, its argument where that is no title (a path may name the language), its label."""
    argument = "" if block.name in TITLED else re.sub(r"\b(es|en)/", "*/", block.argument)
    return " ".join(part for part in (f"{{{block.name}}}", argument, block.label) if part)


def _equations(page: Page) -> list[Item]:
    return [(WORDS_IN_MATH.sub("", m.text).rstrip(".,;"), m.line) for m in page.math if m.display]


def _alts(one: Page, two: Page):
    """An alt text that is word for word the same in both languages was copied, and never written in one of them."""
    theirs = {alt: line for alt, line in reversed(_said(two))}
    for alt, line in _said(one):
        if alt in theirs and is_prose(alt):
            yield fault(one.path, line, "authoring.parity.alt", alt=_short(alt), other=two.path, other_line=theirs[alt])


def _said(page: Page) -> list[Item]:
    """The alt texts of the page's images."""
    figures = [d for d in page.directives if d.name in ("figure", "image")]
    return [(i.alt.strip(), i.line) for i in page.images] + [(str(d.options.get("alt") or "").strip(), d.line) for d in figures]


# What must come in the same order.
SEQUENCES = {
    "section": lambda page: [(h.target, h.line) for h in page.headings if h.target],
    "label": lambda page: page.labels,
    "directive": _directives,
    "equation": _equations,
}
# What must be there, in any order.
SETS = {
    "citation": lambda page: page.citations,
    "glue": lambda page: page.glue_uses,
    "given": lambda page: {r.text: r.line for r in reversed(page.roles) if r.name == "given"},
}


def _kind(kind: str) -> str:
    return t(f"authoring.kind.{kind}")


def _short(key: str) -> str:
    return key if len(key) <= 60 else key[:59] + "…"


def _sequence(kind: str, one: tuple[Page, list[Item]], two: tuple[Page, list[Item]]):
    (page, items), (other, others) = one, two
    lonely = [*_lonely(kind, page, items, other, others), *_lonely(kind, other, others, page, items)]
    yield from lonely
    if lonely:
        return
    for (key, line), (key2, line2) in zip(items, others):
        if key != key2:
            yield fault(
                page.path, line, "authoring.parity.order", kind=_kind(kind), one=_short(key), two=_short(key2),
                other=other.path, other_line=line2,
            )
            return


def _lonely(kind: str, page: Page, items: list[Item], other: Page, others: list[Item]):
    """A fault for each item that the other page lacks, with the place where it belongs there."""
    left = Counter(key for key, _ in others)
    place = {key: line for key, line in others}
    previous = 1
    for key, line in items:
        if left[key]:
            left[key] -= 1
            previous = place[key]
        else:
            yield fault(
                page.path, line, "authoring.parity.lonely", kind=_kind(kind), item=_short(key), other=other.path,
                other_line=previous,
            )


def _members(kind: str, one: tuple[Page, dict], two: tuple[Page, dict]):
    for (page, mine), (other, theirs) in ((one, two), (two, one)):
        for key in mine.keys() - theirs.keys():
            yield fault(page.path, mine[key], "authoring.parity.member", kind=_kind(kind), item=key, other=other.path)


def _levels(one: Page, two: Page):
    levels = {h.target: h for h in two.headings if h.target}
    for h in one.headings:
        twin = levels.get(h.target)
        if twin and twin.level != h.level:
            yield fault(
                one.path, h.line, "authoring.parity.level", target=h.target, one=h.level, two=twin.level, other=two.path,
                other_line=twin.line,
            )


def _choices(one: Page, two: Page):
    """The same choices are right, in the same order."""
    marks = {d.argument: (_marks(d), d.line) for d in two.directives if d.name == "predict"}
    for block in one.directives:
        if block.name == "predict" and block.argument in marks:
            theirs, line = marks[block.argument]
            if _marks(block) != theirs:
                yield fault(
                    one.path, block.line, "authoring.parity.choices", id=block.argument, one=_marks(block), two=theirs,
                    other=two.path, other_line=line,
                )


def _marks(block) -> str:
    return " ".join(re.findall(r"^\s*- (\([x ]\)) ", "\n".join(block.body), re.MULTILINE))


def _run(one: Page, two: Page):
    for key in ("run", "kernelspec"):
        mine, theirs = one.front.get(key), two.front.get(key)
        if mine != theirs:
            yield fault(one.path, 1, "authoring.parity.front", item=key, one=mine, two=theirs, other=two.path)
