"""The widgets on a static page in a real browser: keys, pointer, finger, links, languages, width, life and death."""

import re

import ipywidgets
import pytest
from chromium import chromium
from js import pages

from ffnbook import activations, messages, parameters
from ffnbook.numbers import num
from ffnbook.presets import PRESETS
from ffnbook.widgets import ActivationExplorer, FFNByHand, ParameterSplit
from ffnbook.widgets.ffn_by_hand import short

EXPLORER, SPLIT = "[data-widget=activation-explorer]", "[data-widget=parameter-split]"


@pytest.fixture(scope="module")
def chrome():
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(chrome):
    """`visit(*widgets, lang=…, hash=…, **context)` opens a page of widgets; script errors fail the test."""
    opened, all_errors = [], []

    def open_page(*widgets, lang="en", hash="", before="", drawn=None, **context):
        context = chrome.new_context(**{"viewport": {"width": 900, "height": 900}, "permissions": ["clipboard-read", "clipboard-write"]} | context)
        page = context.new_page()
        opened.append(context)
        all_errors.append(pages.show(page, pages.markup(*widgets, lang=lang, before=before), hash=hash))
        if drawn is not False:
            page.wait_for_function("n => document.querySelectorAll('[data-ffn-host=drawn]').length === n", arg=drawn or len(widgets))
        settle(page)
        return page

    yield open_page
    for context in opened:
        context.close()
    assert not sum(all_errors, [])


def explorer(**state):
    return ActivationExplorer(lang=state.pop("lang", "en"), **state)


def trait(page, name, anchor="activation-explorer"):
    return page.evaluate("""([name, anchor]) => [...ffnHost.models.values()].find((m) => m.get("anchor") === anchor).get(name)""", [name, anchor])


