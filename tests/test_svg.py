"""Figures as they stand in the page."""

import re

import pytest
from matplotlib.figure import Figure

from ffnbook.figures.style import PALETTE
from ffnbook.figures.svg import VARIABLES, to_svg


@pytest.fixture
def figure():
    fig = Figure(figsize=(4, 2))
    ax = fig.add_subplot()
    ax.plot([0, 1], [0, 1], color=PALETTE["gelu"])
    ax.text(0.5, 0.5, "0.12345", fontweight="bold", fontstyle="italic")
    return fig


def test_a_figure_without_alt_text_is_refused(figure):
    with pytest.raises(ValueError, match="alt text"):
        to_svg(figure, name="f", alt="  ")


def test_alt_text_is_read_and_cannot_break_out_of_its_attribute(figure):
    svg = to_svg(figure, name="f", alt='A "curve" <b>')
    assert 'role="img" aria-label="A &quot;curve&quot; &lt;b&gt;"' in svg


def test_colours_are_the_page_s_variables_and_stand_in_style(figure):
    svg = to_svg(figure, name="f", alt="x")
    assert "stroke: var(--c-gelu,#7b2d8e)" in svg
    assert not re.search(r'(fill|stroke)="var', svg), "var() does nothing in a presentation attribute"


def test_every_colour_of_the_palette_has_its_variable():
    assert {c.lower() for c in PALETTE.values()} <= set(VARIABLES)


def test_text_stays_text_in_the_page_s_font_with_its_weight_and_digits(figure):
    svg = to_svg(figure, name="f", alt="x")
    assert ">0.12345</text>" in svg, "only coordinates are shortened"
    bold = re.search(r'<text[^>]*style="([^"]*)"[^>]*>0\.12345', svg)[1]
    assert "font-weight" in bold or "bold" in bold
    assert "italic" in bold
    assert "DejaVu" not in svg


def test_two_figures_share_no_id(figure):
    ids = [set(re.findall(r'id="([^"]+)"', to_svg(figure, name=n, alt="x"))) for n in ("one", "two")]
    assert ids[0] and not ids[0] & ids[1]


def test_every_reference_resolves(figure):
    svg = to_svg(figure, name="a.b", alt="x")
    used = set(re.findall(r'#([\w-]+)[")]', re.sub(r"#[0-9a-f]{6}", "", svg)))
    assert used <= set(re.findall(r'id="([^"]+)"', svg))


def test_the_same_figure_gives_the_same_bytes(figure):
    assert to_svg(figure, name="f", alt="x") == to_svg(figure, name="f", alt="x")


def test_no_style_of_a_figure_leaks_into_the_page(figure):
    assert "<style" not in to_svg(figure, name="f", alt="x")
