"""The activations against tables worked out elsewhere, mpmath, torch, and their own symmetries."""

import mpmath as mp
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar

from ffnbook import activations as A

VALUES = {
    "relu": A.relu, "gelu": A.gelu, "gelu_tanh": A.gelu_tanh, "quick_gelu": A.quick_gelu, "sigmoid": A.sigmoid,
    "silu": A.silu, "swish": A.swish, "swish_2": lambda x: A.swish(x, 2.0), "normal_cdf": A.normal_cdf,
}
SLOPES = {
    "relu": A.relu_grad, "gelu": A.gelu_grad, "gelu_tanh": A.gelu_tanh_grad, "quick_gelu": A.quick_gelu_grad,
    "sigmoid": A.sigmoid_grad, "silu": A.silu_grad, "swish": A.swish_grad, "swish_2": lambda x: A.swish_grad(x, 2.0),
    "normal_cdf": A.normal_pdf,
}
ALL = [*VALUES.values(), *SLOPES.values()]
GATED = [name for name in VALUES if name not in ("sigmoid", "normal_cdf")]  # x times a gate
SMOOTH = [name for name in GATED if name != "relu"]

# Twelve significant digits, worked out with 50-digit arithmetic before this library existed.
GELU_TABLE = """
-6    -5.91952587023e-9   -3.54687094539e-8   -8.43964670076e-11  -7.70997393095e-10
-5    -1.43325785940e-6   -7.14694600179e-6   -2.29179619663e-7   -1.54636198753e-6
-4    -1.26684967332e-4   -5.03649661226e-4   -7.02459481924e-5   -3.35123197123e-4
-3    -0.00404969409489   -0.0119456472042    -0.00363739208177   -0.0115841666310
-2    -0.0455002638964    -0.0852318010782    -0.0454023059122    -0.0860992566236
-1.5  -0.100210801903     -0.127469192230     -0.100428423020     -0.127710793151
-1    -0.158655253931     -0.0833154705877    -0.158808009392     -0.0829640838458
-0.5  -0.154268769363      0.132504875344     -0.154285990175      0.132630096465
-0.1  -0.0460172162723     0.420476907975     -0.0460172489546     0.420478210728
0      0                   0.5                 0                   0.5
0.1    0.0539827837277     0.579523092025      0.0539827510454     0.579521789272
0.5    0.345731230637      0.867495124656      0.345714009825      0.867369903535
1      0.841344746069      1.08331547059       0.841191990608      1.08296408385
1.5    1.39978919810       1.12746919223       1.39957157698       1.12771079315
2      1.95449973610       1.08523180108       1.95459769409       1.08609925662
3      2.99595030591       1.01194564720       2.99636260792       1.01158416663
4      3.99987331503       1.00050364966       3.99992975405       1.00033512320
"""
SWISH_TABLE = """
-4    -0.0719448398484    -0.0526646148911    -0.00134140052187   -0.00234655123559   -0.00441472413958
-3    -0.142277619533     -0.0881041060152    -0.00741786946990   -0.0123264325916    -0.0180713097078
-2    -0.238405844044     -0.0907842487849    -0.0359724199242    -0.0526646148911    -0.0643413768558
-1    -0.268941421370      0.0723294881285    -0.119202922022     -0.0907842487849    -0.154204234067
-0.5  -0.188770334399      0.260038812697     -0.134470710685      0.0723294881285    -0.149611563394
0      0                   0.5                 0                   0.5                 0
0.5    0.311229665601      0.739961187303      0.365529289315      0.927670511871      0.350388436606
1      0.731058578630      0.927670511871      0.880797077978      1.09078424878       0.845795765933
2      1.76159415596       1.09078424878       1.96402758008       1.05266461489       1.93565862314
3      2.85772238047       1.08810410602       2.99258213053       1.01232643259       2.98192869029
"""


def columns(table):
    """Columns of one of the tables above; the first is x."""
    return np.array([line.split() for line in table.split("\n") if line], dtype=float).T


def agree(got, wanted):
    """The check of this file: eleven digits, so that no other form of the function passes."""
    return np.allclose(got, wanted, rtol=1e-11, atol=0)


def test_gelu_table_to_the_last_digit():
    x, value, slope, tanh_value, tanh_slope = columns(GELU_TABLE)
    assert agree(A.gelu(x), value) and agree(A.gelu_grad(x), slope)
    assert agree(A.gelu_tanh(x), tanh_value) and agree(A.gelu_tanh_grad(x), tanh_slope)


