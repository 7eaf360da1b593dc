"""The FFN against torch, a convolution and its own loop; shapes in, shapes out, and what it refuses."""

import numpy as np
import pytest
import torch

from ffnbook.activations import gelu, gelu_tanh, relu, silu
from ffnbook.ffn import FFNWeights, collapse, ffn, ffn_token_by_token, init_ffn

D_MODEL, D_FF = 8, 20


@pytest.fixture
def weights():
    return init_ffn(D_MODEL, D_FF, rng=np.random.default_rng(0))


@pytest.fixture
def x():
    return np.random.default_rng(1).normal(size=(5, D_MODEL))


def linear(W, b):
    """torch.nn.Linear with these weights."""
    layer = torch.nn.Linear(W.shape[1], W.shape[0], dtype=torch.float64)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(W))
        layer.bias.copy_(torch.from_numpy(b))
    return layer


def test_a_worked_example_small_enough_for_paper():
    W1, b1 = np.array([[1, 0], [0, 1], [1, -1]]), np.array([0, -1, 0])
    W2, b2 = np.array([[1, 2, 3], [0, 1, 0]]), np.array([10, 20])
    # x = (3, 2): W1 x + b1 = (3, 1, 1); ReLU keeps it; W2 h = (8, 1).
    assert ffn([3, 2], W1, b1, W2, b2, act=relu).tolist() == [18, 21]
    # x = (-1, 0): (-1, -1, -1), all cut to 0: only b2 is left.
    assert ffn([-1, 0], W1, b1, W2, b2, act=relu).tolist() == [10, 20]


@pytest.mark.parametrize("act, module", [
    (gelu, torch.nn.GELU()), (gelu_tanh, torch.nn.GELU(approximate="tanh")), (relu, torch.nn.ReLU()),
    (silu, torch.nn.SiLU()),
])
def test_it_is_torch_sequential(weights, x, act, module):
    W1, b1, W2, b2 = weights
    network = torch.nn.Sequential(linear(W1, b1), module, linear(W2, b2))
    with torch.no_grad():
        wanted = network(torch.from_numpy(x)).numpy()
    np.testing.assert_allclose(ffn(x, *weights, act=act), wanted, rtol=1e-12, atol=1e-14)


def test_gelu_is_the_default_and_not_its_tanh_form(weights, x):
    np.testing.assert_array_equal(ffn(x, *weights), ffn(x, *weights, act=gelu))
    assert not np.allclose(ffn(x, *weights), ffn(x, *weights, act=gelu_tanh), rtol=1e-8)


def test_it_is_a_convolution_of_width_one(weights, x):
    W1, b1, W2, b2 = map(torch.from_numpy, weights)
    h = torch.nn.functional.gelu(torch.conv1d(torch.from_numpy(x.T.copy()), W1[:, :, None], b1))
    wanted = torch.conv1d(h, W2[:, :, None], b2).numpy().T
    np.testing.assert_allclose(ffn(x, *weights), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shape", [(D_MODEL,), (1, D_MODEL), (5, D_MODEL), (2, 3, D_MODEL), (2, 1, 3, D_MODEL),
                                   (0, D_MODEL)])
@pytest.mark.parametrize("act", [gelu, relu])
def test_any_batch_shape_equals_the_loop_over_tokens(weights, shape, act):
    x = np.random.default_rng(2).normal(size=shape)
    y = ffn(x, *weights, act=act)
    assert y.shape == shape
    np.testing.assert_allclose(ffn_token_by_token(x, *weights, act=act), y, rtol=1e-12, atol=1e-14)


