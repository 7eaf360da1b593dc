"""What a page of the book imports: its language, its numbers, its figures, its widgets.

    from ffnbook import lesson; lesson.start("en")

Everything after that first cell is the same code in both languages.
"""

from __future__ import annotations

import html
import os
import sys

from ffnbook import messages
from ffnbook.messages import t
from ffnbook.numbers import num

__all__ = ["glue", "num", "show", "start", "t", "table", "widget"]

GLUED: dict[str, str] = {}  # what glue() kept since start(), for whoever runs a page without Sphinx


def start(lang: str) -> None:
    """Set the page's language; texts, numbers and figures follow it."""
    messages.set_language(lang)
    GLUED.clear()
    if "google.colab" in sys.modules:  # Colab draws only its own widgets until told otherwise
        from google.colab import output

        output.enable_custom_widget_manager()


def building() -> bool:
    """Whether the book is being built (and not the page run by a reader)."""
    return os.environ.get("FFNBOOK_BUILD") == "1"


def glue(name: str, value: object, decimals: int | None = None, **style: object) -> None:
    """Keep ``value``, written for the page's language, for ``{glue:text}`name``` in the prose.

    Numbers are formatted by :func:`num` (``decimals``, ``sig``, ``sci``, ``percent``).
    """
    text = GLUED[name] = value if isinstance(value, str) else num(value, decimals, **style)
    if building():
        from myst_nb import glue as keep

        keep(name, text, display=False)


def show(fig, name: str, **values: object) -> None:
    """Show a matplotlib figure; its alt text (and caption) are the messages ``name.alt``, ``name.caption``."""
    from ffnbook.figures.svg import to_svg

    words = messages.catalogue(name)
    svg = to_svg(fig, name=name, alt=t(f"{name}.alt", **values))
    caption = f"<figcaption>{html.escape(t(f'{name}.caption', **values))}</figcaption>" if "caption" in words else ""
    # Ink that is drawn for the page needs the page's paper, also in a notebook with a dark theme.
    _display(f'<figure class="plot" style="background:var(--bg,#fff);color:var(--fg,#1b2026)">{svg}{caption}</figure>')


def table(headers: list[str], rows: list[list[object]], caption: str = "", words: bool = False) -> None:
    """Show a table: the first column heads its row, numbers are written for the language; ``words`` for one of sentences."""
    head = "".join(f'<th scope="col">{html.escape(h)}</th>' for h in headers)
    body = "".join(f"<tr>{_row(row)}</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    _display(f'<div class="table{" words" if words else ""}"><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')


def _row(cells: list[object]) -> str:
    first, *rest = (c if isinstance(c, str) else num(c) for c in cells)
    return f'<th scope="row">{html.escape(first)}</th>' + "".join(f"<td>{html.escape(c)}</td>" for c in rest)


def widget(control) -> None:
    """Show a widget; on the built page with what to read until (or where) it cannot be drawn."""
    from IPython.display import display

    if building():
        _display(f'<div class="ffn-fallback">{control.fallback_html()}</div>')
    display(control)


def _display(markup: str) -> None:
    from IPython.display import HTML, display

    display(HTML(markup))
