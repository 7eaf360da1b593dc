"""Each page with cells as a notebook to take away: ``/es/notebooks/NAME.ipynb``.

The cells are the page's own.  The words around them are plain Markdown, with the values
the build computed; a solution is a fold to read, after an empty cell for the reader's own.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import nbformat

from ffnbook.exercises import notebooks as learner_notebooks
from ffnbook.messages import LANGUAGES, t
from ffnbook.site import address
from ffnbook.site.reading import anchors, glued
from ffnbook.site.reading.anchors import Book
from ffnbook.site.reading.pages import Page
from ffnbook.site.takeaway.exercise_markdown import answer_cell, solution_source
from ffnbook.site.takeaway.plain_markdown import Piece, Writer, with_code

FOLDER = "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MACHINERY = frozenset(["remove-cell", "remove-input", "hide-input", "hide-cell"])


def setup(app):
    app.connect("builder-inited", open_book)
    app.connect("build-finished", write_to_site)


def open_book(app) -> None:
    app.ffnbook_book = anchors.book(Path(app.srcdir).parents[1], app.config.ffnbook_language)


def write_to_site(app, exception) -> None:
    """Write the notebooks of a finished build, and the chapters' exercise notebooks, beside its pages."""
    if exception or app._warncount or app.builder.name != "html":
        return  # what is wrong has been said, and would make this fail for the same reason, less clearly said
    book = app.ffnbook_book
    ran, target = Path(app.outdir).parent / "jupyter_execute", Path(app.outdir) / FOLDER
    shutil.rmtree(target, ignore_errors=True)
    for page in with_cells(book):
        if page.name in app.env.found_docs:
            write(target, page.name, export(page, book, glued.executed(ran / f"{page.name}.glue.json")))
    copy_exercises(book, target)


def write_without_sphinx(root: Path, lang: str, target: Path) -> None:
    """The same notebooks where there is no build: the pages are run for the values in their prose."""
    book = anchors.book(root, lang)
    values = glued.run_all(with_cells(book))
    for page in with_cells(book):
        write(target, page.name, export(page, book, values[page.name]))
    copy_exercises(book, target)


def with_cells(book: Book) -> list[Page]:
    """The pages one can run: with cells, and ``run`` in the front matter (a page may have cells for a table alone)."""
    return [page for page in book.pages.values() if page.cells and page.front.get("run")]


def exercises(book: Book) -> list[Path]:
    """The learner's notebooks of this language, one a chapter."""
    return sorted((book.root / "exercises" / book.lang).glob("*.ipynb"))


def copy_exercises(book: Book, target: Path) -> None:
    """The exercise notebooks; where the repository is known, they install from it."""
    (target / "exercises").mkdir(parents=True, exist_ok=True)
    for path in exercises(book):
        shutil.copyfile(path, target / "exercises" / path.name)
        if name := address.repository():
            text = learner_notebooks.text(path.stem, book.lang, name, book.root)
            (target / "exercises" / path.name).write_text(text, encoding="utf-8")


def write(folder: Path, name: str, notebook) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.ipynb").write_text(nbformat.v4.writes(notebook) + "\n", encoding="utf-8")


def export(page: Page, book: Book, values: dict[str, str]) -> nbformat.NotebookNode:
    """The page as a valid notebook without outputs."""
    title, *pieces = Writer(page, book, values).pieces()
    opening = [
        Piece("text", "about", f"{title.text}\n\n{about(page, book)}"),
        Piece("code", "setup", setup_code(page), ("hide-input",)),
    ]
    cells = numbered([*opening, *unsolved(pieces, page.lang)])
    notebook = nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": METADATA, "cells": cells})
    nbformat.validate(notebook)
    return notebook


def about(page: Page, book: Book) -> str:
    """What this notebook is, and where its page is read."""
    title, url = page.headings[0].text, book.url(page.name)
    where = f"[{title}]({url})" if url else f"**{title}**"
    return t("running.notebook.about", page.lang, page=where, book=t("ui.title", page.lang))


def setup_code(page: Page) -> str:
    """The cell that installs the book's library, only where it is missing."""
    comment = t("running.notebook.setup", page.lang)
    if name := address.repository():
        extra = "[torch]" if any("torch" in cell.source for cell in page.cells) else ""
        remedy = f'%pip install -q "ffnbook{extra} @ git+https://github.com/{name}"'
    else:
        remedy = f"raise ModuleNotFoundError({t('running.notebook.missing', page.lang)!r})"
    return f'# {comment}\nimport importlib.util\n\nif importlib.util.find_spec("ffnbook") is None:\n    {remedy}'


def unsolved(pieces: list[Piece], lang: str) -> list[Piece]:
    """Solutions go into the fold above them as text; before the fold comes a cell for the reader's own, if none is there.

    A hidden cell after a solution prepared the numbers of its text, which are in place: it is left out.
    """
    done: list[Piece] = []
    for piece in pieces:
        after_solution = bool(done) and "solution" in done[-1].tags
        if after_solution and "remove-cell" in piece.tags:
            continue
        if "solution" not in piece.tags:
            done.append(piece)
            continue
        fold = done[-1]
        if "solution" not in fold.tags and not any(above.kind == "code" for above in done[-2:-1]):
            done.insert(-1, Piece("code", fold.section, answer_cell(piece.text, lang)))
        done[-1] = Piece("folded", fold.section, with_code(fold.text, solution_source(piece.text)), ("solution",))
    return done


def numbered(pieces: list[Piece]) -> list[dict]:
    """Cells whose ids are the section's and their place in it: the same in both languages and from build to build."""
    count: dict[str, int] = {}
    cells = []
    for piece in pieces:
        count[piece.section] = count.get(piece.section, 0) + 1
        identity = f"{piece.section[:60]}-{count[piece.section]}"
        cells.append(cell(piece, identity))
    return cells


def cell(piece: Piece, identity: str) -> dict:
    if piece.kind != "code":
        return {"cell_type": "markdown", "id": identity, "metadata": {}, "source": piece.text}
    tags = list(piece.tags)
    folded = {"jupyter": {"source_hidden": True}, "cellView": "form"} if MACHINERY & set(tags) else {}
    metadata = {**({"tags": tags} if tags else {}), **folded}
    return {"cell_type": "code", "id": identity, "metadata": metadata, "source": piece.text, "outputs": [], "execution_count": None}


def main(target: str) -> None:
    """Write the notebooks of both languages below ``target``."""
    for lang in LANGUAGES:
        write_without_sphinx(Path.cwd(), lang, Path(target, lang))


if __name__ == "__main__":
    main(*sys.argv[1:])