def test_each_position_is_computed_alone(weights, x):
    nudged = x.copy()
    nudged[2] += 1
    moved = np.abs(ffn(nudged, *weights) - ffn(x, *weights)).max(axis=-1)
    assert moved[2] > 1e-3 and np.delete(moved, 2).max() < 1e-12
    order = np.array([3, 1, 4, 0, 2])
    np.testing.assert_allclose(ffn(x[order], *weights), ffn(x, *weights)[order], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("f", [ffn, ffn_token_by_token])
def test_dtype_and_memory_layout(weights, x, f):
    half = FFNWeights(*(w.astype(np.float32) for w in weights))
    assert f(x.astype(np.float32), *half).dtype == np.float32
    assert f(x, *half).dtype == f(np.ones(D_MODEL, dtype=int), *weights).dtype == np.float64
    fortran = [np.asfortranarray(w) for w in weights]
    wide = np.random.default_rng(3).normal(size=(D_MODEL, 10))
    for view in (wide.T, wide.T[::2], np.asfortranarray(wide.T)):
        np.testing.assert_allclose(f(view, *fortran), f(np.ascontiguousarray(view), *weights), rtol=1e-12, atol=1e-14)


def test_without_activation_it_collapses_to_one_affine_map(weights, x):
    W, b = collapse(*weights)
    assert (W.shape, b.shape) == ((D_MODEL, D_MODEL), (D_MODEL,))
    np.testing.assert_allclose(ffn(x, *weights, act=lambda z: z), x @ W.T + b, rtol=1e-12, atol=1e-14)
    assert not np.allclose(ffn(x, *weights), x @ W.T + b, atol=1e-3)


def test_collapse_of_the_mini_gpt_to_rounding():
    rng = np.random.default_rng(0)
    weights = init_ffn(64, 256, rng=rng)
    W, b = collapse(*weights)
    x = rng.normal(size=(100, 64))
    assert np.abs(ffn(x, *weights, act=lambda z: z) - (x @ W.T + b)).max() < 1e-14
    assert W.size + b.size == 4160 and sum(w.size for w in weights) == 33088


def test_init_follows_the_rule_of_torch_linear():
    W1, b1, W2, b2 = weights = init_ffn(64, 256, rng=np.random.default_rng(0))
    assert [w.shape for w in weights] == [(256, 64), (256,), (64, 256), (64,)]
    for array, inputs in ((W1, 64), (b1, 64), (W2, 256), (b2, 256)):
        limit = inputs**-0.5
        assert 0.9 * limit < np.abs(array).max() <= limit and abs(array.mean()) < 0.2 * limit
    layer = torch.nn.Linear(64, 256)
    assert float(layer.weight.detach().std()) == pytest.approx(W1.std(), rel=0.03)


def test_init_depends_on_the_generator_alone():
    same = [init_ffn(4, 8, rng=np.random.default_rng(7)).W1 for _ in range(2)]
    np.testing.assert_array_equal(*same)
    assert not np.array_equal(same[0], init_ffn(4, 8, rng=np.random.default_rng(8)).W1)


@pytest.mark.parametrize("change, message", [
    ({"W2": np.zeros((D_FF, D_MODEL))}, r"with W1 \(20, 8\), W2 must have shape \(8, 20\): got \(20, 8\)\. Pass W2\.T"),
    ({"W1": np.zeros((D_MODEL, D_FF))}, r"with W1 \(8, 20\), W2 must have shape \(20, 8\): got \(8, 20\)\."),
    ({"W1": np.zeros(D_FF)}, r"W1 must be a matrix \(d_ff, d_model\): got shape \(20,\)\. Give it two axes"),
    ({"b1": np.zeros(D_MODEL)}, r"b1 must have shape \(20,\): got \(8,\)\. Check both"),
    ({"b1": np.zeros((D_FF, 1))}, r"b1 must have shape \(20,\): got \(20, 1\)\."),
    ({"b2": np.zeros(D_FF)}, r"b2 must have shape \(8,\): got \(20,\)\."),
])
def test_weights_that_do_not_fit_are_named(weights, x, change, message):
    bad = weights._replace(**change)
    for call in (lambda: ffn(x, *bad), lambda: ffn_token_by_token(x, *bad), lambda: collapse(*bad)):
        with pytest.raises(ValueError, match=message):
            call()


@pytest.mark.parametrize("x", [np.zeros((5, D_FF)), np.zeros((D_MODEL, 5)), np.float64(1)])
def test_an_input_of_another_width_is_refused(weights, x):
    for f in (ffn, ffn_token_by_token):
        with pytest.raises(ValueError, match=r"last axis of x must be d_model = 8.*got x \(.*\)\. Put the features"):
            f(x, *weights)


@pytest.mark.parametrize("sizes, named", [
    ((0, 8), "d_model"), ((8, -1), "d_ff"), ((8.0, 8), "d_model"), ((8, True), "d_ff"),
])
def test_init_wants_whole_positive_sizes(sizes, named):
    with pytest.raises(ValueError, match=f"{named} must be a whole number, 1 or more: got"):
        init_ffn(*sizes, rng=np.random.default_rng(0))
