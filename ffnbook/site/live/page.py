"""“Run this page”, as a page has it: one button, numbered cells, and their code beside the page.

The code (that of cells the page does not show, too) waits in ``<lang>/_live/<page>.json``.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.errors import ExtensionError

from ffnbook.messages import t
from ffnbook.site import address, live
from ffnbook.site.live import browser_python
from ffnbook.site.reading import imports, pages

EXERCISES = Path(__file__).parents[3] / "exercises" / "source"
CHECKED = re.compile(r"""\bcheck\(["']([\w-]+)""")
WAYS = ("pyodide", "binder", "server")


def setup(app):
    app.add_config_value("ffnbook_live", "", "html")
    app.connect("config-inited", state, priority=200)
    app.connect("source-read", remember)
    app.connect("env-purge-doc", forget)
    app.connect("build-finished", remove_gone)
    if live.wanted():
        app.connect("doctree-resolved", number_cells)
        app.connect("html-page-context", offer)


def state(app, config) -> None:
    """Pages are written again when what they offer changes."""
    config.ffnbook_live = f"{live.wanted()} {address.repository()}"


@dataclass(frozen=True)
class Runnable:
    """What there is to run on a page: its cells, which of them it shows, and where its front matter says they may run.

    A cell that only shows the book's own solution is None: there is nothing in it for the reader to run.
    """

    cells: list[str | None]
    shown: list[bool]
    run: list[str]


def remember(app, docname: str, source: list[str]) -> None:
    """Keep what there is to run beside what else Sphinx keeps of the page."""
    if not hasattr(app.env, "ffnbook_runnable"):
        app.env.ffnbook_runnable = {}
    if app.env.doc2path(docname).endswith(".md"):
        page = pages.parse(source[0], "", docname, "")
        shown = ["remove-cell" not in cell.tags for cell in page.cells]
        cells = [None if {"solution", "remove-input"} <= set(cell.tags) else cell.source for cell in page.cells]
        app.env.ffnbook_runnable[docname] = Runnable(cells, shown, page.front.get("run", []))


def forget(app, env, docname: str) -> None:
    getattr(env, "ffnbook_runnable", {}).pop(docname, None)


def remove_gone(app, exception) -> None:
    """No code is left beside a page that offers to run none."""
    offered = {name for name, page in getattr(app.env, "ffnbook_runnable", {}).items() if any(page.cells)} if live.wanted() else ()
    for path in Path(app.outdir, "_live").glob("*.json"):
        if path.stem not in offered:
            path.unlink()


def number_cells(app, doctree, docname: str) -> None:
    """Give each cell that the page shows its place among all its cells, as a class ``cell-7``."""
    page = app.env.ffnbook_runnable.get(docname, Runnable([], [], []))
    shown = [n for n in doctree.findall(nodes.container) if n.get("nb_element") == "cell_code"]
    places = [place for place, is_shown in enumerate(page.shown) if is_shown]
    if len(shown) != len(places):
        raise ExtensionError(t("live.vendor.cells_differ", page=docname, shown=len(shown), written=len(places)))
    for node, place in zip(shown, places, strict=True):
        node["classes"].append(f"cell-{place}")


def offer(app, pagename, template, context, doctree) -> None:
    """Tell the template which ways of running the page to offer, and leave the page's code beside it."""
    page = app.env.ffnbook_runnable.get(pagename) if doctree is not None else None
    if not page or not any(page.cells):
        return
    lang = app.config.ffnbook_language
    context["live"] = {
        "ways": " ".join(ways(page.run)), "root": "../" * (1 + pagename.count("/")),
        "page": pagename, "label": t("live.open", lang=lang), "failed": t("live.open_failed", lang=lang),
    }  # fmt: skip
    target = Path(app.outdir, "_live", f"{pagename}.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    code = "\n".join(filter(None, page.cells))
    target.write_text(json.dumps({"cells": page.cells, "packages": packages(code)}, ensure_ascii=False), encoding="utf-8")


def ways(asked: list[str]) -> list[str]:
    """Those of the front matter that can be had, and the reader's own server, always."""
    possible = {*asked, "server"} - (set() if address.repository() else {"binder"})
    return [way for way in WAYS if way in possible]


def packages(code: str) -> list[str]:
    """What the code, all of ours that it imports, and the tests of its exercises, import of others; and ``ffnbook``."""
    named = imports.names_in(code)
    files = imports.closure(named)
    for exercise in CHECKED.findall(code):
        files |= set(EXERCISES.glob(f"*/{exercise}/tests.py"))
    found = {name.split(".")[0] for name in named.union(*map(imports.names_in_file, files))}
    return sorted({"ffnbook", *found & set(browser_python.OURS_NEED)})
