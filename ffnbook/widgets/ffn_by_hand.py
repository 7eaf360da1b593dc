"""A tiny FFN by hand: two numbers in, a few neurons, two numbers out, with every sum written out."""

from __future__ import annotations

import numpy as np
from traitlets import Bool, Enum, Float, List, TraitError, Unicode, validate

from ffnbook import activations
from ffnbook.ffn import FFNWeights, check_weights
from ffnbook.messages import t
from ffnbook.numbers import MINUS, NBSP, num
from ffnbook.widgets.base import Widget, script, style

ACTIVATIONS = {"none": lambda z: z, "relu": activations.relu, "gelu": activations.gelu, "silu": activations.silu}
EXAMPLE = FFNWeights([[1, 0.5], [0.5, -1], [-1, 1]], [-1, 0, 0.5], [[1, 1, -1], [-0.5, 1, 1]], [0, 0.5])
SUBSCRIPTS = "₁₂₃"  # as many neurons as have room on a phone
DUST = 1e-12  # what rounding leaves of a zero


class FFNByHand(Widget):
    """An FFN with d_model = 2, drawn neuron by neuron: `FFNByHand(W1, b1, W2, b2, act="gelu")`."""

    messages_key, heights = "ffn_by_hand", (66, 44.5)
    _esm = script("ffn_by_hand")
    _css = style("ffn_by_hand")

    W1 = List(List(Float()), read_only=True, help="What each neuron looks for, one row per neuron").tag(sync=True)
    b1 = List(Float(), read_only=True, help="The bias of each neuron").tag(sync=True)
    W2 = List(List(Float()), read_only=True, help="What each neuron writes, one column per neuron").tag(sync=True)
    b2 = List(Float(), read_only=True, help="The bias of each output").tag(sync=True)
    x1 = Float(1.0, min=-3.0, max=3.0, help="The first number of the token; no unit").tag(sync=True)
    x2 = Float(2.0, min=-3.0, max=3.0, help="The second number of the token; no unit").tag(sync=True)
    act = Enum(tuple(ACTIVATIONS), "relu", help="The activation; none lets everything through").tag(sync=True)
    biases = Bool(True, help="Add b1 and b2").tag(sync=True)
    residual = Bool(False, help="Add x to the output").tag(sync=True)
    unit = Unicode("h1", help="Whose sum is written out: h1, h2, … or y1, y2").tag(sync=True)

    def __init__(self, W1=EXAMPLE.W1, b1=EXAMPLE.b1, W2=EXAMPLE.W2, b2=EXAMPLE.b2, **state: object) -> None:
        weights = FFNWeights(*map(np.asarray, (W1, b1, W2, b2)))
        _check_room(weights)
        for name, array in weights._asdict().items():
            self.set_trait(name, array.tolist())
        super().__init__(**state)

    @validate("unit")
    def _one_of_the_units(self, proposal: dict) -> str:
        if proposal["value"] not in self.units:
            raise TraitError(t("widgets.ffn_by_hand.no_unit", self.lang, unit=proposal["value"], all=", ".join(self.units)))
        return proposal["value"]

    @property
    def units(self) -> list[str]:
        """The names `unit` may take."""
        return [f"h{i + 1}" for i in range(len(self.W1))] + ["y1", "y2"]

    def steps(self) -> dict[str, np.ndarray]:
        """All that happens to x on its way: z (d_ff,), h (d_ff,), y (2,) and, with the residual, out (2,)."""
        x, on = np.array([self.x1, self.x2]), float(self.biases)
        z = np.array(self.W1) @ x + on * np.array(self.b1)
        h = ACTIVATIONS[self.act](z)
        y = np.array(self.W2) @ h + on * np.array(self.b2)
        return {"z": z, "h": h, "y": y, "out": x + y if self.residual else y}

    def sums(self) -> dict[str, str]:
        """Every sum written out, by the name of what it gives: `sums()["z2"]` is "0.5·1 + (−1)·2 + 0 = −1.5"."""
        steps, on = self.steps(), self.biases
        layers = [("z", self.W1, [self.x1, self.x2], self.b1), ("y", self.W2, steps["h"], self.b2)]
        return {f"{name}{i + 1}": written_sum(row, values, bias[i] if on else None, self.lang)
                for name, W, values, bias in layers for i, row in enumerate(W)}

    def fallback_table(self) -> tuple[list[str], list[list[str]]]:
        words, sums, h = self.strings, self.sums(), self.steps()["h"]
        rows = [[f"z{SUBSCRIPTS[i]}", sums[f"z{i + 1}"], f"h{SUBSCRIPTS[i]} = {short(v, self.lang)}"] for i, v in enumerate(h)]
        return ["", words["sum"], words["acts"][self.act]], rows + [[f"y{SUBSCRIPTS[i]}", sums[f"y{i + 1}"], ""] for i in range(2)]

    def fallback_values(self) -> dict[str, str]:
        return {"x": f"({short(self.x1, self.lang)}; {short(self.x2, self.lang)})"}


def _check_room(weights: FFNWeights) -> None:
    check_weights(*weights)
    d_ff, d_model = weights.W1.shape
    if d_model != 2 or d_ff > len(SUBSCRIPTS):
        raise ValueError(t("widgets.ffn_by_hand.too_large", most=len(SUBSCRIPTS), d_model=d_model, d_ff=d_ff))


def written_sum(weights, values, bias=None, lang: str | None = None) -> str:
    """A weighted sum as one does it by hand: "0.5·1 + (−1)·2 + 0 = −1.5"; ≈ where a number shown is rounded."""
    total = float(np.dot(weights, values)) + (bias or 0)
    extra = [] if bias is None else [bias]
    terms = [f"{_factor(w, lang)}·{_factor(v, lang)}" for w, v in zip(weights, values, strict=True)]
    terms += [_factor(b, lang) for b in extra]
    sign = "=" if all(map(_is_short, [*weights, *values, *extra, total])) else "≈"
    return f" +{NBSP}".join(terms) + f" {sign}{NBSP}{short(total, lang)}"


def _factor(value: float, lang: str | None) -> str:
    text = short(value, lang)
    return f"({text})" if value < 0 else text


def _is_short(value: float) -> bool:
    """Whether three decimals hold all of it."""
    return abs(value - round(value, 3)) < DUST


def short(value: float, lang: str | None = None) -> str:
    """All of a number that three decimals hold, or three decimals of it: 0 is nothing, −0.000 a little less."""
    if _is_short(value):
        return num(round(float(value), 3), lang=lang)
    return (MINUS if value < 0 else "") + num(abs(value), 3, lang=lang)
