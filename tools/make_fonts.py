"""Make the site's fonts from their npm packages: smaller files with just the glyphs the book uses.

    npm pack @fontsource-variable/literata@5.3.0 @fontsource/stix-two-math@5.3.0
    python tools/make_fonts.py FOLDER_WITH_THE_UNPACKED_PACKAGES

Needs fonttools and brotli.  The results are committed; run it again to add a glyph.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

OUT = Path(__file__).parents[1] / "ffnbook/site/extension/theme/static/fonts"
TEXT = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "–—‘’“”…•′″−×÷≈≠≤≥‹›€™\u202f\u2009\u00a0")}
MATH = {
    *range(0x20, 0x7F),
    *map(ord, "±×÷·¬°²³¹…′″‖∂∇∈∉∏∑−∗∘√∝∞∧∨∩∪∫∼≈≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋯⋮⌈⌉⌊⌋⟨⟩←→↑↓⇒⇔↦ℝℕℤℓℎ\u2061\u2062\u2063\u2009\u00a0ˆ¯˜̂̄̃"),
    *range(0x391, 0x3CA), 0x3D5, 0x3F5,
    *range(0x1D434, 0x1D468),  # italic Latin
    *range(0x1D468, 0x1D49C),  # bold italic Latin
    *range(0x1D400, 0x1D434),  # bold Latin
    *range(0x1D6E2, 0x1D71C),  # italic Greek
    0x1D7D9,
}


def keep(font: TTFont, glyphs: set[int], *, features: list[str]) -> TTFont:
    options = subset.Options(flavor="woff2", layout_features=features, notdef_outline=True, hinting=False)
    options.drop_tables += ["DSIG"]
    worker = subset.Subsetter(options)
    worker.populate(unicodes=glyphs)
    worker.subset(font)
    return font


def thin_spaces(font: TTFont) -> TTFont:
    """Give the thin spaces between groups of digits a width: without a glyph of its own each system draws another."""
    for table in font["cmap"].tables:
        table.cmap.update({0x2009: "space", 0x202F: "space"})
    return font


def even_radicals(font: TTFont) -> TTFont:
    """Make the taller root signs as narrow as the first.

    A browser keeps room for the widest of them (MathML Core, 3.3.3): after each √2 there was a gap of 0.4 em.
    """
    variants = font["MATH"].table.MathVariants
    radical = font.getBestCmap()[0x221A]
    found = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(radical)]
    taller = {record.VariantGlyph for record in found.MathGlyphVariantRecord} | {part.glyph for part in found.GlyphAssembly.PartRecords}
    glyphs, width = font.getGlyphSet(), font["hmtx"][radical][0]
    for name in taller - {radical}:
        pen = TTGlyphPen(None)
        glyphs[name].draw(TransformPen(pen, (width / glyphs[name].width, 0, 0, 1, 0, 0)))
        font["glyf"][name] = pen.glyph()
        font["glyf"][name].recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, font["glyf"][name].xMin)
    return font


def save(font: TTFont, name: str) -> None:
    font.flavor = "woff2"
    font.save(OUT / name)
    print(name, (OUT / name).stat().st_size)


def main(packages: Path) -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for style in ("normal", "italic"):
        font = TTFont(next(packages.rglob(f"literata-latin-wght-{style}.woff2")))
        font = keep(font, TEXT, features=["kern", "liga", "mark", "ccmp"])
        limits = {"wght": (400, 700)} if style == "normal" else {"wght": 400}
        save(thin_spaces(instancer.instantiateVariableFont(font, limits)), f"literata-{style}.woff2")
    font = TTFont(next(packages.rglob("stix-two-math-latin-400-normal.woff2")))
    save(even_radicals(keep(font, MATH, features=["ssty", "mark", "mkmk", "ccmp"])), "stix-two-math.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
