"""Everything an author is told about the sources, at once; and the command ``ffnbook parity``."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import typer

from ffnbook.messages import LANGUAGES, t
from ffnbook.site.authoring import agreement, bibliography, catalogues, contents, exercise_files, figure_files, links, parity, prose
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.authoring.pairs import Pair, missing_faults, pairs, text_of
from ffnbook.site.reading.pages import Page, read

ROOT = Path(__file__).resolve().parents[3]
CONFLICT = re.compile(r"^(?:<{7}|>{7}) \S", re.M)
Pages = dict[str, dict[str, Page]]  # by pair, by language


def check_all(root: Path) -> list[Fault]:
    """Every fault of the book's sources under ``root``, sorted by file and line."""
    known, unreadable = readable(root)
    messages, found = catalogues.load(root)
    pages = read_pages(root, known)
    found += unreadable + in_step(root, known, pages) + exercise_files.check(root) + figure_files.check(root)
    found += [f for twins in pages.values() for lang, page in twins.items() for f in prose.check(page, messages[lang])]
    found += bibliography.check(root, [page for twins in pages.values() for page in twins.values()])
    for lang in LANGUAGES:
        found += links.check([twins[lang] for twins in pages.values() if lang in twins])
    if not unreadable:
        found += contents.check(root, {page.name for twins in pages.values() for page in twins.values()}, messages[LANGUAGES[0]])
        found += agreement.check(root, known)
    return sorted(set(found))


def in_step(root: Path, known: dict[str, Pair], pages: Pages) -> list[Fault]:
    """Where the pages of the two languages differ in what must be the same, or one is missing."""
    both = [tuple(twins[lang] for lang in LANGUAGES) for twins in pages.values() if len(twins) == len(LANGUAGES)]
    return missing_faults(root, known) + [f for one, two in both for f in parity.check(one, two)]


def readable(root: Path) -> tuple[dict[str, Pair], list[Fault]]:
    """The pairs whose files can be read as what they are, and a fault for each file that cannot: not UTF-8, left in a merge conflict, or a page in a folder."""
    known, found = pairs(root), []
    for name, pair in list(known.items()):
        if wrong := [each for path in pair.files.values() if path.is_file() for each in _unreadable(name, path, root)]:
            found += wrong
            del known[name]
    return known, found


def _unreadable(name: str, path: Path, root: Path):
    """What keeps a file of the pair ``name`` from being read as what it is."""
    shown = path.relative_to(root).as_posix()
    try:
        text = text_of(path)
    except UnicodeDecodeError as error:
        yield fault(shown, 1, "authoring.encoding", error=error)
        return
    if marked := CONFLICT.search(text):
        yield fault(shown, text.count("\n", 0, marked.start()) + 1, "authoring.conflict")
    if name.startswith("book/") and name.count("/") > 1:
        yield fault(shown, 1, "authoring.contents.folder")


def read_pages(root: Path, known: dict[str, Pair]) -> Pages:
    """The pages of the book, each in the languages that it has."""
    return {
        name: {
            lang: read(path, root, name.removeprefix("book/").removesuffix(".md"), lang)
            for lang, path in pair.files.items()
            if path.is_file()
        }
        for name, pair in known.items()
        if name.startswith("book/")
    }


def run(argv: list[str], root: Path = ROOT) -> int:
    """``ffnbook parity [--agree [PAGE…]]``; the exit status."""
    parser = argparse.ArgumentParser("ffnbook parity", description=t("authoring.command.about"))
    parser.add_argument("--agree", nargs="*", metavar="PAGE", help=t("authoring.command.agree"))
    chosen = parser.parse_args(argv).agree
    if chosen is not None:
        return _agree(root, chosen)
    found = check_all(root)
    for each in found:
        typer.echo(str(each), err=True)
    typer.echo(t("authoring.command.faults", count=len(found)) if found else t("authoring.command.fine"), err=bool(found))
    return 1 if found else 0


def _agree(root: Path, asked: list[str]) -> int:
    """Agree the pairs asked for, or all; none of them while its files differ in what must be the same."""
    known, unreadable = readable(root)
    every = list(dict.fromkeys([*known, *agreement.recorded(root)]))
    try:
        names = [agreement.find(name, every) for name in asked] or every
    except ValueError as error:
        typer.echo(str(error), err=True)
        return 2
    found = unreadable + in_step(root, known, read_pages(root, known)) + catalogues.load(root)[1]
    held = {name: [f for f in found if f.path in _paths(root, known.get(name))] for name in names}
    for name in agreement.agree(root, known, [name for name in names if not held[name]]):
        typer.echo(t("authoring.command.agreed", name=name))
    refused = sorted({f for faults in held.values() for f in faults} | set(unreadable))
    for each in refused:
        typer.echo(str(each), err=True)
    if refused:
        typer.echo(t("authoring.command.refused"), err=True)
    return 1 if refused else 0


def _paths(root: Path, pair: Pair | None) -> set[str]:
    return {path.relative_to(root).as_posix() for path in pair.files.values()} if pair else set()
