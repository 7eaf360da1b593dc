"""The activation explorer: curves, values and slopes of the activations."""

from __future__ import annotations

from traitlets import Bool, Enum, Float, List

from ffnbook import activations as act
from ffnbook.numbers import num
from ffnbook.widgets.base import Widget, script, style

NAMES = ("relu", "gelu", "gelu_tanh", "silu", "swish")


class ActivationExplorer(Widget):
    """ReLU, GELU (exact and tanh form), SiLU and Swish, read off at `x`."""

    messages_key, heights = "activation_explorer", (76, 53)
    _esm = script("activation_explorer")
    _css = style("activation_explorer")

    show = List(Enum(NAMES), ["relu", "gelu", "silu"], help="The functions drawn").tag(sync=True)
    quantity = Enum(("value", "slope"), "value", help="Draw the functions or their derivatives").tag(sync=True)
    zoom = Enum(("whole", "negative"), "whole", help="The whole axis or its negative side").tag(sync=True)
    difference = Bool(False, help="Draw exact GELU minus its tanh form instead").tag(sync=True)
    beta = Float(1.0, min=0.0, max=10.0, help="β of Swish, x · σ(βx); no unit").tag(sync=True)
    x = Float(-1.0, min=-5.0, max=5.0, help="Where values and slopes are read off; no unit").tag(sync=True)

    def readings(self) -> list[tuple[str, float, float]]:
        """(name, value, slope) at `x` of every function shown."""
        return [(name, float(self._call(name)), float(self._call(f"{name}_grad"))) for name in self.show]

    def _call(self, function: str) -> float:
        beta = [self.beta] if function.startswith("swish") else []
        return getattr(act, function)(self.x, *beta)

    def fallback_table(self) -> tuple[list[str], list[list[str]]]:
        words = self.strings
        headers = [words["function"], words["quantity"]["value"], words["quantity"]["slope"]]
        names = {name: words["names"][name].format(beta=num(self.beta, lang=self.lang)) for name in NAMES}
        return headers, [[names[name], num(value, 4, lang=self.lang), num(slope, 4, lang=self.lang)]
                         for name, value, slope in self.readings()]

    def fallback_values(self) -> dict[str, str]:
        return {"x": num(self.x, 2, lang=self.lang)}
