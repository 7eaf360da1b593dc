"""Code cells on the page: folds in the page's language, no tooltips in another one."""

from __future__ import annotations

import html

from myst_nb.sphinx_ import HideCodeCellNode

from ffnbook.messages import t


def setup(app):
    app.connect("builder-inited", replace_fold)


def replace_fold(app) -> None:
    app.add_node(HideCodeCellNode, override=True, html=(visit_fold, depart_fold))


def visit_fold(self, node) -> None:
    """A native fold; myst-nb's own carries an English aria-label."""
    show, hide = (html.escape(t(f"ui.code.{k}", lang=self.config.ffnbook_language)) for k in ("show", "hide"))
    self.body.append(
        f'<details class="code-fold"><summary><span class="when-closed">{show}</span>'
        f'<span class="when-open">{hide}</span></summary>'
    )


def depart_fold(self, node) -> None:
    self.body.append("</details>\n")
