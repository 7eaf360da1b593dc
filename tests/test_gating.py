"""The gated FFN against torch modules wired as in LLaMA, and the published widths."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ffnbook.activations import gelu, gelu_tanh, relu, sigmoid, silu
from ffnbook.gating import GatedWeights, gated_ffn, init_gated, llama_width, matched_width, swiglu

D_MODEL, D_FF = 8, 22


@pytest.fixture
def weights():
    return init_gated(D_MODEL, D_FF, rng=np.random.default_rng(0))


@pytest.fixture
def x():
    return np.random.default_rng(1).normal(size=(2, 5, D_MODEL))


class LlamaFeedForward(torch.nn.Module):
    """w2(silu(w1(x)) * w3(x)): w1 is the gate, w3 goes up, w2 comes down."""

    def __init__(self, gate_proj, up_proj, down_proj):
        super().__init__()
        self.w1, self.w3 = (torch.nn.Linear(D_MODEL, D_FF, bias=False, dtype=torch.float64) for _ in range(2))
        self.w2 = torch.nn.Linear(D_FF, D_MODEL, bias=False, dtype=torch.float64)
        self.load_state_dict({"w1.weight": torch.from_numpy(gate_proj), "w3.weight": torch.from_numpy(up_proj),
                              "w2.weight": torch.from_numpy(down_proj)})

    def forward(self, x):
        return self.w2(torch.nn.functional.silu(self.w1(x)) * self.w3(x))


def test_a_worked_example_small_enough_for_paper():
    gate, up, down = np.array([[1, 0], [0, 1]]), np.array([[1, 1], [1, -1]]), np.array([[1, 0], [2, 3]])
    # x = (2, -1): gate (2, -1) -> ReLU (2, 0); up (1, 3); product (2, 0); down (2, 4).
    assert gated_ffn([2, -1], gate, up, down, act=relu).tolist() == [2, 4]
    # Bilinear: the product is (2, -3); down (2, 4 - 9).
    assert gated_ffn([2, -1], gate, up, down, act=lambda z: z).tolist() == [2, -5]


def test_swiglu_is_the_llama_module(weights, x):
    with torch.no_grad():
        wanted = LlamaFeedForward(*weights)(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(swiglu(x, *weights), wanted, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(gated_ffn(x, *weights), swiglu(x, *weights))


def test_the_branches_are_not_interchangeable(weights, x):
    swapped = GatedWeights(weights.up_proj, weights.gate_proj, weights.down_proj)
    assert not np.allclose(swiglu(x, *swapped), swiglu(x, *weights), atol=1e-3)
    bilinear = [gated_ffn(x, *w, act=lambda z: z) for w in (weights, swapped)]
    np.testing.assert_allclose(*bilinear, rtol=1e-12, atol=1e-14)  # only without an activation does it not matter


def test_glu_variant_is_torch_glu(weights, x):
    gate_proj, up_proj, down_proj = weights
    both = torch.from_numpy(x @ np.concatenate([up_proj, gate_proj]).T)  # torch gates the first half with the second
    wanted = torch.nn.functional.glu(both).numpy() @ down_proj.T
    np.testing.assert_allclose(gated_ffn(x, *weights, act=sigmoid), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("act", [relu, gelu, gelu_tanh, silu])
def test_variants_differ_only_in_the_gate(weights, x, act):
    gate_proj, up_proj, down_proj = weights
    wanted = np.einsum("mf,...f->...m", down_proj, act(np.einsum("fd,...d->...f", gate_proj, x))
                       * np.einsum("fd,...d->...f", up_proj, x))
    np.testing.assert_allclose(gated_ffn(x, *weights, act=act), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shape", [(D_MODEL,), (0, D_MODEL), (3, D_MODEL), (2, 1, 3, D_MODEL)])
def test_any_batch_shape_token_by_token(weights, shape):
    x = np.random.default_rng(2).normal(size=shape)
    y = swiglu(x, *weights)
    assert y.shape == shape
    for position in np.ndindex(shape[:-1]):
        np.testing.assert_allclose(swiglu(x[position], *weights), y[position], rtol=1e-12, atol=1e-14)


def test_dtype_and_memory_layout(weights, x):
    single = [w.astype(np.float32) for w in weights]
    assert swiglu(x.astype(np.float32), *single).dtype == np.float32
    fortran = [np.asfortranarray(w) for w in weights]
    view = np.random.default_rng(3).normal(size=(D_MODEL, 10)).T[::2]
    np.testing.assert_allclose(swiglu(view, *fortran), swiglu(view.copy(), *weights), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("d_model, multiple_of, multiplier, width", [
    (4096, 256, None, 11008), (5120, 256, None, 13824), (6656, 256, None, 17920), (8192, 256, None, 22016),
    (8192, 4096, 1.3, 28672), (4096, 1024, 1.3, 14336), (16384, 4096, 1.2, 53248),
    (768, 256, None, 2048), (64, 8, None, 176), (64, 256, None, 256),
    # before the rounding up
    (4096, 1, None, 10922), (5120, 1, None, 13653), (6656, 1, None, 17749), (8192, 1, None, 21845), (64, 1, None, 170),
    (8192, 1, 1.3, 28398), (4096, 1, 1.3, 14198), (16384, 1, 1.2, 52428),
])
def test_llama_width_gives_the_published_widths(d_model, multiple_of, multiplier, width):
    assert llama_width(d_model, multiple_of, multiplier) == width


@given(d_model=st.integers(1, 10**6), multiple_of=st.integers(1, 4096), multiplier=st.none() | st.floats(0.5, 4))
def test_llama_width_is_the_published_rule(d_model, multiple_of, multiplier):
    hidden = int(2 * (4 * d_model) / 3)
    hidden = int(multiplier * hidden) if multiplier is not None else hidden
    got = llama_width(d_model, multiple_of, multiplier)
    assert got == multiple_of * math.ceil(hidden / multiple_of) and type(got) is int


@pytest.mark.parametrize("plain, gated", [(256, 171), (3072, 2048), (16384, 10923), (1, 1), (2, 1), (4, 3)])
def test_matched_width(plain, gated):
    assert matched_width(plain) == gated
    assert all(abs(3 * gated - 2 * plain) <= abs(3 * other - 2 * plain) for other in (gated - 1, gated + 1))


def test_matched_width_of_the_mini_gpt_in_parameters():
    assert 3 * 64 * matched_width(256) == 32832 and 2 * 64 * 256 == 32768


def test_init_shapes_and_scale():
    gate, up, down = weights = init_gated(64, 176, rng=np.random.default_rng(0))
    assert [w.shape for w in weights] == [(176, 64), (176, 64), (64, 176)]
    assert 0.12 < np.abs(gate).max() <= 64**-0.5 and 0.07 < np.abs(down).max() <= 176**-0.5
    assert not np.array_equal(gate, up)


@pytest.mark.parametrize("change, message", [
    ({"up_proj": np.zeros((D_MODEL, D_FF))}, r"gate_proj \(22, 8\), up_proj must have shape \(22, 8\): got \(8, 22\)"),
    ({"down_proj": np.zeros((D_FF, D_MODEL))}, r"down_proj must have shape \(8, 22\): got \(22, 8\)\. Pass down_proj\.T"),
    ({"gate_proj": np.zeros(D_FF)}, r"gate_proj must be a matrix \(d_ff, d_model\): got shape \(22,\)\. Give it"),
])
def test_weights_that_do_not_fit_are_named(weights, x, change, message):
    with pytest.raises(ValueError, match=message):
        swiglu(x, *weights._replace(**change))


def test_an_input_of_another_width_is_refused(weights):
    for x in (np.zeros((5, D_FF)), np.float64(1)):
        with pytest.raises(ValueError, match=r"last axis of x must be d_model = 8.*got x \(.*\)\. Put the features"):
            swiglu(x, *weights)


@pytest.mark.parametrize("arguments, message", [
    ((0,), "d_model must be a whole number, 1 or more: got 0"), ((64.0,), "d_model must be"),
    ((64, 0), "multiple_of must be"), ((64, 8, 0), "multiplier must be a positive number or None: got 0"),
    ((64, 8, float("nan")), "multiplier must be"), ((64, 8, float("inf")), "multiplier must be"),
])
def test_llama_width_says_what_it_wants(arguments, message):
    with pytest.raises(ValueError, match=message):
        llama_width(*arguments)


def test_matched_width_says_what_it_wants():
    with pytest.raises(ValueError, match="plain_d_ff must be a whole number, 1 or more: got -3"):
        matched_width(-3)
