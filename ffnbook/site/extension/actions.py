"""The row under a page's title: run it here, take it away, open it elsewhere."""

from __future__ import annotations

from urllib.parse import quote

from ffnbook.messages import catalogue
from ffnbook.site import address
from ffnbook.site.reading.anchors import Book
from ffnbook.site.takeaway import notebooks

HELP = "how-to-run"
# HEAD is whatever the repository calls its main branch; CI writes the other one.
BINDER = "https://mybinder.org/v2/gh/{repository}/HEAD?urlpath={path}"
COLAB = "https://colab.research.google.com/github/{repository}/blob/notebooks/{path}"


def setup(app):
    app.connect("html-page-context", add, priority=950)


def add(app, pagename, template, context, doctree) -> None:
    """Give the template ``actions``: None for a page that is not run."""
    context["actions"] = actions(app.ffnbook_book, pagename) if doctree is not None else None


def actions(book: Book, name: str) -> dict | None:
    page = book.pages.get(name)
    if page is None or not page.cells or not page.front.get("run"):
        return None
    exercises = name in {path.stem for path in notebooks.exercises(book)}
    return {
        "words": catalogue("running.actions", book.lang),
        "notebook": f"{notebooks.FOLDER}/{name}.ipynb",
        "exercises": f"{notebooks.FOLDER}/exercises/{name}.ipynb" if exercises else None,
        "file": f"{name}-{book.lang}",
        "help": HELP if HELP in book.pages else None,
        "binder": binder(book.lang, name),
        "binder_exercises": binder(book.lang, f"exercises/{name}") if exercises else None,
        "colab": colab(book.lang, name),
    }


def binder(lang: str, name: str) -> str | None:
    """JupyterLab on Binder with this very page open."""
    path = quote(f"lab/tree/{notebooks.FOLDER}/{lang}/{name}.ipynb", safe="")
    return BINDER.format(repository=address.repository(), path=path) if address.repository() else None


def colab(lang: str, name: str) -> str | None:
    return COLAB.format(repository=address.repository(), path=f"{lang}/{name}.ipynb") if address.repository() else None
