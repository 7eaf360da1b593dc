"""The code of a page is the same in both languages: only its comments may differ."""

from __future__ import annotations

from difflib import SequenceMatcher

from ffnbook.site.authoring.cells import dump, first_difference, tree
from ffnbook.site.authoring.faults import fault
from ffnbook.site.reading.markup import Cell
from ffnbook.site.reading.pages import Page


def check(one: Page, two: Page):
    """Cells after the first, equal as syntax trees, with the same tags and in the same sections."""
    if [c.tags for c in one.cells[:1]] != [c.tags for c in two.cells[:1]]:
        yield from _tags(one, two, one.cells[:1], two.cells[:1])
    mine, theirs = one.cells[1:], two.cells[1:]
    matcher = SequenceMatcher(None, [dump(c.source) for c in mine], [dump(c.source) for c in theirs], autojunk=False)
    for _, a, b, c, d in matcher.get_opcodes():
        for left, right in zip(mine[a:b], theirs[c:d]):
            yield from _same_cell(one, two, left, right)
        both = min(b - a, d - c)
        for cell in mine[a + both : b]:
            yield fault(one.path, cell.line, "authoring.parity.cell_lonely", code=_line(cell, 1), other=two.path)
        for cell in theirs[c + both : d]:
            yield fault(two.path, cell.line, "authoring.parity.cell_lonely", code=_line(cell, 1), other=one.path)


def _same_cell(one: Page, two: Page, left: Cell, right: Cell):
    trees = tree(left.source), tree(right.source)
    if dump(left.source) != dump(right.source):
        at, there = first_difference(*trees) if all(trees) else (1, 1)
        yield fault(
            one.path, left.line + at - 1, "authoring.parity.cell_differs", one=_line(left, at), two=_line(right, there),
            other=two.path, other_line=right.line + there - 1,
        )
    if left.tags != right.tags:
        yield from _tags(one, two, [left], [right])
    here, there = one.section_at(left.line), two.section_at(right.line)
    if here != there:
        yield fault(
            one.path, left.line, "authoring.parity.cell_section", one=here, two=there, other=two.path, other_line=right.line
        )


def _tags(one: Page, two: Page, left: list[Cell], right: list[Cell]):
    for a, b in zip(left, right):
        yield fault(
            one.path, a.line, "authoring.parity.tags", one=", ".join(a.tags), two=", ".join(b.tags), other=two.path,
            other_line=b.line,
        )


def _line(cell: Cell, number: int) -> str:
    lines = cell.source.split("\n")
    return lines[min(number, len(lines)) - 1].strip()
