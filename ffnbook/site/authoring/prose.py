"""Rules for one page read alone: its numbers, headings, math, figures, images and questions."""

from __future__ import annotations

import re

from ffnbook.site.authoring import cell_rules
from ffnbook.site.authoring.cells import Named, named, tree
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.authoring.numbers_in_prose import stray_numbers
from ffnbook.site.reading.pages import Page
from ffnbook.site.takeaway import plain_markdown

TARGET = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
# Mistranslations that a Spanish page on this subject never uses (it may quote one: «…»).
NEVER = {
    "es": re.compile(
        r"(?<![«\"\w])(retroalimentaci(?:ón|ones)|retroalimentad[oa]s?|polisemias?|polisémic[oa]s?|esparsidad)\b", re.I
    ),
    "en": re.compile(r"(?!)"),
}
A_TO_Z = "glossary-a-to-z"
WAYS = {"pyodide", "binder"}
FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\](:?)")
# What makes a page with cells a notebook, to Jupyter Book and to Jupyter.
NOTEBOOK = "jupytext: {text_representation: {extension: .md, format_name: myst}}\nkernelspec: {display_name: Python 3, language: python, name: python3}"
ROLE_MARK = re.compile(r"\{[a-zA-Z][\w:.+-]*\}")
TABLE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
ANSWER = re.compile(r"^\s*- \((x| )\) ")


def check(page: Page, messages: dict[str, str] | None) -> list[Fault]:
    """Every fault of the page; ``messages`` are those of its language, by key; None where they cannot be read."""
    rules = (
        _front, _problems, _headings, _numbers, _given, _math, _dollars, _words, _images, _footnotes, _predictions, _glue, _unwritable,
        _terms, _role_marks, _tables,
    )  # fmt: skip
    found = [f for rule in rules for f in rule(page)]
    return [*found, *(_figures(page, messages) if messages is not None else ()), *cell_rules.check(page)]


def _front(page: Page):
    if page.problems and not page.front:
        return  # it could not be read, which is told
    if page.cells and not _is_notebook(page.front):
        yield fault(page.path, 1, "authoring.prose.no_notebook", lines=NOTEBOOK)
    run = page.front.get("run")
    if "run" in page.front and not (isinstance(run, list) and run and WAYS.issuperset(run)):
        yield fault(page.path, 1, "authoring.prose.run", run=run, ways=", ".join(sorted(WAYS, reverse=True)))
    if not str(page.front.get("description") or "").strip():
        yield fault(page.path, 1, "authoring.prose.description")


def _is_notebook(front: dict[str, object]) -> bool:
    written = front.get("jupytext")
    shape = written.get("text_representation") if isinstance(written, dict) else None
    return isinstance(shape, dict) and shape.get("format_name") == "myst" and "kernelspec" in front


def _problems(page: Page):
    for line, key, values in page.problems:
        yield fault(page.path, line, key, **values)


def _headings(page: Page):
    prefix = "term" if page.name == "glossary" else page.name
    for heading in page.headings:
        if heading.level == 1 and heading is not page.headings[0]:
            yield fault(page.path, heading.line, "authoring.prose.second_title", heading=heading.text)
        if heading.level == 1 and heading.target is None:
            continue
        if heading.target is None:
            yield fault(page.path, heading.line, "authoring.prose.no_target", heading=heading.text, prefix=prefix)
        elif not TARGET.fullmatch(heading.target) or not heading.target.startswith((page.name, prefix)):
            yield fault(page.path, heading.line, "authoring.prose.bad_target", target=heading.target, prefix=prefix)


def _terms(page: Page):
    """A term of the glossary that its alphabetical list, where it has one, leaves out."""
    listed = {link.url.removeprefix("#") for link in page.links if page.section_at(link.line) == A_TO_Z}
    for heading in page.headings:
        if listed and (heading.target or "").startswith("term-") and heading.target not in listed:
            yield fault(page.path, heading.line, "authoring.prose.unlisted", term=heading.text, target=heading.target, list=A_TO_Z)


def _numbers(page: Page):
    for line, text in enumerate(page.prose, 1):
        for number in stray_numbers(text):
            yield fault(page.path, line, "authoring.prose.number", number=number)


def _given(page: Page):
    for role in page.roles:
        if role.name == "given" and re.search(r"\d[,\u00a0\u202f ]\d", role.text):
            yield fault(page.path, role.line, "authoring.prose.given", number=role.text)


def _math(page: Page):
    for math in page.math:
        if "{,}" in math.text:
            yield fault(page.path, math.line + math.text[: math.text.index("{,}")].count("\n"), "authoring.prose.comma_in_math")


def _dollars(page: Page):
    for line, text in enumerate(page.prose, 1):
        if "$" in text:
            yield fault(page.path, line, "authoring.prose.dollar", text=text.strip()[:60])


