"""The look every figure shares: colours, type sizes, ticks in the reader's language.

Colours are those of the light theme; the exporter swaps each hex in ``PALETTE`` for the
CSS variable of the same name, so that one SVG serves both themes.  A figure is laid out
for a phone, where a column of 283–338 px makes its text 10–12 px high.  On wider screens
the page draws the text, and only the text, smaller (``--figure-text``, see svg.py): what has
room on a phone has room everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

from ffnbook import messages
from ffnbook.numbers import num

PALETTE = {
    "attention": "#0b5cad",
    "ffn": "#b04008",
    "embeddings": "#1f7a4d",
    "rest": "#5b6470",
    "relu": "#3d4756",
    "gelu": "#7b2d8e",
    "silu": "#00696e",
    "fg": "#1b2026",
    "muted": "#59626d",
    "line": "#d5dae0",
    "bg": "#ffffff",
}
DASHED = (0, (5, 2.5))  # a variant of a curve: GELU's tanh form, Swish with another beta
WIDTH = 5.4  # inches, 389 points
TEXT = 14  # points: 10.2 px in the column of a phone 320 px wide, 12.2 px in one of 375
SOFT = 0.14  # opacity of a filled shape that carries text

RC = {
    "svg.fonttype": "none",
    "svg.hashsalt": "ffnbook",
    "font.family": "sans-serif",
    "font.size": TEXT,
    "axes.labelsize": TEXT,
    "axes.titlesize": TEXT,
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "figure.constrained_layout.w_pad": 0.09,  # room for a font wider than matplotlib's own
    "figure.constrained_layout.h_pad": 0.06,
    "text.color": PALETTE["fg"],
    "axes.labelcolor": PALETTE["muted"],
    "axes.titlecolor": PALETTE["muted"],
    "axes.edgecolor": PALETTE["muted"],
    "xtick.color": PALETTE["muted"],
    "ytick.color": PALETTE["muted"],
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "xtick.major.pad": 5,
    "xtick.major.width": 0.8,
    "ytick.major.width": 0.8,
    "lines.linewidth": 2.0,
    "lines.solid_capstyle": "round",
    "path.simplify": True,
    "path.simplify_threshold": 0.2,
}


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw with the shared look, leaving the reader's own settings alone."""

    @wraps(draw)
    def in_style(*args: object, **kwargs: object) -> Figure:
        with matplotlib.rc_context(RC):
            return draw(*args, **kwargs)

    return in_style


def panels(height: float, rows: int = 1, **options: object) -> tuple[Figure, list[Axes]]:
    """A figure of the shared width with ``rows`` panels, one above the other."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots(rows, 1, squeeze=False, **options)
    return figure, list(axes[:, 0])


def canvas(height: float, width_units: float, height_units: float) -> tuple[Figure, Axes]:
    """An empty drawing area without axes, for diagrams; one unit is equal both ways."""
    figure = Figure(figsize=(WIDTH, height))
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width_units), ylim=(0, height_units), aspect="equal")
    ax.axis("off")
    return figure, ax


def name_axes(ax: Axes, x: str, y: str) -> None:
    """Name both axes; the vertical one above it, lying down: no head to tilt, no width lost."""
    ax.set_xlabel(x)
    ax.set_title(y)


def localise_ticks(ax: Axes, x_step: float | None = None, y_step: float | None = None) -> None:
    """Write tick numbers as the page's language does, at the steps given."""
    for axis, step in ((ax.xaxis, x_step), (ax.yaxis, y_step)):
        if step is not None:
            axis.set_major_locator(MultipleLocator(step))
        # The text is fixed now: drawn later, it could meet another current language.
        axis.set_major_formatter(FuncFormatter(_tick_writer()))


def _tick_writer() -> Callable[[float, int], str]:
    lang = messages.current()
    return lambda value, _position: num(round(value, 9) + 0.0, lang=lang)


def label_line(ax: Axes, x: float, y: float, text: str, color: str, **options: object) -> None:
    """Name a curve beside it, in its own colour, instead of in a legend."""
    settings = {"ha": "left", "va": "center", "fontweight": "bold"} | options
    ax.text(x, y, text, color=PALETTE.get(color, color), **settings)


def zero_lines(ax: Axes) -> None:
    """Thin lines through the origin, behind the curves."""
    for draw in (ax.axhline, ax.axvline):
        draw(0, color=PALETTE["line"], linewidth=0.8, zorder=0)


def arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], color: str = "muted") -> None:
    """A thin arrow between two points in data coordinates."""
    look = {"arrowstyle": "-|>", "color": PALETTE[color], "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", xy=end, xytext=start, arrowprops=look)
