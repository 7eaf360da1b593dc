"""Figures of the chapter width-and-parameters: how the count grows, what it buys, whose it is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ffnbook.figures.style import DASHED, PALETTE, SOFT, label_line, localise_ticks, name_axes, panels, styled
from ffnbook.messages import t
from ffnbook.numbers import num
from ffnbook.parameters import ModelConfig, count, crossover_length, ffn_flops, projection_flops, score_flops

PARTS = ("ffn", "attention", "embeddings", "norms")
COLOURS = {"ffn": "ffn", "attention": "attention", "embeddings": "embeddings", "norms": "rest"}
TWO_THIRDS = 2 / 3
DOTTED = (0, (2, 2))


@styled
def growth(times: Sequence[float], by_factor: Sequence[float], by_width: Sequence[float]) -> Figure:
    """Parameters of one FFN when its factor, or its d_model, is made ``times`` as large."""
    figure, (ax,) = panels(4.0)
    for values, color, dash in ((by_factor, "ffn", "-"), (by_width, "rest", DASHED)):
        ax.plot(times, np.asarray(values) / 1000, color=PALETTE[color], linestyle=dash)
    label_line(ax, times[-1], by_factor[-1] / 1000 - 45, t("figures_width.growth.factor"), "ffn", ha="right", va="top")
    label_line(ax, times[-4] - 0.06, by_width[-4] / 1000 + 8, t("figures_width.growth.width"), "rest", ha="right", va="bottom")
    ax.plot(times[0], by_factor[0] / 1000, "o", color=PALETTE["fg"], markersize=5)
    ax.set(ylim=(0, None))
    name_axes(ax, t("figures_width.growth.times"), t("figures_width.growth.thousands"))
    localise_ticks(ax, x_step=1, y_step=100)
    return figure


@styled
def ablation(factor: Sequence[float], low: Sequence[float], high: Sequence[float], usual: float = 4) -> Figure:
    """Loss above the best shape, in per cent, against the expansion factor at equal size."""
    figure, (ax,) = panels(3.9)
    middle = (np.asarray(low) + np.asarray(high)) / 2
    ax.errorbar(factor, middle, (np.asarray(high) - low) / 2, color=PALETTE["ffn"], marker="o", markersize=4, capsize=5)
    ax.axvspan(1, usual, color=PALETTE["rest"], alpha=SOFT, linewidth=0)
    ax.text(2, 3, t("figures_width.ablation.flat"), ha="center", va="center", color=PALETTE["muted"])
    ax.annotate(
        t("figures_width.ablation.usual"), (usual, middle[list(factor).index(usual)]), (4.6, 7), ha="left", va="center",
        arrowprops={"arrowstyle": "-|>", "color": PALETTE["muted"]},
    )
    ax.set_xscale("log", base=2)
    ax.set(ylim=(-0.3, 9))
    name_axes(ax, t("figures_width.ablation.factor"), t("figures_width.ablation.loss"))
    ax.set_xticks(list(factor), [num(f) for f in factor])
    ax.minorticks_off()
    localise_y(ax, 2)
    return figure


def localise_y(ax: Axes, step: float) -> None:
    """Numbers of the vertical axis only; the horizontal ones are already written."""
    labels = ax.get_xticks(), [text.get_text() for text in ax.get_xticklabels()]
    localise_ticks(ax, y_step=step)
    ax.set_xticks(*labels)


@styled
def split(models: Sequence[ModelConfig]) -> Figure:
    """One bar per model, its name above it: its parameters, all of them, part by part."""
    figure, (ax,) = panels(0.62 * len(models) + 0.95)
    _key(ax, -1.25)
    for row, model in enumerate(models):
        ax.text(0, row - 0.3, model.name, va="bottom")
        _bar(ax, row, model)
    ax.plot([100 * TWO_THIRDS] * 2, [-0.42, len(models) - 0.5], color=PALETTE["fg"], linewidth=1, linestyle=DOTTED)
    ax.text(100 * TWO_THIRDS, len(models) - 0.45, t("figures_width.split.two_thirds"), ha="center", va="top")
    ax.set(xlim=(0, 100), ylim=(len(models) + 0.05, -1.65))
    ax.axis("off")
    return figure


def _key(ax: Axes, row: float) -> None:
    """Which colour is which part; the norms are too thin to be seen."""
    for part, left in (("ffn", 0), ("attention", 21), ("embeddings", 58)):
        _piece(ax, row, left, 4, PALETTE[COLOURS[part]], height=0.3)
        label_line(ax, left + 6, row, t(f"figures_width.split.{part}"), COLOURS[part])


def _bar(ax: Axes, row: int, model: ModelConfig) -> None:
    parts, left = count(model), 0.0
    total = sum(parts.values())
    for part in PARTS:
        share = 100 * parts[part] / total
        _piece(ax, row, left, share, PALETTE[COLOURS[part]])
        if part == "ffn":
            ax.text(left + 1.5, row, num(share / 100, 1, percent=True), va="center", ha="left", fontweight="bold")
        left += share


def _piece(ax: Axes, row: float, left: float, wide: float, color: str, height: float = 0.46) -> None:
    ax.barh(row, wide, left=left, height=height, color=color, alpha=SOFT + 0.1, linewidth=0)
    ax.barh(row, wide, left=left, height=height, fill=False, edgecolor=color, linewidth=1.2)


@styled
def crossover(model: ModelConfig, until: int) -> Figure:
    """FLOPs per token and layer against position: the FFN's are flat, attention's rise."""
    figure, (ax,) = panels(4.2)
    n = np.arange(until + 1)
    ffn = ffn_flops(model) / 1000
    last = (projection_flops(model) + score_flops(model, 1) * n) / 1000
    mean = (projection_flops(model) + score_flops(model, 1) * n / 2) / 1000
    ax.plot(n, np.full(n.shape, ffn), color=PALETTE["ffn"])
    ax.plot(n, last, color=PALETTE["attention"])
    ax.plot(n, mean, color=PALETTE["attention"], linestyle=DASHED)
    for length in (crossover_length(model), crossover_length(model, causal_mean=True)):
        ax.plot(length, ffn, "o", color=PALETTE["fg"], markersize=5)
        ax.text(length - 3, ffn + 3, f"n = {num(length)}", ha="right", va="bottom")
    label_line(ax, 4, ffn + 3, t("figures_width.crossover.ffn"), "ffn", va="bottom")
    label_line(ax, until, last[-1] + 3, t("figures_width.crossover.last"), "attention", ha="right", va="bottom")
    label_line(ax, until, 0.55 * ffn, t("figures_width.crossover.mean"), "attention", ha="right", va="top")
    ax.set(ylim=(0, 1.22 * last[-1]), xlim=(0, until))
    name_axes(ax, t("figures_width.crossover.position"), t("figures_width.crossover.flops"))
    localise_ticks(ax, x_step=crossover_length(model) / 2, y_step=20)
    return figure
