"""The widgets in their chapters: Python's numbers, one picture each, a state that a link can name."""

from __future__ import annotations

import pytest
from chromium import soon
from playwright.sync_api import expect

from ffnbook import activations
from ffnbook.messages import LANGUAGES, t
from ffnbook.numbers import num
from ffnbook.parameters import count, total_params
from ffnbook.presets import PRESETS
from ffnbook.widgets import FFNByHand
from ffnbook.widgets.ffn_by_hand import short

HOST = "[data-ffn-host]"


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("x", [-0.5, 1.5])
def test_the_explorer_reads_what_python_computes(reader, lang, x):
    page = reader.open(f"{lang}/activations.html#activation-explorer:x={x}&show=gelu,silu,relu")
    table = page.locator(f"{HOST}[data-ffn-host=drawn] table").first
    expect(table.locator("caption")).to_contain_text(num(x, 2, lang=lang))
    cells = {row[0].strip(): row[1:3] for row in table.locator("tbody tr:visible").evaluate_all("(rows) => rows.map((r) => [...r.cells].map((c) => c.textContent))")}
    for name in ("relu", "gelu", "silu"):
        expected = [num(float(getattr(activations, f)(x)), 4, lang=lang) for f in (name, f"{name}_grad")]
        title = t(f"widgets.activation_explorer.names.{name}", lang)
        assert cells[title] == expected, name


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("preset", ["gpt2-small", "llama3-8b"])
def test_the_split_counts_what_python_counts(reader, lang, preset):
    page = reader.open(f"{lang}/width-and-parameters.html#parameter-split:preset={preset}")
    config = PRESETS[preset]
    said = page.locator(f"{HOST}[data-ffn-host=drawn]")
    expect(said).to_contain_text(num(total_params(config), lang=lang))
    expect(said).to_contain_text(num(count(config)["ffn"], lang=lang))
    expect(said).to_contain_text(num(count(config)["ffn"] / total_params(config), 1, percent=True, lang=lang))


@pytest.mark.parametrize("width", [375, 1400])
@pytest.mark.parametrize(
    "link", ["exact-form.html#ffn-by-hand:x1=-1", "activations.html#activation-explorer:x=-2", "width-and-parameters.html#parameter-split:preset=gpt2-small"]
)
def test_a_link_to_a_setting_shows_the_widget_from_its_top(reader, link, width):
    page = reader.open(f"en/{link}", width=width)
    expect(page.locator(f"{HOST}[data-ffn-host=drawn] .ffnw")).to_be_in_viewport()
    soon(page, lambda: 0 <= page.locator(".ffnw").evaluate("(e) => e.getBoundingClientRect().top") <= 200, True)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chapter", ["exact-form", "activations", "width-and-parameters"])
def test_one_picture_per_widget_at_first_and_after_three_moves(reader, lang, chapter):
    page = reader.open(f"{lang}/{chapter}.html")
    reader.draw_widgets()
    hosts = page.locator(HOST)
    pictures = hosts.evaluate_all("(all) => all.map((e) => e.querySelectorAll('svg').length)")
    assert all(pictures)
    expect(page.locator(".ffn-fallback")).to_have_count(0)
    slider = hosts.first.locator("input[type=range]").first
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert hosts.evaluate_all("(all) => all.map((e) => e.querySelectorAll('svg').length)") == pictures
    expect(page.locator(".ffn-fallback")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 1400])
def test_keyboard_and_pointer_move_the_same_thing(reader, width):
    page = reader.open("es/activations.html", width=width)
    reader.draw_widgets()
    plot = page.locator(f"{HOST} [role=slider]").first
    plot.focus()
    page.keyboard.press("Home")
    expect(plot).to_have_attribute("aria-valuenow", "-5")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("(e) => Math.abs(e.getAttribute('aria-valuenow')) < 2.5", arg=plot.element_handle())


def carried(lang: str, **state) -> list[str]:
    """What the boxes of the FFN by hand should say, by Python: inputs, then each neuron's z and h, then the outputs."""
    widget = FFNByHand(lang=lang, **state)
    run = widget.steps()
    between = [v for pair in zip(run["z"], run["h"]) for v in pair]
    return [short(float(v), lang) for v in (widget.x1, widget.x2, *between, *run["y"])]


def boxes(page) -> list[str]:
    """The same as the page says it; the sums with the residual, which stand hidden, left out."""
    return page.locator(f"{HOST} .ffnw-box b").evaluate_all("(all) => all.filter((b) => b.checkVisibility({ visibilityProperty: true })).map((b) => b.textContent)")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_ffn_by_hand_says_what_python_and_the_text_say(reader, lang):
    page = reader.open(f"{lang}/exact-form.html#ffn-by-hand:x1=-1.3&x2=0.4&act=silu&unit=y1")
    page.wait_for_selector(f"{HOST}[data-ffn-host=drawn]")
    soon(page, lambda: boxes(page), carried(lang, x1=-1.3, x2=0.4, act="silu"))
    page.get_by_role("button", name=t("widgets.controls.reset", lang)).click()
    soon(page, lambda: boxes(page), carried(lang))
    widget = FFNByHand(lang=lang)
    text = page.locator("#exact-form-by-hand").inner_text()
    assert all(written in text for written in widget.sums().values()), "the sums in the prose are the widget's"
    said = page.locator(".ffnw-sum")
    for i in (1, 2, 3):
        page.locator(".ffnw-net label", has_text=t("widgets.ffn_by_hand.neuron", lang, n=i)).click()
        expect(said).to_contain_text(widget.sums()[f"z{i}"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_two_neurons_can_be_silenced_with_keys_alone(reader, lang):
    page = reader.open(f"{lang}/exact-form.html", width=375)
    reader.draw_widgets()
    one, two = (page.locator(HOST).get_by_role("slider", name=name) for name in ("x₁", "x₂"))
    for slider, presses in ((one, 20), (two, 20)):
        slider.focus()
        for _ in range(presses):
            page.keyboard.press("ArrowLeft")
    soon(page, lambda: boxes(page), carried(lang, x1=-1.0, x2=0.0))
    expect(page.locator(".ffnw-box.off")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375


def test_a_box_and_an_input_answer_to_the_pointer(reader):
    page = reader.open("en/exact-form.html", width=1400)
    reader.draw_widgets()
    net = page.locator(".ffnw-net")
    net.locator(".ffnw-box").nth(3).click()
    expect(page.locator(".ffnw-sum")).to_contain_text("z₂")
    bar = net.locator(".ffnw-drag .ffnw-reading").nth(1)
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 - box["width"] / 13, box["y"] + 5)
    page.mouse.up()
    soon(page, lambda: boxes(page), carried("en", x2=-1.0))