def draw_all(page):
    """Have also those drawn that are far from the window."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("[...document.querySelectorAll('[data-ffn-host]')].every((el) => el.dataset.ffnHost === 'drawn')")
    settle(page)


def test_choices_stand_in_their_own_order_though_the_kept_page_sorts_its_keys(visit):
    page = visit(explorer(), FFNByHand(lang="en"), ParameterSplit(lang="en"), drawn=False)
    draw_all(page)
    values = "all => all.map((box) => box.value)"
    units = ["h1", "h2", "h3", "y1", "y2"]
    assert page.eval_on_selector_all(f"{SPLIT} option", values) == list(PRESETS)
    assert page.eval_on_selector_all("[data-widget=ffn-by-hand] [type=radio]", values) == [*units, "none", "relu", "gelu", "silu"]
    assert page.eval_on_selector_all(f"{EXPLORER} [type=radio]", values) == ["value", "slope", "whole", "negative"]
    words = messages.catalogue("widgets.parameter_split.ratios", "en")
    assert page.locator(f"{SPLIT} .ffnw-ratios dt").all_text_contents() == [words[k] for k in ("ofAll", "ofMatrices", "perAttention")]



def settle(page):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# ---- keyboard, pointer, finger ------------------------------------------------------------------

def test_the_plot_is_a_slider_for_the_keyboard(visit):
    page = visit(explorer(lang="es"), lang="es")
    plot = page.get_by_role("slider", name=messages.t("widgets.activation_explorer.plot", "es"))
    plot.focus()
    steps = {"ArrowRight": -0.95, "ArrowLeft": -1.0, "PageUp": -0.5, "PageDown": -1.0, "Home": -5.0, "End": 5.0}
    for key, x in steps.items():
        page.keyboard.press(key)
        assert trait(page, "x") == pytest.approx(x), key
    settle(page)
    assert plot.get_attribute("aria-valuenow") == "5"
    assert "GELU: valor 5,0000, pendiente 1,0000" in plot.get_attribute("aria-valuetext")


def test_the_pointer_reads_off_values_equal_to_pythons(visit):
    page = visit(explorer(show=["relu", "gelu", "gelu_tanh", "silu", "swish"], beta=2.0))
    box = page.locator(".ffnw-plot").bounding_box()
    for part in (0.2, 0.45, 0.6):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + 100)
        settle(page)
        x = trait(page, "x")
        for i, name in enumerate(("relu", "gelu", "gelu_tanh", "silu", "swish")):
            extra = [2.0] if name == "swish" else []
            cells = page.locator("tbody tr").nth(i).locator("td").all_inner_texts()
            for text, function in zip(cells, (name, f"{name}_grad")):
                value = float(getattr(activations, function)(x, *extra))
                assert text == (num(value, sci=True, lang="en") if value and abs(value) < 5e-3 else num(value, 4, lang="en"))


def test_a_finger_moves_x_and_targets_are_large_enough(visit):
    page = visit(explorer(), viewport={"width": 375, "height": 700}, has_touch=True, is_mobile=True)
    box = page.locator(".ffnw-plot").bounding_box()
    page.touchscreen.tap(box["x"] + 70, box["y"] + 80)
    assert -5 <= trait(page, "x") < -3
    assert page.locator(".ffnw-plot").evaluate("(el) => getComputedStyle(el).touchAction") == "pan-y"
    heights = page.locator(".ffnw button, .ffnw input[type=range], .ffnw input[type=text], .ffnw-choice label").evaluate_all(
        "(all) => all.map((el) => el.getBoundingClientRect().height)")
    assert len(heights) > 12 and min(heights) >= 44


def test_native_controls_move_every_part_of_the_explorer(visit):
    page = visit(explorer())
    page.get_by_label("Swish", exact=True).check()
    page.get_by_label("slope", exact=True).check()
    page.get_by_label("negative side").check()
    page.get_by_role("slider", name=re.compile("^β")).fill("2.5")
    assert (trait(page, "show"), trait(page, "quantity"), trait(page, "zoom"), trait(page, "beta")) == (
        ["relu", "gelu", "silu", "swish"], "slope", "negative", 2.5)
    page.get_by_label(re.compile("^Difference")).check()
    settle(page)
    assert page.locator(".curve.gap").count() == 3  # the curve, and samples beside the checkbox and in the table
    assert page.get_by_role("slider", name=re.compile("^β")).is_disabled()
    page.get_by_role("button", name="Reset").click()
    assert (trait(page, "show"), trait(page, "difference"), trait(page, "beta")) == (["relu", "gelu", "silu"], False, 1)


def test_the_difference_view_marks_its_maximum(visit):
    page = visit(explorer(difference=True, x=2.7, lang="es"), lang="es")
    assert page.locator("svg .note").all_text_contents() == ["−4,73\u00a0×\u00a010⁻⁴"] * 2
    assert "x = ±2,699" in page.locator("tbody tr").last.inner_text()


def test_moving_beta_shows_swish_and_leaving_the_negative_side_shows_the_whole_axis(visit):
    page = visit(explorer(zoom="negative", x=-1.0))
    page.get_by_role("slider", name=re.compile("^β")).fill("3")
    assert "swish" in trait(page, "show")
    page.get_by_role("textbox", name="x", exact=True).fill("2,5")
    page.keyboard.press("Enter")
    assert (trait(page, "x"), trait(page, "zoom")) == (2.5, "whole")


def test_what_cannot_be_read_is_answered_in_the_pages_language(visit):
    page = visit(ParameterSplit("gpt2-small", lang="es"), lang="es")
    kv = page.get_by_role("textbox", name="cabezas KV")
    for typed, key, values in (("cinco", "controls.errors.integer", {}), ("5", "parameter_split.kv_error", {"all": "1 · 2 · 3 · 4 · 6 · 12"})):
        kv.fill(typed)
        kv.press("Enter")
        assert page.get_by_role("alert").filter(visible=True).inner_text() == messages.t(f"widgets.{key}", "es", **values)
        assert kv.get_attribute("aria-invalid") == "true" and trait(page, "n_kv_heads", "parameter-split") == 12
    kv.fill("4")
    kv.press("Enter")
    assert trait(page, "n_kv_heads", "parameter-split") == 4 and page.get_by_role("alert").filter(visible=True).count() == 0


# ---- the parameter split ------------------------------------------------------------------------

def test_each_preset_shows_pythons_total(visit):
    page = visit(ParameterSplit(lang="es"), lang="es")
    for key, config in PRESETS.items():
        page.get_by_label("Modelo", exact=True).select_option(key)
        settle(page)
        assert page.locator("tr.total td").nth(1).inner_text() == num(parameters.total_params(config), lang="es"), key
        assert page.locator("tr.ffn td").first.inner_text() == num(parameters.ffn_params(config), lang="es"), key


def test_areas_are_to_scale(visit):
    page = visit(ParameterSplit("llama3-8b"))
    for bar, expected in ((0, [41_943_040, 176_160_768, 8192]), (1, [1_050_673_152, 1_342_177_280, 5_637_144_576, 266_240])):
        widths = page.locator(".ffnw-bar").nth(bar).locator("rect").evaluate_all("(all) => all.map((r) => r.width.baseVal.value)")
        assert [w / sum(widths) for w in widths] == pytest.approx([n / sum(expected) for n in expected], abs=1e-7)


def test_an_edited_preset_says_so_and_can_be_taken_back(visit):
    page = visit(ParameterSplit("gpt2-small"))
    page.get_by_role("slider", name="expansion factor").fill("2")
    settle(page)
    assert trait(page, "d_ff", "parameter-split") == 1536
    assert page.get_by_role("status").first.inner_text() == "modified from GPT-2 small"
    page.get_by_role("textbox", name="expansion factor").fill("8/3")
    page.keyboard.press("Enter")
    assert trait(page, "d_ff", "parameter-split") == 2048
    page.get_by_role("button", name="Back to its sizes").click()
    settle(page)
    assert trait(page, "d_ff", "parameter-split") == 3072 and page.get_by_role("status").first.inner_text() == "unmodified"


def test_sizes_keep_their_relations_while_d_model_moves(visit):
    page = visit(ParameterSplit("llama-7b"))
    width = page.get_by_role("textbox", name="d_model")
    for typed in ("1000", "777", "4096"):
        width.fill(typed)
        width.press("Enter")
        settle(page)
    assert [trait(page, name, "parameter-split") for name in ("d_ff", "d_head", "n_heads")] == [11008, 128, 32], "no drift from rounding"


def test_the_page_does_not_jump_while_a_slider_moves(visit):
    page = visit(ParameterSplit("gpt2-small"), viewport={"width": 375, "height": 800})
    places = set()
    for value in ("0.5", "4", "16"):
        page.get_by_role("slider", name="expansion factor").fill(value)
        settle(page)
        places.add(page.locator(".ffnw-groups").evaluate("(el) => el.offsetTop"))
    assert len(places) == 1


@pytest.mark.parametrize("width", [320, 375, 800, 1400])
def test_room_is_kept_so_that_drawing_hardly_moves_the_page(visit, width):
    widgets = explorer(lang="es"), FFNByHand(lang="es"), ParameterSplit("llama3-8b", lang="es")
    page = visit(*widgets, lang="es", drawn=False, viewport={"width": width, "height": 800}, has_touch=width < 768)
    draw_all(page)
    drawn = page.locator("[data-ffn-host]").evaluate_all("(all) => all.map((el) => el.offsetHeight)")
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    for widget, height in zip(widgets, drawn):
        assert widget.heights[width >= 768] * rem == pytest.approx(height, rel=0.15)


def test_a_phone_offers_the_minus_sign_where_a_number_may_be_negative(visit):
    """The number pads of phones, which "decimal" and "numeric" call up, lack it."""
    read = "(fields) => fields.map((f) => [document.getElementById(f.getAttribute('aria-labelledby')).textContent.split(' ')[0], f.inputMode])"
    found = {}
    for widget in (explorer(), FFNByHand(lang="en"), ParameterSplit("mini-gpt", lang="en")):
        found |= dict(visit(widget).locator(".ffnw-slider input[type=text]").evaluate_all(read))
    assert [found[name] for name in ("x", "x₁", "x₂")] == ["text"] * 3
    assert found["β"] == "decimal" and found["layers"] == "numeric"


# ---- the FFN by hand ----------------------------------------------------------------------------

HAND = "ffn-by-hand"


def hand(visit, lang="en", hash="", context=None, **state):
    return visit(FFNByHand(lang=lang, **state), lang=lang, hash=hash, **(context or {}))


def numbers(page):
    """Every number in the boxes: x1, x2, then z and h of each neuron, then y and x + y of each output."""
    settle(page)
    return page.locator(".ffnw-box b").all_text_contents()


def expected(lang, **state):
    widget = FFNByHand(lang=lang, **state)
    run, total = widget.steps(), FFNByHand(lang=lang, **state | {"residual": True}).steps()["out"]
    shown = [widget.x1, widget.x2, *(v for pair in zip(run["z"], run["h"]) for v in pair)]
    shown += [v for y, out in zip(run["y"], total if widget.residual else run["out"]) for v in (y, out)]
    return [short(float(v), lang) for v in shown]


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_sliders_activation_and_ticks_give_pythons_numbers(visit, lang):
    words = messages.catalogue("widgets.ffn_by_hand", lang)
    page, state = hand(visit, lang), {}
    assert numbers(page) == expected(lang)
    for key, label, value in (("x1", "x₁", -2.3), ("x2", "x₂", 0.7)):
        page.get_by_role("slider", name=label).fill(str(value))
        state[key] = value
        assert numbers(page) == expected(lang, **state)
    for act in ("gelu", "silu", "none", "relu"):
        page.get_by_label(words["acts"][act], exact=True).check()
        assert numbers(page) == expected(lang, **state, act=act)
    page.get_by_label(words["biases"]).uncheck()
    page.get_by_label(words["residual"]).check()
    assert numbers(page) == expected(lang, **state, biases=False, residual=True)
    page.get_by_role("button", name=messages.t("widgets.controls.reset", lang)).click()
    assert numbers(page) == expected(lang)


def test_keys_choose_a_unit_and_its_sum_is_written_out(visit):
    page = hand(visit, act="gelu")
    page.get_by_role("radio", name="neuron 1").focus()
    said = {}
    for _ in range(5):
        said[trait(page, "unit", HAND)] = page.locator(".ffnw-sum").inner_text().replace("\u00a0", " ")
        page.keyboard.press("ArrowRight")
        settle(page)
    assert said["h2"] == "z₂ = 0.5·1 + (−1)·2 + 0 = −1.5 → GELU → h₂ ≈ −0.100"
    assert said["y1"] == "y₁ = 1·0.841 + 1·(−0.100) + (−1)·1.400 + 0 ≈ −0.659"
    assert list(said) == ["h1", "h2", "h3", "y1", "y2"] and trait(page, "unit", HAND) == "h1", "the arrows go round"
    assert page.locator(".ffnw-box").nth(2).evaluate("(box) => getComputedStyle(box).outlineStyle") == "solid", "one sees where the keys are"


def test_arrows_move_a_slider_by_a_tenth(visit):
    page = hand(visit, lang="es")
    track = page.get_by_role("slider", name="x₂")
    track.focus()
    for key, value in (("ArrowRight", 2.1), ("ArrowLeft", 2.0), ("End", 3), ("Home", -3)):
        page.keyboard.press(key)
        assert trait(page, "x2", HAND) == pytest.approx(value, abs=1e-12), key
    settle(page)
    assert track.get_attribute("aria-valuetext") == "−3"


@pytest.mark.parametrize("touch", [False, True])
def test_a_box_is_chosen_and_an_input_dragged_with_pointer_or_finger(visit, touch):
    page = hand(visit, context={"viewport": {"width": 375, "height": 900}, "has_touch": touch, "is_mobile": touch})
    press = (lambda x, y: page.touchscreen.tap(x, y)) if touch else page.mouse.click
    for nth, unit in ((3, "h2"), (6, "y2"), (2, "h1")):
        box = page.locator(".ffnw-box").nth(nth).bounding_box()
        assert box["height"] >= 44
        press(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert trait(page, "unit", HAND) == unit
    bar = page.locator(".ffnw-drag .ffnw-reading").first.bounding_box()
    at = lambda v: bar["x"] + bar["width"] * (1 + v / 6.5) / 2  # noqa: E731
    press(at(-2), bar["y"] + 5)
    assert trait(page, "x1", HAND) == pytest.approx(-2, abs=0.11)
    if not touch:
        page.mouse.down()
        page.mouse.move(at(6), bar["y"] + 5)
        page.mouse.up()
        assert trait(page, "x1", HAND) == 3, "as far as it goes"
    settle(page)
    assert page.locator(".ffnw-drag b").first.inner_text() == short(trait(page, "x1", HAND), "en")


def test_what_is_off_is_named_dashed_and_writes_nothing(visit):
    page = hand(visit, lang="es", x1=-1.0, x2=0.0)
    off = page.locator(".ffnw-box.off")
    assert off.locator("em").all_inner_texts() == ["apagada"] * 2
    assert off.first.evaluate("(box) => getComputedStyle(box).borderTopStyle") == "dashed"
    assert page.locator(".ffnw-note").inner_text().startswith("Neuronas apagadas: 2 de 3.")
    assert page.locator("path.silent").count() == 4, "two lines leave each of them"
    page.get_by_label("GELU", exact=True).check()
    settle(page)
    assert off.count() == 0, "GELU turns no neuron quite off"


def test_lines_tell_sign_by_colour_and_dash_and_size_by_width(visit):
    page = hand(visit)
    page.wait_for_selector(".ffnw-wires path", state="attached")  # drawn once the boxes have their places
    lines = page.locator(".ffnw-wires path:not(.skip)").evaluate_all("""(all) => all.map((l) => { const s = getComputedStyle(l);
        return [l.classList.contains("minus"), s.strokeDasharray !== "none", s.stroke, parseFloat(s.strokeWidth)]; })""")
    weights = [w for W in (FFNByHand().W1, FFNByHand().W2) for row in W for w in row]
    assert [(minus, dashed) for minus, dashed, _, _ in lines] == [(w < 0, w < 0) for w in weights]
    assert len({stroke for minus, _, stroke, _ in lines if minus} & {stroke for minus, _, stroke, _ in lines if not minus}) == 0
    assert {abs(w): width for w, (_, _, _, width) in zip(weights, lines)} == {0.5: 2, 1: 3}


@pytest.mark.parametrize("width", [320, 375, 860])
def test_lines_end_at_their_boxes_whatever_the_numbers(visit, width):
    page = hand(visit, lang="es", context={"viewport": {"width": width, "height": 900}})
    page.get_by_label("GELU", exact=True).check()
    page.get_by_role("slider", name="x₁").fill("-2.7")
    settle(page)
    gaps = page.evaluate("""() => { const boxes = [...document.querySelectorAll(".ffnw-box")].map((b) => b.getBoundingClientRect());
        const matrix = document.querySelector(".ffnw-wires").getScreenCTM();
        return [...document.querySelectorAll(".ffnw-wires path:not(.skip)")].flatMap((l) => [0, l.getTotalLength()].map((at) => {
            const p = l.getPointAtLength(at).matrixTransform(matrix);
            return Math.min(...boxes.map((b) => Math.abs(p.x - (b.left + b.right) / 2) + Math.min(Math.abs(p.y - b.top), Math.abs(p.y - b.bottom)))); })); }""")
    assert len(gaps) == 24 and max(gaps) < 2


def test_the_residual_is_added_without_moving_the_page(visit):
    page = hand(visit, unit="y2")
    before = page.locator(".ffnw").evaluate("(el) => el.offsetHeight")
    page.get_by_label("residual sum: x + FFN(x)").check()
    settle(page)
    assert page.locator(".ffnw").evaluate("(el) => el.offsetHeight") == before
    assert page.locator(".ffnw-sum").inner_text().replace("\u00a0", " ").endswith("= 1.5; x₂ + y₂ = 2 + 1.5 = 3.5")
    assert page.locator(".skip").evaluate("(l) => getComputedStyle(l).opacity") == "1"


def test_a_setting_of_the_tiny_ffn_is_linked_to(visit):
    page = hand(visit, hash=f"#{HAND}:x1=-1.5&x2=0.3&act=silu&unit=y2&biases=0&residual=1")
    assert [trait(page, name, HAND) for name in ("x1", "x2", "act", "unit", "biases", "residual")] == [-1.5, 0.3, "silu", "y2", False, True]
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"#{HAND}:x1=-1.5&x2=0.3&act=silu&unit=y2&biases=0&residual=1")


def test_the_tiny_ffn_is_told_to_screen_readers(visit):
    page = hand(visit, lang="es", act="gelu")
    page.get_by_role("slider", name="x₁").fill("0")
    page.wait_for_function("/^z₁ = 1·0 /.test(document.querySelector('[aria-live=polite]').textContent.replaceAll(/\\s/g, ' '))")
    said = page.locator("[aria-live=polite]").text_content().replace("\u00a0", " ")
    assert said.startswith("z₁ = 1·0 +") and "Neuronas apagadas: 1 de 3." in said  # z₁ is 0, and so is GELU(0)
    assert page.get_by_role("radio", name="neurona 2").count() == 1


# ---- links --------------------------------------------------------------------------------------

def test_an_address_sets_its_widget_and_only_that_one(visit):
    page = visit(explorer(), explorer(anchor="second"), hash="#activation-explorer:x=-0.75&show=gelu,silu&zoom=negative")
    assert [trait(page, name) for name in ("x", "show", "zoom")] == [-0.75, ["gelu", "silu"], "negative"]
    assert trait(page, "x", "second") == -1
    page.evaluate("location.hash = '#second:x=2&difference=1'")
    page.wait_for_function("[...ffnHost.models.values()].some((m) => m.get('anchor') === 'second' && m.get('x') === 2)")
    assert (trait(page, "x", "second"), trait(page, "difference", "second"), trait(page, "x")) == (2, True, -0.75)


def test_the_link_button_copies_an_address_that_restores_the_setting(visit):
    page = visit(ParameterSplit("gpt2-small"))
    page.get_by_role("textbox", name="d_ff, exact").fill("2,048")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Link copied").wait_for()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == f"{pages.ORIGIN}/page.html#parameter-split:preset=gpt2-small&d_ff=2048"
    again = visit(ParameterSplit("mini-gpt"), hash="#" + address.split("#")[1])
    assert (trait(again, "preset", "parameter-split"), trait(again, "d_ff", "parameter-split")) == ("gpt2-small", 2048)


def test_a_far_widget_waits_unless_its_address_or_the_printer_calls(visit):
    far = '<div style="height: 6000px"></div>'
    page = visit(explorer(), before=far, drawn=False)
    page.wait_for_timeout(200)
    assert page.locator("[data-ffn-host=waiting]").count() == 1 and page.locator(".fallback table").is_visible()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.wait_for_selector("[data-ffn-host=drawn]")
    named = visit(explorer(), before=far, hash="#activation-explorer:x=2")
    assert trait(named, "x") == 2 and named.evaluate("scrollY") > 1000


# ---- the host -----------------------------------------------------------------------------------

def test_exactly_one_figure_is_left_and_the_fallback_is_gone(visit):
    page = visit(explorer())
    assert page.locator(".ffnw-plot").count() == 1 and page.locator(".fallback").count() == 0


def test_views_of_one_model_move_together(visit):
    widget = explorer()
    page = visit(widget, widget, drawn=2)
    page.get_by_role("textbox", name="x", exact=True).first.fill("3")
    page.keyboard.press("Enter")
    settle(page)
    assert page.locator("caption").all_inner_texts() == ["x = 3.00"] * 2


def test_boxes_and_links_between_widgets_work_without_python(visit):
    left, right = explorer(), explorer(anchor="second", x=0.0)
    link = ipywidgets.jslink((left, "x"), (right, "x"))
    page = visit(ipywidgets.VBox([left, ipywidgets.HBox([right])]))
    assert trait(page, "x", "second") == -1, "a link copies its source at once"
    page.get_by_role("textbox", name="x", exact=True).nth(1).fill("4")
    page.keyboard.press("Enter")
    assert trait(page, "x") == 4
    link.unlink()


def test_a_control_that_needs_python_says_so_in_the_pages_language(visit):
    page = visit(ipywidgets.VBox([explorer(lang="es"), ipywidgets.IntSlider()]), lang="es", drawn=False)
    assert page.locator("[data-ffn-host=needs-python]").inner_text() == messages.t("ui.script.host_needs_python", "es")


def test_a_broken_widget_keeps_its_fallback_and_says_so(chrome):
    page = chrome.new_page()
    html = pages.markup(explorer(), lang="en").replace("export default {", "throw new Error('broken'); export default {")
    errors = pages.show(page, html)
    page.wait_for_selector("[data-ffn-host=failed]")
    assert page.locator(".fallback table").is_visible()
    assert page.locator("[data-ffn-host=failed]").inner_text() == messages.t("ui.script.host_failed", "en")
    assert len(errors) == 1 and errors[0].startswith("[ffnbook:host]")
    page.close()


COUNT_LISTENERS = """() => {
    window.held = 0;
    for (const target of [window, document]) {
        const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];
        target.addEventListener = (type, f, options) => {
            window.held += 1;
            options?.signal?.addEventListener("abort", () => { window.held -= 1; });
            add(type, f, options);
        };
    }
}"""


@pytest.mark.parametrize("widget", [ActivationExplorer, FFNByHand, ParameterSplit])
def test_mounting_again_leaves_no_listeners_behind(visit, widget):
    page = visit(widget(lang="en"))
    page.evaluate(COUNT_LISTENERS)
    counts = page.evaluate("""async () => {
        const model = [...ffnHost.models.values()].find((m) => m.get("anchor"));
        const count = () => [...model.listeners.values()].reduce((sum, set) => sum + set.size, 0) + held;
        const first = document.querySelector("[data-ffn-host]"), seen = [count()];
        for (let i = 0; i < 3; i++) {
            const el = document.createElement("div");
            el.dataset.ffnHost = "test";
            document.body.append(el);
            await ffnHost.mount(model, el);
            seen.push(count());
            ffnHost.unmount(model, el);
            seen.push(count(), el.childNodes.length);
            el.remove();
        }
        ffnHost.unmount(model, first);
        return [...seen, count()];
    }""")
    start, up = counts[0], counts[1]
    assert up > start > 5
    assert counts[1:10] == [up, start, 0] * 3 and counts[10] == 0


def test_the_language_can_change_under_a_view(visit):
    page = visit(explorer())
    page.evaluate("""(strings) => { const m = [...ffnHost.models.values()].find((m) => m.get("anchor")); m.set("lang", "es"); m.set("strings", strings); }""",
                  explorer(lang="es").strings)
    assert page.locator("caption").inner_text() == "x = −1,00" and page.get_by_role("button", name="Restablecer").count() == 1


# ---- how it looks, and to whom ------------------------------------------------------------------

LOOKS = {
    "wide": lambda lang: (ActivationExplorer(lang=lang, show=["relu", "gelu", "gelu_tanh", "silu", "swish"]), ParameterSplit("palm-540b", lang=lang)),
    "hand": lambda lang: (FFNByHand(lang=lang, act="gelu", x1=-2.7, x2=2.9, residual=True, unit="y2"),),
}


@pytest.mark.parametrize("width", [320, 375, 800, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("lang", messages.LANGUAGES)
@pytest.mark.parametrize("look", LOOKS)
def test_nothing_overflows_and_axe_finds_nothing(visit, width, theme, lang, look):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(*LOOKS[look](lang), lang=lang, viewport={"width": width, "height": 900}, color_scheme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = page.locator(".ffnw").evaluate_all("""(all) => all.flatMap((root) => { const edge = root.getBoundingClientRect().right + 1;
        return [...root.querySelectorAll("svg text, td, th, button, label, b")].filter((n) => n.getBoundingClientRect().right > edge).map((n) => n.textContent); })""")
    assert not cut
    wide = page.locator(".ffnw :is(td, .ffnw-box)").evaluate_all("(all) => all.filter((td) => td.scrollWidth > td.clientWidth + 1).map((td) => td.textContent)")
    assert not wide, "a number that leaves its column"
    if width in (375, 800):  # the layouts between are the same
        return
    found = Axe().run(page, options={"rules": {"region": {"enabled": False}}})
    assert not found.response["violations"], found.generate_report()


def test_screen_readers_hear_the_numbers_once_the_reader_pauses(visit):
    page = visit(explorer(lang="es"), lang="es")
    page.get_by_role("slider", name=re.compile("^β")).fill("2")
    page.wait_for_function("(said) => document.querySelector('[aria-live=polite]').textContent.includes(said)", arg="Swish, β = 2: valor −0,1192, pendiente −0,0908")


def test_it_prints_as_it_stands_without_buttons(visit):
    page = visit(explorer(difference=True))
    page.emulate_media(media="print")
    assert page.locator(".ffnw-foot").is_hidden() and page.locator(".ffnw-plot .curve").is_visible()


def test_nothing_moves_by_itself(visit):
    page = visit(explorer(), FFNByHand(), ParameterSplit(), drawn=False)
    draw_all(page)
    moving = page.locator(".ffnw *").evaluate_all("""(all) => all.filter((n) => { const s = getComputedStyle(n);
        return s.animationName !== "none" || parseFloat(s.transitionDuration) > 0; }).length""")
    assert moving == 0, "no motion, so none to reduce"
