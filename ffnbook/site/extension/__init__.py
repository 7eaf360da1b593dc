"""The Sphinx extension of the book: each part sets itself up."""

from importlib import import_module

PARTS = (
    "unfinished", "language", "kernels", "execution", "failures", "headings", "directives", "citations",
    "mathml", "notebook_html", "questions", "theme", "actions", "shown", "widget_ids",
)  # fmt: skip
OUTSIDE = ("ffnbook.site.reading.imports", "ffnbook.site.takeaway.notebooks", "ffnbook.site.live.page")


def setup(app):
    for part in (*OUTSIDE, *(f"{__name__}.{name}" for name in PARTS)):
        import_module(part).setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
