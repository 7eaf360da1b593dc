"""Figures of the chapter activations: the curves, their slopes, their tails, a coin toss."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ffnbook import activations as act
from ffnbook.figures.style import DASHED, PALETTE, SOFT, label_line, localise_ticks, name_axes, panels, styled, zero_lines
from ffnbook.messages import t
from ffnbook.numbers import num

FUNCTIONS = {"ReLU": (act.relu, "relu"), "GELU": (act.gelu, "gelu"), "SiLU": (act.silu, "silu")}


@styled
def curves() -> Figure:
    """The three functions: as a whole, and their negative side enlarged."""
    figure, (whole, negative) = panels(6.4, rows=2, height_ratios=(1.15, 1))
    _draw(whole, np.linspace(-4, 3, 281))
    whole.set(xlim=(-4, 3.9), ylim=(-0.55, 3.1))
    name_axes(whole, "x", "f(x)")
    localise_ticks(whole, 1, 1)
    for name, x, y in (("ReLU", 1.4, 1.9), ("GELU", 2.85, 2.5), ("SiLU", 1.55, 0.9)):
        label_line(whole, x, y, name, name.lower(), ha="right" if name == "ReLU" else "left")
    _draw(negative, np.linspace(-5, 0.25, 211))
    negative.set(xlim=(-5, 0.3), ylim=(-0.44, 0.12))
    name_axes(negative, "x", "f(x)")
    localise_ticks(negative, 1, 0.1)
    for x, y, color in ((act.GELU_MIN_X, act.GELU_MIN, "gelu"), (act.SILU_MIN_X, act.SILU_MIN, "silu")):
        negative.plot(x, y, "o", color=PALETTE[color], markersize=6)
    for name, x, y in (("ReLU", -4.3, 0.045), ("GELU", -1.25, -0.055), ("SiLU", -3.75, -0.165)):
        label_line(negative, x, y, name, name.lower())
    negative.text(-4.9, -0.36, t("figures.activations.curves.minima"), va="center", color=PALETTE["muted"])
    return figure


def _draw(ax: Axes, x: np.ndarray) -> None:
    zero_lines(ax)
    for function, color in FUNCTIONS.values():
        ax.plot(x, function(x), color=PALETTE[color])


@styled
def slopes() -> Figure:
    """The three derivatives; the stretch where GELU's is negative is shaded."""
    figure, (ax,) = panels(4.3)
    zero_lines(ax)
    ax.axhline(1, color=PALETTE["line"], linewidth=0.8, zorder=0)
    for start, end, level in ((-5, 0, 0), (0, 5, 1)):  # ReLU's slope jumps: two pieces, no joint
        ax.plot((start, end), (level, level), color=PALETTE["relu"])
    x = np.linspace(-5, 5, 401)
    for slope, color in ((act.gelu_grad, "gelu"), (act.silu_grad, "silu")):
        ax.plot(x, slope(x), color=PALETTE[color])
    left = np.linspace(-5, act.GELU_MIN_X, 100)
    ax.fill_between(left, act.gelu_grad(left), color=PALETTE["gelu"], alpha=SOFT, linewidth=0)
    ax.plot(act.GELU_MIN_X, 0, "o", color=PALETTE["gelu"], markersize=6, zorder=3)
    ax.annotate(t("figures.activations.slopes.zero"), (act.GELU_MIN_X, 0.02), (-2.6, 0.55), color=PALETTE["gelu"], ha="center", arrowprops=_thin("gelu"))
    ax.set(xlim=(-5, 5), ylim=(-0.38, 1.35))
    name_axes(ax, "x", t("figures.activations.slopes.slope"))
    localise_ticks(ax, 1, 0.5)
    for name, px, py in (("ReLU", 3.5, 0.9), ("GELU", 1.6, 1.23), ("SiLU", 1.15, 0.8)):
        label_line(ax, px, py, name, name.lower())
    ax.text(-4.9, -0.27, t("figures.activations.slopes.negative"), color=PALETTE["gelu"], va="center")
    return figure


def _thin(color: str) -> dict:
    return {"arrowstyle": "-", "color": PALETTE[color], "linewidth": 0.9, "shrinkB": 5}


