"""Reading in other ways: answering, on paper, without scripts, in the dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from reader import PROSE, Reader

from ffnbook.messages import LANGUAGES, t

CHAPTERS = [path for path in PROSE if path.split("/")[1] in ("exact-form.html", "activations.html", "width-and-parameters.html")]


@pytest.mark.parametrize("path", CHAPTERS)
def test_a_prediction_is_answered_and_remembered(reader, path):
    lang = path.split("/")[0]
    page = reader.open(path)
    box = page.locator(".predict").first
    wrong, right = box.locator(".choice.wrong").first, box.locator(".choice.right").first
    wrong.locator("summary").click()
    expect(wrong.locator(".folded")).to_contain_text(t("ui.predict.wrong", lang))
    right.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(right.locator(".folded")).to_contain_text(t("ui.predict.right", lang))
    expect(wrong.locator(".folded")).to_be_hidden()
    page.reload()
    expect(right.locator(".folded")).to_be_visible()
    expect(wrong.locator(".folded")).to_be_hidden()


def test_a_choice_is_kept_before_the_page_can_be_left(reader):
    """The browser says "toggle" some time after the click; a reader who follows a link at once must lose nothing."""
    page = reader.open("en/width-and-parameters.html")
    held = """(css) => { const choice = document.querySelector(css); choice.querySelector("summary").click();
        return [choice.open, Object.keys(localStorage).filter((key) => /^ffn-(answer|predict):/.test(key)).length]; }"""
    assert page.evaluate(held, ".predict details.choice") == [True, 1]
    page = reader.open("en/activations.html")
    assert page.evaluate(held, ".exercise details.choice") == [True, 2]


# What a reader would miss on paper. Replies stay out of it: printed under their question they would spoil it.
UNSEEN = """() => [...document.querySelectorAll("article :is(p, li, pre, td, th, dt, figcaption, h1, h2, h3, svg, math, figure)")]
  .filter((e) => (e.textContent.trim() || e.matches("svg")) && !e.closest(".choice .folded, .number-answer, form, button, .kept-buttons, .headerlink, .hidden, .contents-inline, .when-open, [hidden], [data-ffn-host]"))
  .filter((e) => !e.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true, opacityProperty: true }) || !e.getClientRects().length)
  .map((e) => e.outerHTML.slice(0, 90))"""
IN_THE_WAY = ".top, #menu, nav.contents, .contents-inline, .neighbours, .skip, .copy"


@pytest.mark.parametrize("path", PROSE)
def test_on_paper_the_whole_text_and_nothing_else(reader, path):
    page = reader.open(path, width=800, scheme="dark")
    reader.draw_widgets()
    page.emulate_media(media="print")
    shown = page.locator(IN_THE_WAY).evaluate_all("(es) => es.filter((e) => e.checkVisibility()).map((e) => e.className)")
    assert shown == []
    assert page.evaluate(UNSEEN) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("[...document.querySelectorAll('body *')].filter((e) => /fixed|sticky/.test(getComputedStyle(e).position) && e.checkVisibility()).length") == 0


def test_the_longest_page_prints(reader, site):
    longest = max(PROSE, key=lambda path: (site / path).stat().st_size)
    page = reader.open(longest)
    reader.draw_widgets()
    pdf = page.pdf(format="A4")
    assert pdf.startswith(b"%PDF") and pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") >= 3 or len(pdf) > 100_000


@pytest.mark.parametrize("path", PROSE)
def test_all_is_there_without_scripts(browser, server, path):
    someone = Reader(browser, server, java_script_enabled=False)
    page = someone.open(path, width=375)
    assert page.locator(".theme-button, .copy").evaluate_all("(es) => es.filter((e) => e.checkVisibility()).length") == 0
    lost = page.locator("article math, figure.plot svg, .ffn-fallback").evaluate_all(
        "(es) => es.filter((e) => !e.closest('details') && !e.getClientRects().length).map((e) => e.outerHTML.slice(0, 90))"
    )
    assert lost == []
    assert page.locator("article").inner_text().count("$") == page.locator("article pre, article code").all_inner_texts().__str__().count("$")
    page.locator(".menu-button").click()
    expect(page.locator("#menu a").first).to_be_visible()
    someone.leave()


def test_a_widget_says_in_words_what_it_would_show(browser, server):
    someone = Reader(browser, server, java_script_enabled=False)
    for lang in LANGUAGES:
        page = someone.open(f"{lang}/activations.html")
        expect(page.locator(".ffn-fallback table").first).to_be_visible()
    someone.leave()


# Every mark and every word of the figures, with the contrast between its colour and the page's.
FIGURES = """() => {
  const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map((v) => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const contrast = (c) => { const l = light(c); return (Math.max(l, ground) + .05) / (Math.min(l, ground) + .05); };
  return [...document.querySelectorAll("figure.plot svg")].map((svg) => ({
    strokes: [...svg.querySelectorAll("path, line, use")].map((e) => getComputedStyle(e).stroke).filter((c) => c.startsWith("rgb")),
    words: [...svg.querySelectorAll("text")].filter((e) => e.textContent.trim()).map((e) => [e.textContent.trim(), contrast(getComputedStyle(e).fill)]),
  }));
}"""


@pytest.mark.parametrize("path", CHAPTERS)
def test_figures_follow_the_theme_and_their_words_can_be_read(reader, path):
    page = reader.open(path, scheme="light")
    light = page.evaluate(FIGURES)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(FIGURES)
    assert light and len(light) == len(dark)
    for one, other in zip(light, dark, strict=True):
        assert one["strokes"] != other["strokes"]
        faint = [word for word in one["words"] + other["words"] if word[1] < 4.5]
        assert faint == []


# Displayed formulas that reach their number, and those that could stand in the middle and do not.
NUMBERED = """() => [...document.querySelectorAll("div.math:has(.eqno)")].flatMap((box) => {
  const number = box.querySelector(".eqno").getBoundingClientRect(), of = box.getBoundingClientRect();
  const ink = [...box.querySelectorAll("mi, mn, mo, mtext")].map((e) => e.getBoundingClientRect());
  const left = Math.min(...ink.map((r) => r.left)) - of.left, right = Math.max(...ink.map((r) => r.right));
  const free = of.right - right, meets = right > number.left, aside = of.width > 600 && Math.abs(left - free) > 12;
  return meets || aside ? [box.textContent] : [];
})"""


@pytest.mark.parametrize("width", [320, 375, 1400])
def test_a_formula_and_its_number_stand_apart(reader, width):
    for path in PROSE:
        page = reader.open(path, width=width)
        reader.unfold()
        assert page.evaluate(NUMBERED) == [], path


def test_no_line_runs_through_the_subscripts_of_a_link(reader):
    """Firefox sets subscripts below the line that a link's text-decoration draws; here a border underlines."""
    for path in PROSE:
        page = reader.open(path)
        lines = page.evaluate(
            "[...document.querySelectorAll('a[href*=\"#term-\"]:has(math)')].map((a) => { const s = getComputedStyle(a);"
            " return [s.textDecorationLine, s.borderBottomStyle] })"
        )
        assert all(line == ["none", "dotted"] for line in lines), path
