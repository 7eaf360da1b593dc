"""Figures of the chapter exact-form: what shape each piece has and where it sits."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from ffnbook.figures.style import PALETTE, SOFT, WIDTH, arrow, canvas, label_line, panels, styled
from ffnbook.messages import t
from ffnbook.numbers import num

STRIP = 0.3  # how wide a vector is drawn, in units of d_model
GAP = 0.6
ROOM = 0.78  # what a bias or the activation adds to the gap it is written over


@styled
def shapes(d_model: int = 64, d_ff: int = 256) -> Figure:
    """Every piece of the FFN drawn to scale, in the order the data meet them."""
    m = d_ff / d_model
    pieces = [  # name, width, height, size written above it, colour
        ("x", STRIP, 1, num(d_model), "rest"),
        ("W₁", 1, m, f"{num(d_ff)} × {num(d_model)}", "ffn"),
        ("z", STRIP, m, num(d_ff), "rest"),
        ("h", STRIP, m, num(d_ff), "rest"),
        ("W₂", m, 1, f"{num(d_model)} × {num(d_ff)}", "ffn"),
        ("y", STRIP, 1, num(d_model), "rest"),
    ]
    steps = ["", "+ b₁", "σ", "", "+ b₂"]  # what happens on the way to the next piece
    width = sum(piece[1] for piece in pieces) + GAP * 6 + ROOM * sum(map(bool, steps))
    figure, ax = canvas(WIDTH * (m + 1.4) / width, width, m + 1.4)
    middle = (m + 1.4) / 2 - 0.05
    left = GAP / 2
    for number, (name, wide, high, size, color) in enumerate(pieces):
        _box(ax, left, middle - high / 2, wide, high, color)
        _name_piece(ax, name, size, left + wide / 2, middle, high, wide)
        left += wide
        if number < len(steps):
            gap = GAP + ROOM * bool(steps[number])
            arrow(ax, (left + 0.08, middle), (left + gap - 0.08, middle))
            ax.text(left + gap / 2, middle + 0.2, steps[number], ha="center", va="bottom")
            left += gap
    return figure


def _name_piece(ax: Axes, name: str, size: str, x: float, middle: float, high: float, wide: float) -> None:
    """Its size above it; its name inside when there is room, else below."""
    ax.text(x, middle + high / 2 + 0.15, size, ha="center", va="bottom", color=PALETTE["muted"])
    inside = wide >= 1
    y = middle if inside else middle - high / 2 - 0.15
    ax.text(x, y, name, ha="center", va="center" if inside else "top", fontweight="bold")


def _box(ax: Axes, x: float, y: float, wide: float, high: float, color: str, fill: float = SOFT) -> None:
    ax.add_patch(Rectangle((x, y), wide, high, facecolor=PALETTE[color], alpha=fill, linewidth=0))
    ax.add_patch(Rectangle((x, y), wide, high, fill=False, edgecolor=PALETTE[color], linewidth=1.2))


@styled
def rows_and_columns() -> Figure:
    """The same product twice: one token as a column, three tokens as rows."""
    figure, ax = canvas(3.9, 12, 7.8)
    top = 3.2  # the column picture: W1 (4 x 1) times x (1) gives z (4)
    _box(ax, 0.9, top, 1, 4, "ffn")
    _box(ax, 2.5, top + 3, STRIP, 1, "rest", 0.45)
    _box(ax, 3.9, top, STRIP, 4, "rest", 0.45)
    _caption(ax, [("W₁", 1.4), ("x", 2.65), ("=", 3.3), ("z", 4.05)], top + 4.12)
    ax.text(5.1, top + 2.2, t("figures.ffn_shapes.rows_and_columns.column"), va="center", linespacing=1.4)
    for token, fill in enumerate((SOFT, 0.45, SOFT)):  # the row picture: X (3 x 1) times W1.T (1 x 4)
        _box(ax, 0.9, 1.5 - STRIP * token, 1, STRIP, "rest", fill)
        _box(ax, 8, 1.5 - STRIP * token, 4 - 0.1, STRIP, "rest", fill)
    _box(ax, 2.5, 0.85, 4, 1, "ffn")
    _caption(ax, [("X", 1.4), ("W₁ᵀ", 4.5), ("=", 7.2), ("Z", 9.95)], 1.95)
    ax.text(0.9, 0.35, t("figures.ffn_shapes.rows_and_columns.row"), va="center")
    return figure


def _caption(ax: Axes, names: list[tuple[str, float]], y: float) -> None:
    for name, x in names:
        ax.text(x, y, name, ha="center", va="bottom", fontweight="bold")


@styled
def journey(x: np.ndarray, z: np.ndarray, h: np.ndarray, y: np.ndarray) -> Figure:
    """One token's numbers at the four stations, each drawn at its place along the same axis."""
    figure, axes = panels(5.2, rows=4, sharex=True)
    stations = [("x", x, "rest"), ("z", z, "ffn"), ("h", h, "ffn"), ("y", y, "rest")]
    for ax, (name, values, color) in zip(axes, stations, strict=True):
        _bars(ax, values, color)
        text = t(f"figures.ffn_shapes.journey.{name}", n=num(len(values)))
        ax.text(0, 1.0, text, transform=ax.transAxes, color=PALETTE[color], va="bottom", fontweight="bold")
    axes[-1].set_xlabel(t("figures.ffn_shapes.journey.axis"))
    axes[-1].set_xlim(-1, len(z) + 1)
    return figure