@styled
def bell(x: float = 0.5) -> Figure:
    """The normal density with the part left of ``x`` filled: its area is Φ(x)."""
    figure, (ax,) = panels(3.4)
    z = np.linspace(-3.5, 3.5, 281)
    ax.plot(z, act.normal_pdf(z), color=PALETTE["rest"])
    below = np.linspace(-3.5, x, 161)
    ax.fill_between(below, act.normal_pdf(below), color=PALETTE["gelu"], alpha=2 * SOFT, linewidth=0)
    ax.plot((x, x), (0, act.normal_pdf(x)), color=PALETTE["gelu"])
    share, value = num(act.normal_cdf(x), 2), num(x)
    ax.text(-0.58, 0.08, t("figures.activations.bell.below", share=share), ha="center", color=PALETTE["gelu"], fontweight="bold")
    ax.set_title(t("figures.activations.bell.product", x=value, share=share, y=num(act.gelu(x), 2)), loc="center", color=PALETTE["fg"])
    ax.set(xlim=(-3.5, 3.5), ylim=(0, 0.42), yticks=[], xlabel=t("figures.activations.bell.axis"))
    ax.spines["left"].set_visible(False)
    localise_ticks(ax, x_step=1)
    return figure


@styled
def simulation(x: np.ndarray, estimates: np.ndarray) -> Figure:
    """What the draws gave (dots) on the curve x·Φ(x)."""
    figure, (ax,) = panels(3.8)
    ax.axhline(0, color=PALETTE["line"], linewidth=0.8, zorder=0)
    line = np.linspace(-3.2, 3.2, 257)
    ax.plot(line, act.gelu(line), color=PALETTE["gelu"])
    ax.plot(x, estimates, "o", color=PALETTE["fg"], markersize=4.5, markerfacecolor=PALETTE["bg"], markeredgewidth=1.3)
    label_line(ax, 1.5, 0.75, "x · Φ(x)", "gelu")
    label_line(ax, -3.15, 2.45, t("figures.activations.simulation.dots"), "fg", fontweight="normal", linespacing=1.4)
    ax.set(xlim=(-3.3, 3.3), ylim=(-0.45, 3.2))
    name_axes(ax, "x", t("figures.activations.simulation.value"))
    localise_ticks(ax, 1, 1)
    return figure


@styled
def swish_family() -> Figure:
    """Swish from a straight line (β = 0) towards ReLU (large β); SiLU is β = 1."""
    figure, (ax,) = panels(5.0)
    ax.plot((-4, 2.2), (0, 0), color=PALETTE["line"], linewidth=0.8, zorder=0)
    ax.axvline(0, color=PALETTE["line"], linewidth=0.8, zorder=0)
    x = np.linspace(-4, 2.2, 249)
    for beta, y in ((0, 1.1), (0.5, 1.52), (1, 1.92), (2, 2.3), (10, 2.68)):
        look = {"linewidth": 2.6} if beta == 1 else {"linewidth": 1.5, "linestyle": DASHED}
        ax.plot(x, act.swish(x, beta), color=PALETTE["silu"], **look)
        ax.plot((2.25, 2.5), (act.swish(2.2, beta), y), color=PALETTE["muted"], linewidth=0.8)
        text = "β = 1: SiLU" if beta == 1 else f"β = {num(beta)}"
        label_line(ax, 2.6, y, text, "silu", fontweight="bold" if beta == 1 else "normal")
    ax.set(xlim=(-4, 5.7), ylim=(-2.05, 2.85), xticks=range(-4, 3))
    name_axes(ax, "x", "x · σ(βx)")
    ax.spines["bottom"].set_bounds(-4, 2.2)
    localise_ticks(ax, y_step=1)
    return figure


@styled
def tails() -> Figure:
    """How large the output still is far to the left, on a logarithmic scale."""
    figure, (ax,) = panels(4.1)
    x = np.linspace(-10, -0.5, 191)
    for function, color in (FUNCTIONS["GELU"], FUNCTIONS["SiLU"]):
        ax.plot(x, -function(x), color=PALETTE[color])
    ax.set_yscale("log")
    ax.set(xlim=(-10, -0.5), ylim=(1e-25, 5))
    name_axes(ax, "x", "|f(x)|")
    ax.set_yticks([10.0**power for power in range(-24, 1, 6)], [_power_of_ten(p) for p in range(-24, 1, 6)])
    ax.minorticks_off()
    label_line(ax, -8.2, 1e-6, "SiLU", "silu")
    label_line(ax, -6.2, 1e-13, "GELU", "gelu")
    ax.xaxis.set_major_formatter(lambda value, _position: num(value))
    label_line(ax, -0.6, 3e-22, t("figures.activations.tails.relu"), "relu", fontweight="normal", ha="right")
    return figure


def _power_of_ten(power: int) -> str:
    return "1" if power == 0 else num(10.0**power, sci=True, sig=1).split("×")[1].strip()
