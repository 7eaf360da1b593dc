"""Formulas as the reader's browser gets them."""

import re

import pytest

from ffnbook.site.extension.mathml import to_mathml


def render(latex, lang="en", display=False):
    return to_mathml(latex, display=display, lang=lang)


def test_spanish_formulas_use_the_decimal_comma_and_english_ones_the_point():
    assert "<mn>0,044715</mn>" in render("0.044715 x^3", "es")
    assert "<mn>0.044715</mn>" in render("0.044715 x^3", "en")


def test_a_comma_between_arguments_stays_an_operator():
    assert "<mo>,</mo>" in render(r"\max(0, x)", "es")


def test_a_sign_is_close_to_its_number_and_a_subtraction_is_not():
    assert '(</mo><mo form="prefix">−</mo>' in render("f(-x)")
    assert "<mn>3</mn><mo>−</mo><mn>2</mn>" in render("3-2")


def test_minus_is_the_true_minus():
    assert "<mo>-</mo>" not in render("a - b")


def test_a_product_component_by_component_is_no_large_operator():
    assert '<mo largeop="false">⊙</mo>' in render(r"a \odot b", display=True)


def test_function_names_are_identifiers():
    assert "<mi>max</mi><mo" in render(r"\max(0, x)")
    assert '<mi>log</mi><mspace width="0.17em"/>' in render(r"\log n")


def test_a_displayed_formula_is_a_block():
    assert re.match(r'<math display="block"', render("x", display=True))
    assert "display=" not in render("x")


@pytest.mark.parametrize(
    "latex",
    [
        r"\mathrm{FFN}(x) = W_2\,\sigma(W_1 x + b_1) + b_2",
        r"\tfrac{x}{2}\left[1+\operatorname{erf}\left(x/\sqrt2\right)\right]",
        r"\tanh\left(\sqrt{2/\pi}\,(x+0.044715x^3)\right)",
        r"W \in \mathbb{R}^{d_{\mathrm{ff}} \times d}",
        r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
    ],
)
def test_the_book_s_formulas_leave_no_latex_behind(latex):
    text = re.sub(r"<[^>]+>", "", render(latex))
    assert "\\" not in text and "{" not in text


@pytest.mark.parametrize(("latex", "lang", "why"), [
    (r"\frac{1", "es", "sus llaves no van por parejas"), (r"\frac{1", "en", "its braces do not pair"),
    (r"\nosuch{x}", "es", "no se conoce \\nosuch"), (r"\nosuch{x}", "en", "\\nosuch is not known"),
])  # fmt: skip
def test_what_is_wrong_with_a_formula_is_said_in_the_language_of_the_page(latex, lang, why):
    with pytest.raises(ValueError) as error:
        to_mathml(latex, display=False, lang=lang)
    assert str(error.value) == why