def test_swish_table_to_the_last_digit():
    x, silu, silu_slope, swish2, swish2_slope, quick = columns(SWISH_TABLE)
    assert agree(A.silu(x), silu) and agree(A.silu_grad(x), silu_slope)
    assert agree(A.swish(x, 2.0), swish2) and agree(A.swish_grad(x, 2.0), swish2_slope)
    assert agree(A.quick_gelu(x), quick)


def test_a_check_for_one_form_rejects_the_others():
    x, exact, slope, tanh, tanh_slope = columns(GELU_TABLE)
    assert not agree(A.gelu_tanh(x), exact) and not agree(A.gelu(x), tanh) and not agree(A.quick_gelu(x), exact)
    assert not agree(A.gelu_tanh_grad(x), slope) and not agree(A.gelu_grad(x), tanh_slope)
    near_the_worst = np.linspace(-4, 4, 81)
    assert not np.allclose(A.gelu_tanh(near_the_worst), A.gelu(near_the_worst), rtol=0, atol=4e-4)
    assert np.allclose(A.gelu_tanh(near_the_worst), A.gelu(near_the_worst), rtol=0, atol=5e-4)


# Written from the definitions, in 60-digit arithmetic and with no thought for overflow or cancellation.
MP = {
    "gelu": lambda x: x / 2 * (1 + mp.erf(x / mp.sqrt(2))),
    "gelu_tanh": lambda x: x / 2 * (1 + mp.tanh(mp.sqrt(2 / mp.pi) * (x + mp.mpf("0.044715") * x**3))),
    "quick_gelu": lambda x: x / (1 + mp.exp(-mp.mpf("1.702") * x)),
    "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
    "silu": lambda x: x / (1 + mp.exp(-x)),
    "swish_2": lambda x: x / (1 + mp.exp(-2 * x)),
    "normal_cdf": lambda x: (1 + mp.erf(x / mp.sqrt(2))) / 2,
}
POINTS = np.concatenate([np.linspace(-9, 9, 73), np.random.default_rng(0).normal(0, 3, 40)])


@pytest.mark.parametrize("name", MP)
def test_values_match_sixty_digit_arithmetic(name):
    with mp.workdps(60):
        wanted = [float(MP[name](mp.mpf(x))) for x in POINTS]
    np.testing.assert_allclose(VALUES[name](POINTS), wanted, rtol=2e-13)


@pytest.mark.parametrize("name", MP)
def test_slopes_match_a_sixty_digit_difference_quotient(name):
    with mp.workdps(60):
        wanted = [float(mp.diff(MP[name], mp.mpf(x))) for x in POINTS]
    np.testing.assert_allclose(SLOPES[name](POINTS), wanted, rtol=2e-13, atol=2e-16)


def test_the_far_negative_tail_keeps_its_digits():
    x = np.array([-5.5, -9, -15, -25, -37])
    with mp.workdps(400):
        gelu = [float(MP["gelu"](mp.mpf(v))) for v in x]
        tanh = [float(MP["gelu_tanh"](mp.mpf(v))) for v in x[:3]]
    np.testing.assert_allclose(A.gelu(x), gelu, rtol=1e-12)
    np.testing.assert_allclose(A.gelu_tanh(x[:3]), tanh, rtol=1e-12)
    assert A.gelu(-9.0) == pytest.approx(-1.0157295653e-18)
    assert A.gelu_tanh(np.float32(-5.5)) == pytest.approx(-5.92764e-9, rel=1e-5)


def test_the_far_right_tail_of_the_sigmoid_slope_keeps_its_digits():
    x = np.array([20.0, 40.0, 300.0])
    np.testing.assert_allclose(A.sigmoid_grad(x), np.exp(-x) / (1 + np.exp(-x)) ** 2, rtol=1e-13)


# --- torch -----------------------------------------------------------------------------------------------------

TORCH = {
    "relu": torch.relu,
    "gelu": torch.nn.functional.gelu,
    "gelu_tanh": lambda t: torch.nn.functional.gelu(t, approximate="tanh"),
    "quick_gelu": lambda t: t * torch.sigmoid(1.702 * t),
    "sigmoid": torch.sigmoid,
    "silu": torch.nn.functional.silu,
    "swish_2": lambda t: t * torch.sigmoid(2 * t),
    "normal_cdf": torch.special.ndtr,
}


