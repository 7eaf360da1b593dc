"""The gated feed-forward sublayer: W_down · ( act(W_gate · x) ⊙ W_up · x ).

Three matrices and no biases, named as in the checkpoints of the Llama family:

    gate_proj (d_ff, d_model)   up_proj (d_ff, d_model)   down_proj (d_model, d_ff)   x (..., d_model)

The activation sits on the gate branch only: with the two branches swapped, a trained model gives
wrong answers. Shazeer 2020 (the variants); Dauphin et al. 2017 (GLU); Touvron et al. 2023 (the width).
"""

from typing import NamedTuple

import numpy as np

from ffnbook.activations import silu
from ffnbook.ffn import check_last_axis, check_matrix, check_shape, check_sizes
from ffnbook.messages import t


class GatedWeights(NamedTuple):
    """The three matrices of one gated FFN, in the order `swiglu` takes them: `swiglu(x, *weights)`."""

    gate_proj: np.ndarray
    up_proj: np.ndarray
    down_proj: np.ndarray


def gated_ffn(x, gate_proj, up_proj, down_proj, act=silu):
    """Gated FFN. x: (..., d_model) -> (..., d_model).

    `act` names the variant: sigmoid GLU, relu ReGLU, gelu or gelu_tanh GEGLU, silu SwiGLU, and
    `lambda z: z` the bilinear one.
    """
    x, gate_proj, up_proj, down_proj = map(np.asarray, (x, gate_proj, up_proj, down_proj))
    check_gated_shapes(x, gate_proj, up_proj, down_proj)
    gate = act(x @ gate_proj.T)         # (..., d_ff)
    up = x @ up_proj.T                  # (..., d_ff)
    return (gate * up) @ down_proj.T    # (..., d_model)


def swiglu(x, gate_proj, up_proj, down_proj):
    """The gated FFN of LLaMA and PaLM: SiLU on the gate branch. x: (..., d_model) -> (..., d_model)."""
    return gated_ffn(x, gate_proj, up_proj, down_proj, act=silu)


def llama_width(d_model, multiple_of=256, multiplier=None):
    """LLaMA's d_ff: two thirds of 4 · d_model, times `multiplier` if any, rounded up to `multiple_of`."""
    check_sizes(d_model=d_model, multiple_of=multiple_of)
    if multiplier is not None and not 0 < multiplier < np.inf:
        raise ValueError(t("library.multiplier", got=repr(multiplier)))
    width = 2 * 4 * d_model // 3
    if multiplier is not None:
        width = int(multiplier * width)
    return int(multiple_of * -(-width // multiple_of))  # −(−a // b) rounds a / b up


def matched_width(plain_d_ff):
    """The d_ff that gives three matrices the weights of a plain FFN's two: the nearest to 2/3 of its d_ff."""
    check_sizes(plain_d_ff=plain_d_ff)
    return round(2 * plain_d_ff / 3)


def init_gated(d_model, d_ff, *, rng):
    """Random matrices by the rule of torch.nn.Linear: uniform in ±1/√(number of inputs)."""
    check_sizes(d_model=d_model, d_ff=d_ff)
    into, back = 1 / np.sqrt(d_model), 1 / np.sqrt(d_ff)
    return GatedWeights(
        gate_proj=rng.uniform(-into, into, (d_ff, d_model)),
        up_proj=rng.uniform(-into, into, (d_ff, d_model)),
        down_proj=rng.uniform(-back, back, (d_model, d_ff)),
    )


def check_gated_shapes(x, gate_proj, up_proj, down_proj):
    """Raise ValueError unless x and the three matrices fit together."""
    d_ff, d_model = check_matrix(gate_proj, "gate_proj")
    check_shape(gate_proj, "gate_proj", up_proj, "up_proj", (d_ff, d_model))
    check_shape(gate_proj, "gate_proj", down_proj, "down_proj", (d_model, d_ff))
    check_last_axis(x, gate_proj, "gate_proj")