def _bars(ax: Axes, values: np.ndarray, color: str) -> None:
    """Bars as one step curve: a quarter of the size of separate rectangles."""
    ax.fill_between(np.arange(len(values) + 1), np.append(values, values[-1]), step="post", color=PALETTE[color], linewidth=0)
    ax.axhline(0, color=PALETTE["line"], linewidth=0.8, zorder=0)
    ax.set_yticks([0])
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.tick_params(length=0)


@styled
def same_weights(tokens: int = 4, layers: int = 3) -> Figure:
    """A grid of FFNs: one set of weights along each row, another in the next row."""
    figure, ax = canvas(3.2, 12, 7.1)
    words = t("figures.ffn_shapes.same_weights.tokens").split()
    for layer in range(layers):
        y = 1.15 + 2.0 * layer
        band = FancyBboxPatch((0.4, y), 11.2, 1, boxstyle="round,pad=0.15", facecolor=PALETTE["ffn"], alpha=SOFT, linewidth=0)
        ax.add_patch(band)
        ax.text(0.3, y + 1.3, t("figures.ffn_shapes.same_weights.layer", n=layer + 1), va="bottom")
        label_line(ax, 11.7, y + 1.3, t("figures.ffn_shapes.same_weights.weights", n=layer + 1), "ffn", ha="right", va="bottom")
        for token in range(tokens):
            _box(ax, 0.65 + 2.8 * token, y + 0.1, 2.3, 0.8, "ffn", 0)
            ax.text(1.8 + 2.8 * token, y + 0.5, "FFN", ha="center", va="center")
    for token, word in enumerate(words):
        ax.text(1.8 + 2.8 * token, 0.3, word, ha="center", va="center", style="italic")
        arrow(ax, (1.8 + 2.8 * token, 0.6), (1.8 + 2.8 * token, 0.98))
    return figure


@styled
def block() -> Figure:
    """A pre-norm block: two branches read the residual stream and add to it."""
    figure, ax = canvas(2.3, 12, 5.1)
    stream = 1.15
    arrow(ax, (0.15, stream), (11.85, stream))
    ax.text(0.15, stream - 0.4, t("figures.ffn_shapes.block.stream"), va="top", color=PALETTE["muted"])
    for left, kind in ((0.2, "attention"), (6.4, "ffn")):
        _branch(ax, left, stream, kind)
    return figure


def _branch(ax: Axes, left: float, stream: float, kind: str) -> None:
    """A bridge over the stream: up through the norm, across the sublayer, down through dropout to a sum."""
    low, high, tall = stream + 0.95, stream + 2.75, 0.95
    up, down = left + 0.9, left + 4.15
    for part, x, y, wide in (("norm", up, low, 1.8), (kind, left + 2.7, high, 5.4), ("dropout", down, low, 2.5)):
        color = kind if part == kind else "rest"
        _box(ax, x - wide / 2, y, wide, tall, color)
        text = t(f"figures.ffn_shapes.block.{part}")
        ax.text(x, y + tall / 2, text, ha="center", va="center", fontweight="bold" if part == kind else "normal")
    for x, start, end in ((up, stream, low), (up, low + tall, high), (down, high, low + tall), (down, low, stream + 0.36)):
        arrow(ax, (x, start), (x, end))
    ring = {"boxstyle": "circle,pad=0.12", "facecolor": PALETTE["bg"], "edgecolor": PALETTE["muted"]}
    ax.text(down, stream, "+", ha="center", va="center", fontweight="bold", bbox=ring)