@pytest.mark.parametrize("name", TORCH)
def test_torch_agrees_on_values_and_by_autograd_on_slopes(name):
    t = torch.linspace(-6, 6, 1201, dtype=torch.float64, requires_grad=True)
    y = TORCH[name](t)
    y.sum().backward()
    x = t.detach().numpy()
    np.testing.assert_allclose(VALUES[name](x), y.detach().numpy(), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(SLOPES[name](x), t.grad.numpy(), rtol=1e-12, atol=1e-14)


def test_relu_has_slope_zero_at_zero_as_in_torch():
    t = torch.zeros((), requires_grad=True)
    torch.relu(t).backward()
    assert A.relu_grad(0) == t.grad.item() == 0


# --- symmetries, limits, critical points -----------------------------------------------------------------------

reals = st.floats(-1e6, 1e6)


@given(x=reals, name=st.sampled_from(GATED))
def test_value_at_x_minus_value_at_minus_x_is_x(x, name):
    f = VALUES[name]
    assert f(x) - f(-x) == pytest.approx(x, rel=1e-15, abs=1e-300)


@given(x=reals, name=st.sampled_from(SMOOTH))
def test_slopes_at_x_and_minus_x_add_up_to_one(x, name):
    slope = SLOPES[name]
    assert slope(x) + slope(-x) == pytest.approx(1, abs=1e-14)


@given(x=st.floats(-50, 50), beta=st.floats(0.01, 20))
def test_swish_is_silu_on_another_scale(x, beta):
    assert A.swish(x, beta) == pytest.approx(A.silu(beta * x) / beta, rel=1e-13, abs=1e-300)
    assert A.swish_grad(x, beta) == pytest.approx(A.silu_grad(beta * x), rel=1e-13, abs=1e-300)


def test_swish_runs_from_half_x_to_relu():
    x = np.linspace(-5, 5, 11)
    np.testing.assert_array_equal(A.swish(x, 0), x / 2)
    np.testing.assert_array_equal(A.swish_grad(x, 0), np.full(11, 0.5))
    np.testing.assert_allclose(A.swish(x, 1e4), A.relu(x), atol=1e-12)
    np.testing.assert_array_equal(A.swish([-np.inf, np.inf], 0), [-np.inf, np.inf])


@pytest.mark.parametrize("name, x_min, lowest", [
    ("gelu", A.GELU_MIN_X, A.GELU_MIN),
    ("gelu_tanh", A.GELU_TANH_MIN_X, A.GELU_TANH_MIN),
    ("silu", A.SILU_MIN_X, A.SILU_MIN),
    ("quick_gelu", A.QUICK_GELU_MIN_X, A.QUICK_GELU_MIN),
])
def test_minimum_constants(name, x_min, lowest):
    with mp.workdps(40):
        root = mp.findroot(lambda x: mp.diff(MP[name], x), (-2, -0.5), solver="anderson", tol=1e-50)
        assert float(root) == pytest.approx(x_min, abs=2e-15)
        assert float(MP[name](root)) == pytest.approx(lowest, abs=2e-15)
    assert brentq(SLOPES[name], -2, -0.5, xtol=1e-14) == pytest.approx(x_min, abs=1e-13)
    assert VALUES[name](x_min) == pytest.approx(lowest, abs=1e-15)
    assert SLOPES[name](x_min - 0.1) < 0 < SLOPES[name](x_min + 0.1)


def test_closed_forms_of_the_minima():
    w = float(mp.lambertw(mp.exp(-1)))
    assert (A.SILU_MIN_X, A.SILU_MIN) == (pytest.approx(-1 - w, abs=1e-15), pytest.approx(-w, abs=1e-15))
    assert A.normal_cdf(A.GELU_MIN_X) == pytest.approx(-A.GELU_MIN_X * A.normal_pdf(A.GELU_MIN_X), abs=1e-15)
    assert A.QUICK_GELU_MIN == pytest.approx(A.SILU_MIN / A.QUICK_SCALE, abs=1e-15)


def test_steepest_slopes():
    root2 = np.sqrt(2)
    np.testing.assert_allclose(A.gelu_grad([root2, -root2]), [1.12890414518515479, -0.12890414518515479], rtol=1e-14)
    at = 2.39935728051547
    np.testing.assert_allclose(A.silu_grad([at, -at]), [1.09983932012886692, -0.0998393201288669], rtol=1e-14)
    x = np.linspace(-8, 8, 100001)
    assert x[A.gelu_grad(x).argmax()] == pytest.approx(root2, abs=1e-3)
    assert x[A.silu_grad(x).argmin()] == pytest.approx(-at, abs=1e-3)


def normal_mean(f):
    """E[f(Z)] for a standard normal Z."""
    half = [quad(lambda z: f(z) * A.normal_pdf(z), *ends, epsabs=1e-13)[0] for ends in ((-40, 0), (0, 40))]
    return sum(half)


@pytest.mark.parametrize("f, power, wanted", [
    (A.gelu, 1, 0.282094791773878), (A.gelu, 2, 0.425221482570299),
    (A.gelu_grad, 1, 0.5), (A.gelu_grad, 2, 0.455850865649287),
    (A.silu, 1, 0.206620964141907), (A.silu, 2, 0.355775519817352), (A.silu_grad, 2, 0.379482351632829),
    (A.relu, 1, 0.398942280401433), (A.relu, 2, 0.5),
])
def test_moments_for_a_normal_input(f, power, wanted):
    assert normal_mean(lambda z: f(z) ** power) == pytest.approx(wanted, abs=1e-11)


# --- how far the approximations are ----------------------------------------------------------------------------

def gap(approximation, exact, low, high):
    """Place and size of the extreme of approximation − exact between low and high."""
    sign = np.sign(approximation((low + high) / 2) - exact((low + high) / 2))
    best = minimize_scalar(lambda x: -sign * (approximation(x) - exact(x)), bounds=(low, high), method="bounded",
                           options={"xatol": 1e-10})
    return best.x, -sign * best.fun


@pytest.mark.parametrize("approximation, exact, low, high, place, size", [
    (A.gelu_tanh, A.gelu, 2, 4, 2.69894138638, 4.73235520687e-4),
    (A.gelu_tanh, A.gelu, -4, -2, -2.69894138638, 4.73235520687e-4),
    (A.gelu_tanh, A.gelu, 1, 1.8, 1.36449771736, -2.33670632118e-4),
    (A.gelu_tanh_grad, A.gelu_grad, 1.6, 2.5, 2.01865575977, 8.68451834986e-4),
    (A.gelu_tanh_grad, A.gelu_grad, 2.9, 4, 3.25987676, -4.53149589e-4),
    (A.gelu_tanh_grad, A.gelu_grad, 0.7, 1.2, 0.956083615, -3.55232908e-4),
    (A.quick_gelu, A.gelu, 1.8, 3, 2.27039774, -0.0203348722),
    (A.quick_gelu_grad, A.gelu_grad, 1.2, 1.7, 1.42194759, -0.0290720455),
    (A.silu, A.gelu, 1, 3, 1.96547, -0.19300),
])
def test_extremes_of_the_approximation_errors(approximation, exact, low, high, place, size):
    x, error = gap(approximation, exact, low, high)
    assert x == pytest.approx(place, abs=3e-6)
    assert error == pytest.approx(size, rel=3e-5 if approximation is A.silu else 1e-8)


@pytest.mark.parametrize("approximation, exact, largest", [
    (A.gelu_tanh, A.gelu, 4.73235520687e-4), (A.gelu_tanh_grad, A.gelu_grad, 8.68451834986e-4),
    (A.quick_gelu, A.gelu, 0.0203348722), (A.quick_gelu_grad, A.gelu_grad, 0.0290720455),
])
def test_no_other_place_is_worse(approximation, exact, largest):
    x = np.linspace(-20, 20, 400001)
    assert np.abs(approximation(x) - exact(x)).max() == pytest.approx(largest, rel=1e-7)


def test_relative_error_of_the_tanh_form_grows_to_the_left():
    x = np.array([1.202342, 2.588401, -1.518361, -2, -3, -4, -5])
    wanted = [-0.020117365, 0.017979469, 0.21749, -0.2153, -10.18, -44.55, -84.01]  # percent
    np.testing.assert_allclose(100 * (A.gelu_tanh(x) / A.gelu(x) - 1), wanted, rtol=3e-4)


def test_float16_sees_the_two_forms_one_step_apart_at_most():
    x = np.arange(-8, 8, 2**-10).astype(np.float16)
    difference = np.abs(A.gelu_tanh(x).astype(float) - A.gelu(x).astype(float))
    assert difference.max() == 2**-9


# --- what goes in and what comes out ---------------------------------------------------------------------------

@pytest.mark.parametrize("f", ALL)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floating_dtypes_are_kept(f, dtype):
    x = np.linspace(-4, 4, 12, dtype=dtype).reshape(3, 4)
    y = f(x)
    assert y.dtype == dtype and y.shape == x.shape
    np.testing.assert_array_equal(y, f(x.astype(np.float64)).astype(dtype))


@pytest.mark.parametrize("f", ALL)
def test_integers_booleans_and_lists_give_float64(f):
    for x in ([-2, 0, 3], np.array([-2, 0, 3], dtype=np.int8), np.array([True, False])):
        assert f(x).dtype == np.float64
        np.testing.assert_array_equal(f(x), f(np.array(x, dtype=float)))


@pytest.mark.parametrize("f", ALL)
def test_a_number_gives_a_number(f):
    for x in (1, 1.0, np.float32(1), np.array(1.0)):
        assert np.isscalar(f(x)) and f(x) == pytest.approx(f(np.array([1.0]))[0], rel=1e-7)
    assert f(np.float32(1)).dtype == np.float32
    assert f(np.empty((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("f", ALL)
def test_memory_layout_does_not_matter_and_the_input_is_left_alone(f):
    base = np.random.default_rng(1).normal(0, 3, (6, 8))
    before = base.copy()
    for view in (base.T, base[::2], base[:, ::-3], np.asfortranarray(base), np.broadcast_to(base[0], (4, 8))):
        np.testing.assert_array_equal(f(view), f(np.ascontiguousarray(view)))
    np.testing.assert_array_equal(base, before)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", GATED)
def test_a_thousand_on_either_side_is_no_trouble(name, dtype):
    x = np.array([-1000, -100, 0, 100, 1000], dtype=dtype)
    with np.errstate(all="raise"):  # stricter than warnings: not even a silent underflow may escape
        value, slope = VALUES[name](x), SLOPES[name](x)
    assert (value[:2] <= 0).all() and (value[:2] >= -1e-40).all()
    np.testing.assert_array_equal(value[2:], [0, 100, 1000])
    np.testing.assert_allclose(slope[[0, 1, 3, 4]], [0, 0, 1, 1], atol=1e-40)


@pytest.mark.parametrize("name", GATED)
def test_the_ends_of_the_line_are_limits_and_nan_stays_nan(name):
    for dtype in (np.float16, np.float32, np.float64):
        big = np.finfo(dtype).max
        x = np.array([-np.inf, -big, big, np.inf, np.nan], dtype=dtype)
        with np.errstate(all="raise"):
            np.testing.assert_array_equal(VALUES[name](x), np.array([0, 0, big, np.inf, np.nan], dtype=dtype))
            np.testing.assert_array_equal(SLOPES[name](x), [0, 0, 1, 1, np.nan])


def test_gates_and_bells_at_the_ends_of_the_line():
    with np.errstate(all="raise"):
        for gate, bell in ((A.sigmoid, A.sigmoid_grad), (A.normal_cdf, A.normal_pdf)):
            np.testing.assert_array_equal(gate([-np.inf, -1e300, 1e300, np.inf, np.nan]), [0, 0, 1, 1, np.nan])
            np.testing.assert_array_equal(bell([-np.inf, -1e300, 1e300, np.inf, np.nan]), [0, 0, 0, 0, np.nan])


def test_torch_answers_nan_at_minus_infinity_where_we_answer_the_limit():
    assert torch.isnan(torch.nn.functional.gelu(torch.tensor(-torch.inf)))
    assert A.gelu(-np.inf) == 0


@pytest.mark.parametrize("x", [1j, "1", [None], np.array(["2020"], dtype="datetime64[Y]")])
def test_what_is_not_a_real_number_is_refused(x):
    with pytest.raises(TypeError, match=r"x must hold real numbers: got dtype .* Convert"):
        A.gelu(x)


@pytest.mark.parametrize("beta", [np.inf, -np.inf, np.nan])
def test_an_infinite_beta_is_refused(beta):
    for f in (A.swish, A.swish_grad):
        with pytest.raises(ValueError, match="beta must be finite: got .* use relu"):
            f(1.0, beta)
