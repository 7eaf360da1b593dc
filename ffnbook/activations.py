"""The activations of page `activations`, each with its derivative (`*_grad`).

Every smooth one is the input times a gate between 0 and 1: `x · Φ(x)` (GELU), `x · σ(x)` (SiLU),
so its derivative is `gate + x · gate'`. `gelu` is exact; `gelu_tanh`, GPT-2's form, is up to 4.7e-4 off.

All of them take numbers or arrays of any shape and memory layout, and keep a floating dtype (the
arithmetic is float64, the answer is rounded once). Integers, booleans and lists of them give float64.
At −inf and +inf they return their limits: 0 and inf (gates and derivatives: 0 and 1; derivatives of
gates: 0). torch and the formula taken literally give nan at −inf, because there they multiply −inf
by 0. nan stays nan.

Hendrycks & Gimpel 2016 (GELU, its tanh and sigmoid forms); Elfwing et al. 2018 (SiLU);
Ramachandran et al. 2017 (Swish).
"""

from functools import wraps

import numpy as np
from scipy import special

from ffnbook.messages import t

TANH_SCALE, TANH_CUBIC, QUICK_SCALE = np.sqrt(2 / np.pi), 0.044715, 1.702

# Where each one is lowest (its derivative is 0 there) and how low it gets. tests/ recomputes them.
GELU_MIN_X, GELU_MIN = -0.75179152469356446, -0.16997120747990366
GELU_TANH_MIN_X, GELU_TANH_MIN = -0.752461422071016, -0.170040750571254
SILU_MIN_X, SILU_MIN = -1.27846454276107380, -0.27846454276107380
QUICK_GELU_MIN_X, QUICK_GELU_MIN = -0.751154255441289, -0.163610189636354


def elementwise(formula):
    """Let a float64 formula take numbers, lists and any floating dtype, and give that dtype back."""

    @wraps(formula)
    def activation(x, *args, **kwargs):
        x = np.asarray(x)
        if x.dtype.kind not in "fiub":
            raise TypeError(t("library.real_numbers", dtype=x.dtype))
        dtype = x.dtype if x.dtype.kind == "f" else np.float64
        # Far out a cube overflows and a tail underflows: both only say that a gate is open or shut.
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(formula(x.astype(np.float64), *args, **kwargs), dtype=dtype)[()]

    return activation


def times(x, factor):
    """x · factor, where a factor of 0 wins over an infinite x: the limit of every product here."""
    return np.where(factor == 0, 0.0, x) * factor


@elementwise
def relu(x):
    """max(0, x)."""
    return np.maximum(x, 0)


@elementwise
def relu_grad(x):
    """1 for x > 0, else 0. ReLU has no derivative at 0; we answer 0 there, as torch does."""
    return np.heaviside(x, 0)


@elementwise
def normal_cdf(x):
    """Φ(x): the chance that a standard normal falls below x. Accurate in both tails (erfc inside)."""
    return special.ndtr(x)


@elementwise
def normal_pdf(x):
    """φ(x) = Φ'(x): the bell curve."""
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


@elementwise
def gelu(x):
    """Exact GELU: x · Φ(x)."""
    return times(x, normal_cdf(x))


@elementwise
def gelu_grad(x):
    """Φ(x) + x · φ(x)."""
    return normal_cdf(x) + times(x, normal_pdf(x))


@elementwise
def sigmoid(x):
    """σ(x) = 1 / (1 + e^−x)."""
    return special.expit(x)


@elementwise
def sigmoid_grad(x):
    """σ(x) · (1 − σ(x)), with 1 − σ(x) written σ(−x): the subtraction would lose the right tail."""
    return sigmoid(x) * sigmoid(-x)


@elementwise
def swish(x, beta=1.0):
    """x · σ(βx). β = 1 is SiLU, β = 0 is x/2, a large β comes close to ReLU."""
    return times(x, sigmoid(times(x, finite(beta))))


@elementwise
def swish_grad(x, beta=1.0):
    """σ(βx) + βx · σ'(βx)."""
    bx = times(x, finite(beta))
    return sigmoid(bx) + times(bx, sigmoid_grad(bx))


def finite(beta):
    """beta itself, or an error if it is infinite or nan."""
    if not np.all(np.isfinite(beta)):
        raise ValueError(t("library.finite_beta", beta=beta))
    return beta


def silu(x):
    """x · σ(x): Swish with β = 1."""
    return swish(x)


def silu_grad(x):
    """σ(x) + x · σ'(x)."""
    return swish_grad(x)


def quick_gelu(x):
    """x · σ(1.702x), the sigmoid form of GELU that CLIP uses: Swish with β = 1.702."""
    return swish(x, QUICK_SCALE)


def quick_gelu_grad(x):
    """Derivative of x · σ(1.702x)."""
    return swish_grad(x, QUICK_SCALE)


@elementwise
def gelu_tanh(x):
    """GELU's tanh form, ½x(1 + tanh u), written x · σ(2u): equal, and nothing cancels for x < 0."""
    u = TANH_SCALE * (x + TANH_CUBIC * x * x * x)
    return times(x, sigmoid(2 * u))


@elementwise
def gelu_tanh_grad(x):
    """σ(2u) + x · 2u' · σ'(2u), with u' = √(2/π) · (1 + 3 · 0.044715 x²)."""
    u = TANH_SCALE * (x + TANH_CUBIC * x * x * x)
    u_grad = TANH_SCALE * (1 + 3 * TANH_CUBIC * x * x)
    return sigmoid(2 * u) + times(x * 2 * u_grad, sigmoid_grad(2 * u))
