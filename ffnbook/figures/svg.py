"""A matplotlib figure as inline SVG that belongs to the page it stands on.

Text stays text in the page's own font; colours become CSS variables, so that one figure
serves the light and the dark theme; sizes follow the column.  Text is as large as it was
drawn only where the page sets ``--figure-text`` to 1, which it does on phones.
"""

from __future__ import annotations

import html
import io
import re

import matplotlib

# Light-theme hex, as figures are drawn, to the page's variable of the same meaning.
VARIABLES = {
    "#0b5cad": "--c-attention",
    "#b04008": "--c-ffn",
    "#1f7a4d": "--c-embeddings",
    "#5b6470": "--c-rest",
    "#3d4756": "--c-relu",
    "#7b2d8e": "--c-gelu",
    "#00696e": "--c-silu",
    "#1b2026": "--fg",
    "#59626d": "--muted",
    "#d5dae0": "--line",
    "#f4f6f8": "--panel",
    "#ffffff": "--bg",
}
TEXT = "calc({}*var(--figure-text,.84))"  # drawn for a phone; .84 of that is plenty beside prose
RC = {"svg.fonttype": "none", "svg.hashsalt": "ffnbook", "axes.formatter.use_mathtext": False}


def to_svg(fig, *, name: str, alt: str) -> str:
    """``fig`` as one ``<svg>`` element: ``name`` keeps its ids apart, ``alt`` is read aloud.

    Raises ValueError where ``alt`` is empty: a figure without one says nothing to some readers.
    """
    if not alt.strip():
        raise ValueError(f"figure {name} has no alt text: write one that says what is to be seen")
    raw = io.StringIO()
    with matplotlib.rc_context(RC):
        fig.savefig(raw, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = raw.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.S)
    svg = _local_ids(svg, name)
    svg = _themed(svg)
    svg = re.sub(r"<[^>]+>", lambda tag: re.sub(r"\d+\.\d{3,}", _short, tag[0]), svg)
    svg = re.sub(r"\s+", " ", re.sub(r">\s+<", "><", svg))
    width = re.search(r'viewBox="0 0 ([\d.]+)', svg)[1]
    head = f'<svg class="figure" role="img" aria-label="{html.escape(alt)}" style="max-width:{float(width) * 4 / 3:.0f}px"'
    svg = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) (?:height|width)="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'<svg xmlns:xlink="[^"]*"', "<svg", svg, count=1)
    return svg.replace("xlink:href", "href").replace("<svg", head, 1).strip()


def _short(number: re.Match) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _local_ids(svg: str, name: str) -> str:
    """Ids unique on a page: matplotlib numbers every figure's parts alike."""
    prefix = re.sub(r"\W+", "-", name)
    ids = set(re.findall(r'\bid="([^"]+)"', svg))
    used = {i for i in ids if f"#{i}" in svg}
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}-{m[1]}"' if m[1] in used else "", svg)
    return re.sub(r"#(%s)\b" % "|".join(map(re.escape, used)), rf"#{prefix}-\1", svg) if used else svg


def _themed(svg: str) -> str:
    for colour, variable in VARIABLES.items():
        svg = re.sub(rf"(?i)(?<=[ :\"]){colour}\b", f"var({variable},{colour})", svg)
    # CSS variables work in style="…" only, never in a presentation attribute
    svg = re.sub(r' (fill|stroke|stop-color)="(var\([^"]+\))"', r' style="\1:\2"', svg)
    svg = re.sub(r"font: (?:italic |oblique )?(?:(\w+) )?([\d.]+px) [^;\"]*", _font, svg)
    svg = re.sub(r"font-size: ([\d.]+px)", lambda size: f"font-size:{TEXT.format(size[1])}", svg)
    return re.sub(r"font-family: [^;\"]*", "font-family:inherit", svg)


def _font(found: re.Match) -> str:
    weight = f"font-weight:{found[1]};" if found[1] else ""
    italic = "font-style:italic;" if "italic" in found[0] or "oblique" in found[0] else ""
    return f"{italic}{weight}font-size:{TEXT.format(found[2])}"
