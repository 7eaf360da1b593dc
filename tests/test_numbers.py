"""Numbers as each language writes them, against Python's own exact decimals."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ffnbook import messages
from ffnbook.numbers import MINUS, NBSP, STYLES, THIN, localise, num

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
languages = st.sampled_from(messages.LANGUAGES)
finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15)

WRITTEN = [
    ((0.0201, {}), "0,0201", "0.0201"),
    ((3072, {}), "3072", "3,072"),
    ((12288, {}), f"12{THIN}288", "12,288"),
    ((124439808, {}), f"124{THIN}439{THIN}808", "124,439,808"),
    ((-1234567.891, {"decimals": 2}), f"{MINUS}1{THIN}234{THIN}567,89", f"{MINUS}1,234,567.89"),
    ((4.73e-4, {"sci": True}), f"4,73{NBSP}×{NBSP}10⁻⁴", f"4.73{NBSP}×{NBSP}10⁻⁴"),
    ((-6e23, {"sci": True, "sig": 1}), f"{MINUS}6{NBSP}×{NBSP}10²³", f"{MINUS}6{NBSP}×{NBSP}10²³"),
    ((0.0002, {"percent": True, "decimals": 2}), f"0,02{NBSP}%", "0.02%"),
    ((0.07, {"percent": True}), f"7{NBSP}%", "7%"),
    ((0.29, {"percent": True}), f"29{NBSP}%", "29%"),
    ((2 / 3, {"sig": 3}), "0,667", "0.667"),
    ((9.996, {"sig": 3}), "10,0", "10.0"),
    ((0.0996, {"sig": 2}), "0,10", "0.10"),
    ((1e-7, {}), f"1{NBSP}×{NBSP}10⁻⁷", f"1{NBSP}×{NBSP}10⁻⁷"),
    ((1.5e-5, {}), f"1,5{NBSP}×{NBSP}10⁻⁵", f"1.5{NBSP}×{NBSP}10⁻⁵"),
    ((-0.001, {"decimals": 2}), "0,00", "0.00"),
    ((-0.0, {}), "0", "0"),
    ((0, {"sci": True}), "0", "0"),
    ((2.0, {}), "2", "2"),
    ((math.inf, {}), "∞", "∞"),
    ((-math.inf, {"percent": True}), f"{MINUS}∞", f"{MINUS}∞"),
    ((math.nan, {"decimals": 2}), "NaN", "NaN"),
]


@pytest.mark.parametrize(("call", "es", "en"), WRITTEN)
def test_a_number_is_written_as_each_language_does(call, es, en):
    value, how = call
    assert num(value, lang="es", **how) == es
    assert num(value, lang="en", **how) == en


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int64, np.int8])
def test_a_numpy_number_shows_its_own_digits(kind):
    value = kind(0.1) if issubclass(kind, np.floating) else kind(12)
    assert num(value, lang="en") == str(value)


def read(text: str, lang: str) -> Decimal:
    """The value that a reader of the language takes from ``text``."""
    style = STYLES[lang]
    text = text.replace(style.group, "").replace(MINUS, "-").replace(style.decimal, ".")
    mantissa, _, power = text.partition(f"{NBSP}×{NBSP}10")
    return Decimal(mantissa).scaleb(int(power.translate(SUPERSCRIPTS))) if power else Decimal(mantissa)


@given(finite, languages)
def test_without_a_format_no_digit_is_lost(value, lang):
    assert float(read(num(value, lang=lang), lang)) == value


@given(st.integers(-(10**30), 10**30), languages)
def test_integers_are_exact(value, lang):
    assert int(read(num(value, lang=lang), lang)) == value


@given(finite, st.integers(0, 12), languages)
def test_decimals_round_the_true_value(value, decimals, lang):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    text = num(value, decimals, lang=lang)
    assert read(text, lang) == exact
    assert len(text.partition(STYLES[lang].decimal)[2]) == decimals


@given(finite, st.integers(1, 12), languages)
def test_significant_digits_are_counted_after_rounding(value, sig, lang):
    assume(value and abs(value) < 10 ** (sig - 1))  # integers keep all their digits
    digits = [c for c in num(value, sig=sig, lang=lang) if c.isdigit()]
    assert len("".join(digits).lstrip("0")) == sig


@given(finite, st.integers(1, 12), languages)
def test_powers_of_ten_keep_the_digits_asked_for(value, sig, lang):
    assume(value)
    assert read(num(value, sci=True, sig=sig, lang=lang), lang) == Decimal(f"{value:.{sig - 1}e}")


@given(finite, st.integers(0, 6), languages)
def test_one_sign_one_mark_groups_of_three(value, decimals, lang):
    style = STYLES[lang]
    text = num(value, decimals, lang=lang)
    whole = text.removeprefix(MINUS).partition(style.decimal)[0]
    groups = whole.split(style.group)
    assert "-" not in text and text.count(style.decimal) == (decimals > 0)
    assert all(len(group) == 3 for group in groups[1:])
    assert (len(groups) > 1) == (sum(map(len, groups)) >= style.group_from)
    assert text.startswith(MINUS) == (float(f"{value:.{decimals}f}") < 0)


@given(finite, st.integers(0, 6))
def test_the_languages_differ_in_marks_only(value, decimals):
    assert read(num(value, decimals, lang="es"), "es") == read(num(value, decimals, lang="en"), "en")


@given(st.decimals(-10, 10, places=4), languages)
def test_a_percentage_is_a_hundred_times_the_value_as_written(value, lang):
    text = num(float(value), percent=True, lang=lang)
    assert text.endswith(STYLES[lang].percent)
    assert read(text.removesuffix(STYLES[lang].percent), lang) == value * 100


def test_the_language_set_last_is_the_one_used():
    before = messages.current()
    try:
        messages.set_language("es")
        assert num(0.5) == "0,5"
        messages.set_language("en")
        assert num(0.5) == "0.5"
    finally:
        messages.set_language(before)


def test_a_plain_decimal_is_localised_digit_for_digit():
    assert localise("-012345.600", STYLES["es"]) == f"{MINUS}12{THIN}345,600"
    assert localise("0.10", STYLES["en"]) == "0.10"
