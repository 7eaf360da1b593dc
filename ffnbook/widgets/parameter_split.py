"""The parameter split: how FFN, attention, embeddings and the rest share a transformer's parameters."""

from __future__ import annotations

from dataclasses import asdict, fields

from traitlets import Bool, Dict, Enum, Int, List, Unicode

from ffnbook.numbers import num
from ffnbook.parameters import count, total_params
from ffnbook.presets import PRESETS, ModelConfig
from ffnbook.widgets.base import Widget, script, style

SIZES = [field.name for field in fields(ModelConfig) if field.name != "name"]


class ParameterSplit(Widget):
    """A transformer's parameters, drawn to scale and counted: `ParameterSplit(preset="gpt2-small", d_ff=2048)`."""

    messages_key, heights = "parameter_split", (121, 67)
    _esm = script("parameter_split")
    _css = style("parameter_split")

    preset = Enum(tuple(PRESETS), "mini-gpt", help="The model these sizes started from").tag(sync=True)
    presets = Dict({key: asdict(config) for key, config in PRESETS.items()}, help="The sizes of every preset, by key").tag(sync=True)
    order = List(Unicode(), tuple(PRESETS), read_only=True, help="The presets' keys, as the menu lists them").tag(sync=True)
    d_model = Int(min=1, max=32768, help="Width of the residual stream (features)").tag(sync=True)
    d_ff = Int(min=1, max=262144, help="Hidden width of the FFN (features)").tag(sync=True)
    n_heads = Int(1, min=1, max=256, help="Query heads").tag(sync=True)
    n_kv_heads = Int(1, min=1, max=256, help="Key-value heads; must divide n_heads").tag(sync=True)
    d_head = Int(1, min=1, max=1024, help="Width of a head (features)").tag(sync=True)
    n_layers = Int(1, min=1, max=256, help="Blocks").tag(sync=True)
    vocab = Int(1, min=1, max=1_000_000, help="Vocabulary (tokens)").tag(sync=True)
    n_positions = Int(0, min=0, max=1_000_000, help="Learned position vectors (tokens)").tag(sync=True)
    norms_per_block = Int(2, min=0, max=8, help="Normalizations in a block").tag(sync=True)
    attentions_per_block = Int(1, min=1, max=2, help="2 if a block also attends to an encoder").tag(sync=True)
    n_experts = Int(1, min=1, max=256, help="FFNs in a block").tag(sync=True)
    experts_per_token = Int(1, min=1, max=256, help="FFNs that one token uses").tag(sync=True)
    gated = Bool(help="Three FFN matrices instead of two").tag(sync=True)
    ffn_bias = Bool(help="Biases in the FFN").tag(sync=True)
    qkv_bias = Bool(help="Biases of queries, keys and values").tag(sync=True)
    out_bias = Bool(help="Bias of the attention's output").tag(sync=True)
    norm_bias = Bool(help="Normalizations with a shift").tag(sync=True)
    final_norm = Bool(True, help="A normalization after the last block").tag(sync=True)
    tied_head = Bool(help="The output layer reuses the embeddings").tag(sync=True)

    def __init__(self, preset: str = "mini-gpt", **changes: object) -> None:
        super().__init__(preset=preset, **(self._sizes(preset) | changes))

    @staticmethod
    def _sizes(preset: str) -> dict:
        return {name: getattr(PRESETS[preset], name) for name in SIZES}

    def load(self, preset: str) -> None:
        """Take all sizes of a preset."""
        with self.hold_sync():
            for name, value in {"preset": preset, **self._sizes(preset)}.items():
                setattr(self, name, value)

    @property
    def config(self) -> ModelConfig:
        """The present sizes, ready for `ffnbook.parameters`."""
        return ModelConfig(name=PRESETS[self.preset].name, **{name: getattr(self, name) for name in SIZES})

    def fallback_table(self) -> tuple[list[str], list[list[str]]]:
        words, parts, whole = self.strings, count(self.config), total_params(self.config)
        parts["rest"] = parts.pop("norms") + parts.pop("router")
        rows = [[words["parts"][part], num(n, lang=self.lang), num(n / whole, 1, percent=True, lang=self.lang)]
                for part, n in (parts | {"total": whole}).items()]
        return [words["table"][key] for key in ("part", "whole", "share")], rows

    def fallback_values(self) -> dict[str, str]:
        return {"name": PRESETS[self.preset].name}
