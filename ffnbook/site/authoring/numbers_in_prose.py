"""Numbers in prose that no cell computed.

Every decimal number, and every integer from 13 on, comes from a cell ({glue:text}) or is
marked as given ({given}).  Free are small integers, years, and numbers that are names:
of models and versions, of sections and tables, dates, arXiv ids.
"""

from __future__ import annotations

import re

SMALLEST = 13
YEARS = range(1900, 2040)  # 2048 is a width, not a year
NUMBER = re.compile(r"(?<!\w)(?<![^\W\d_]-)(?<!\d[.,\u202f\u00a0])\d+(?:[.,\u202f\u00a0]\d+)*(?:e[-−+]?\d+)?")
_MONTHS = (
    "january february march april may june july august september october november december enero febrero marzo "
    "abril mayo junio julio agosto septiembre octubre noviembre diciembre"
).replace(" ", "|")
_PLACES = (
    "sections? sec\\. tables? tab\\. figures? fig\\. equations? eqs?\\. chapters? appendix pages? pp?\\. lines? algorithm "
    "theorem lemma footnote secci(?:ón|ones) tablas? figuras? ecuaci(?:ón|ones) cap(?:ítulos?|\\.) apéndice págs?\\. "
    "páginas? líneas? algoritmo teorema lema nota"
).replace(" ", "|")
_PRODUCTS = (
    "Python PyTorch NumPy SciPy Matplotlib CUDA Llama LLaMA Gemma Mistral Mixtral Phi Qwen PaLM DeepSeek OLMo OPT Pythia "
    "Falcon GPT Claude Windows Ubuntu Classroom"
).replace(" ", "|")
NAMES = re.compile(
    rf"""
      \barXiv:?\s?\d{{4}}\.\d{{4,5}}(?:v\d+)?
    | \b10\.\d{{4,}}/\S+
    | \b\d{{4}}-\d\d(?:-\d\d)?\b
    | (?:(?i:\b(?:{_PLACES}))|§+)\s*(?:[A-Z]\.?)?\d+(?:\.\d+)*(?:\s?[–,-]\s?\d+(?:\.\d+)*)*
    | \b(?:{_PRODUCTS})[ -]?v?\d+(?:\.\d+)*(?:[ -]\d+(?:\.\d+)?[BM]\b)?
    | \b\d{{1,2}}(?:\sde)?\s(?i:{_MONTHS})\b
    | \b(?i:{_MONTHS})\s\d{{1,2}}\b
    | ^\s*\d+(?:\.\d+)*[.)]\s
    """,
    re.VERBOSE,
)


def stray_numbers(text: str) -> list[str]:
    """The numbers of one line of prose that should have come from a cell."""
    if not any(map(_computed, NUMBER.findall(text))):
        return []
    return [found for found in NUMBER.findall(NAMES.sub(" ", text)) if _computed(found)]


def _computed(number: str) -> bool:
    return not number.isdigit() or (int(number) >= SMALLEST and int(number) not in YEARS)
