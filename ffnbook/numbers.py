"""Numbers as each language writes them.

The rule of the Spanish edition: decimal comma; a thin no-break space between groups of
three digits from five digits on.  The English edition: decimal point, commas from four
digits on.  Both use the true minus sign.  Code and learners' input always use the point.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from ffnbook import messages

MINUS, THIN, NBSP = "\u2212", "\u202f", "\u00a0"


@dataclass(frozen=True)
class Style:
    decimal: str
    group: str
    group_from: int  # smallest number of integer digits that is grouped
    percent: str


STYLES = {"es": Style(",", THIN, 5, NBSP + "%"), "en": Style(".", ",", 4, "%")}


def num(
    value: float,
    decimals: int | None = None,
    *,
    sig: int | None = None,
    sci: bool = False,
    percent: bool = False,
    lang: str | None = None,
) -> str:
    """``value`` written for the reader.

    ``decimals`` fixes the digits after the mark, ``sig`` the significant digits; with
    neither, integers are exact and other numbers shown as Python shows them (as powers of
    ten where Python does).  ``sci`` gives powers of ten, ``percent`` multiplies by 100 and
    adds the sign.
    """
    style = STYLES[lang or messages.current()]
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else (MINUS if value < 0 else "") + "∞"
    if percent:
        hundredfold = float(f"{100 * value:.15g}")  # 0.07 is 7 %, not 7.000000000000001 %
        return num(hundredfold, decimals, sig=sig, lang=lang) + style.percent
    plain = f"{value:.{(sig or 3) - 1}e}" if sci and value else _digits(value, decimals, sig)
    mantissa, _, exponent = plain.partition("e")
    power = f"{NBSP}×{NBSP}10{_superscript(int(exponent))}" if exponent else ""
    return localise(mantissa, style) + power


def _digits(value: float, decimals: int | None, sig: int | None) -> str:
    if decimals is None and sig is not None:
        rounded = f"{value:.{sig - 1}e}"  # 9.996 to three digits is 10.0, not 10.00
        decimals = max(0, sig - 1 - int(rounded.partition("e")[2]))
    if decimals is not None:
        return f"{value:.{decimals}f}"
    if float(value).is_integer():
        return str(int(value))
    return str(value if isinstance(value, Real) else float(value))  # a float32 has its own, fewer digits


def localise(plain: str, style: Style) -> str:
    """A plain decimal string such as ``-12345.6`` in ``style``; a zero has no sign."""
    sign = MINUS if plain.startswith("-") and plain.strip("-0.") else ""
    whole, _, fraction = plain.lstrip("-").partition(".")
    if len(whole) >= style.group_from:
        whole = f"{int(whole):,}".replace(",", style.group)
    return sign + whole + (style.decimal + fraction if fraction else "")


def _superscript(n: int) -> str:
    return str(n).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