def _words(page: Page):
    for line, text in enumerate(page.prose, 1):
        for word in NEVER[page.lang].findall(text):
            yield fault(page.path, line, "authoring.prose.never", word=word)
    if page.lang == "es":
        yield from _spanish_marks(page)


def _spanish_marks(page: Page):
    """A question or exclamation that does not open: Spanish writes both marks."""
    for line, text in _paragraphs(page.prose):
        for opening, closing in ("¿?", "¡!"):
            if text.count(closing) > text.count(opening):
                yield fault(page.path, line, "authoring.prose.opening_mark", opening=opening, closing=closing)


def _paragraphs(lines: list[str]):
    """(line of the last piece, text) of each run of lines that are not blank."""
    start = 0
    for at, text in enumerate([*lines, ""]):
        if not text.strip():
            if at > start:
                yield start + 1, "\n".join(lines[start:at])
            start = at + 1


def _images(page: Page):
    for image in page.images:
        if not image.alt.strip():
            yield fault(page.path, image.line, "authoring.prose.image_alt", image=image.source)
    for block in page.directives:
        if block.name in ("figure", "image") and not str(block.options.get("alt") or "").strip():
            yield fault(page.path, block.line, "authoring.prose.figure_alt", image=block.argument)


def _role_marks(page: Page):
    """The name of a role that no text between backticks follows: it would stand on the page as it is."""
    for line, text in enumerate(page.prose, 1):
        for mark in ROLE_MARK.findall(text):
            yield fault(page.path, line, "authoring.prose.role_mark", mark=mark)


def _tables(page: Page):
    """A row with more or fewer cells than the head: what is too many is lost, and a second row that differs makes no table."""
    for at, text in enumerate(page.prose):
        if at and "|" in text and TABLE_RULE.fullmatch(text):
            due, row = _columns(page.lines[at - 1]), at
            while row < len(page.prose) and "|" in page.prose[row]:
                if (got := _columns(page.lines[row])) != due:
                    yield fault(page.path, row + 1, "authoring.prose.table_row", got=got, due=due)
                row += 1


def _columns(row: str) -> int:
    inside = re.sub(r"\\.", "", row.strip())
    return inside.removeprefix("|").removesuffix("|").count("|") + 1


def _footnotes(page: Page):
    marks = [(line, *mark) for line, text in enumerate(page.prose, 1) for mark in FOOTNOTE.findall(text)]
    written = {name for _, name, colon in marks if colon}
    for line, name, _ in marks:
        if name not in written:
            yield fault(page.path, line, "authoring.prose.footnote", name=name)


def _unwritable(page: Page):
    """What the page's notebook could not hold."""
    if page.cells and page.front.get("run"):
        for line, what in plain_markdown.unwritable(page):
            near = plain_markdown.nearest(what)
            yield fault(page.path, line, f"authoring.prose.{'misspelt' if near else 'unwritable'}", what=what, near=near)


def _predictions(page: Page):
    for block in page.directives:
        if block.name == "predict":
            marks = [found[1] for text in block.body if (found := ANSWER.match(text))]
            if not block.argument:
                yield fault(page.path, block.line, "authoring.prose.predict_id")
            if "x" not in marks:
                yield fault(page.path, block.line, "authoring.prose.no_answer", id=block.argument)


def _figures(page: Page, messages: dict[str, str]):
    for cell in page.cells:
        for name in named(cell, ("lesson.show",), 1, "name"):
            pattern = re.compile(f"(?:{name.pattern or '.*'})\\.alt")
            if not any(pattern.fullmatch(key) for key in messages):
                yield fault(page.path, name.line, "authoring.prose.show_alt", figure=name.text, language=page.lang)


def _glue(page: Page):
    glued = [name for cell in page.cells for name in named(cell, ("lesson.glue",), 0, "name")]
    for name in glued:
        if name.pattern is None:
            yield fault(page.path, name.line, "authoring.prose.glue_literal", name=name.text)
        elif not any(name.matches(use) for use in page.glue_uses):
            yield fault(page.path, name.line, "authoring.prose.glue_unused", name=name.text)
    yield from _glued_twice(page, glued)
    if any(tree(cell.source) is None for cell in page.cells):
        return  # it may be glued there
    for use, line in page.glue_uses.items():
        if not any(name.matches(use) for name in glued):
            yield fault(page.path, line, "authoring.prose.glue_missing", name=use)


def _glued_twice(page: Page, glued: list[Named]):
    seen: dict[str, int] = {}
    for name in glued:
        if name.text in seen:
            yield fault(page.path, name.line, "authoring.prose.glue_twice", name=name.text, line=seen[name.text])
        seen.setdefault(name.text, name.line)
