"""The widgets as Python objects, and what their source files must keep to."""

import re
import string
from dataclasses import asdict
from inspect import getsource

import numpy as np
import pytest
import traitlets
from js.runner import evaluate

from ffnbook import messages, parameters
from ffnbook.presets import PRESETS
from ffnbook.widgets import ActivationExplorer, FFNByHand, ParameterSplit
from ffnbook.widgets.base import HERE, Widget, script, style
from ffnbook.widgets.ffn_by_hand import EXAMPLE

WIDGETS = [ActivationExplorer, FFNByHand, ParameterSplit]
MODULES = sorted(HERE.glob("*.mjs")) + [HERE.parent / "site" / "extension" / "static" / "host.mjs"]


def leaves(texts: dict, path: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in texts.items():
        flat |= leaves(value, f"{path}{key}.") if isinstance(value, dict) else {path + key: value}
    return flat


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_have_the_same_texts_with_the_same_placeholders():
    spanish, english = (leaves(messages._load(lang, "widgets")) for lang in messages.LANGUAGES)
    assert spanish.keys() == english.keys()
    assert {k: placeholders(v) for k, v in spanish.items()} == {k: placeholders(v) for k, v in english.items()}


@pytest.mark.parametrize("widget", WIDGETS)
@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_a_widget_speaks_the_pages_language_and_can_change_it(widget, lang):
    messages.set_language(lang)
    try:
        made = widget()
    finally:
        messages.set_language("en")
    assert made.lang == lang and made.strings["title"] == messages.t(f"widgets.{widget.messages_key}.title", lang)
    other = next(name for name in messages.LANGUAGES if name != lang)
    made.lang = other
    assert made.strings["controls"] == messages.catalogue("widgets.controls", other)


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_front_end_module_is_one_text_without_imports_and_exports_render(widget):
    text = widget()._esm
    assert not re.search(r"^\s*import\b|\bimport\(|https?://(?!www\.w3\.org)", text, re.MULTILINE)
    assert text.count("export default") == 1
    assert "export function render" not in text


@pytest.mark.parametrize("widget", WIDGETS)
def test_every_trait_of_a_widget_has_help_and_every_number_bounds(widget):
    own = {name: trait for name, trait in widget.class_traits(sync=True).items() if trait.this_class in (widget, widget.__mro__[1])}
    assert len(own) > 6
    for name, trait in own.items():
        assert trait.help, name
        if type(trait).__name__ in ("Int", "Float"):
            assert trait.min is not None and trait.max is not None, name


@pytest.mark.parametrize("widget", WIDGETS)
def test_a_widget_class_is_short(widget):
    assert len(getsource(widget).splitlines()) <= 60


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_value_reaches_the_page_as_markup(path):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", path.read_text(encoding="utf-8"))


def test_the_bounds_of_the_controls_are_those_of_the_traits():
    source = (HERE / "parameter_split.mjs").read_text(encoding="utf-8")
    bounds = {name: (int(low), int(high)) for name, low, high in re.findall(r"(\w+): \[(\d+), (\d+)\]", source)}
    traits = {name: (trait.min, trait.max) for name, trait in ParameterSplit.class_traits(sync=True).items() if type(trait).__name__ == "Int" and not name.startswith("_")}
    assert bounds == traits


def test_a_preset_can_be_loaded_changed_and_counted_from_python():
    widget = ParameterSplit("gpt2-small", d_ff=2048)
    assert (widget.preset, widget.d_ff, widget.n_layers) == ("gpt2-small", 2048, 12)
    widget.load("llama3-8b")
    assert widget.config == PRESETS["llama3-8b"]
    assert parameters.total_params(widget.config) == 8_030_261_248


def test_an_explorer_reads_off_what_the_library_computes():
    widget = ActivationExplorer(show=["gelu", "swish"], beta=2.0, x=-1.0)
    assert widget.readings() == [("gelu", pytest.approx(-0.158655253931), pytest.approx(-0.0833154705877)),
                                 ("swish", pytest.approx(-0.119202922022), pytest.approx(-0.0907842487849))]


@pytest.mark.parametrize(("widget", "shown"), [(ActivationExplorer(lang="es"), "−0,1587"), (FFNByHand(lang="es"), "0,5·1 +\u00a0(−1)·2 +\u00a00 =\u00a0−1,5"), (ParameterSplit("gpt2-small", lang="es"), "124\u202f439\u202f808")])
def test_the_fallback_tells_the_initial_state_in_numbers(widget, shown):
    html = widget.fallback_html()
    assert "<table>" in html and shown in html and 'scope="row"' in html


def test_the_tiny_ffn_is_done_by_hand():
    widget = FFNByHand(lang="en")
    assert {key: list(value) for key, value in widget.steps().items()} == {"z": [1, -1.5, 1.5], "h": [1, 0, 1.5], "y": [-0.5, 1.5], "out": [-0.5, 1.5]}
    widget.residual, widget.act = True, "none"
    assert list(widget.steps()["out"]) == [1 - 2, 2 + 0]
    widget.biases, widget.x1, widget.x2 = False, -1.0, -2.0
    assert list(widget.steps()["y"]) == [0.5, 1.5]  # −(W2 W1) (1, 2)
    assert {k: v.replace("\u00a0", " ") for k, v in widget.sums().items()}["z2"] == "0.5·(−1) + (−1)·(−2) = 1.5"


def test_the_tiny_ffn_takes_the_arrays_of_its_page_and_keeps_them():
    widget = FFNByHand(*map(np.array, EXAMPLE))
    assert (widget.W1, widget.b2) == ([[1, 0.5], [0.5, -1], [-1, 1]], [0, 0.5])
    with pytest.raises(traitlets.TraitError, match="read-only"):
        widget.W1 = [[1.0, 2.0]]


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_what_the_tiny_ffn_cannot_draw_is_refused_in_the_pages_language(lang):
    messages.set_language(lang)
    try:
        with pytest.raises(ValueError) as wide:
            FFNByHand(np.ones((4, 2)), np.ones(4), np.ones((2, 4)), np.ones(2))
        with pytest.raises(traitlets.TraitError) as unit:
            FFNByHand(unit="h4")
    finally:
        messages.set_language("en")
    assert str(wide.value) == messages.t("widgets.ffn_by_hand.too_large", lang, most=3, d_model=2, d_ff=4)
    assert str(unit.value) == messages.t("widgets.ffn_by_hand.no_unit", lang, unit="h4", all="h1, h2, h3, y1, y2")
    with pytest.raises(ValueError, match=r"W2 must have shape \(2, 3\)"):
        FFNByHand(EXAMPLE.W1, EXAMPLE.b1, EXAMPLE.W1, EXAMPLE.b2)


def test_a_module_that_does_not_import_the_controls_is_refused():
    with pytest.raises(ValueError, match="activations.mjs must import"):
        script("activations")


def test_the_state_survives_the_way_to_the_page_and_back():
    """Python's state → the static host's Model → a change as the widget makes it → Python's traits."""
    widget = ParameterSplit("mini-gpt")
    there = {key: value for key, value in widget.get_state().items() if key not in ("_esm", "_css", "layout")}
    back = evaluate("site/extension/static/host.mjs", """(m, state) => { const model = new m.Model(state), seen = [];
        model.on("change:d_ff change", () => seen.push(model.get("d_ff")));
        model.set("d_ff", 512); model.set("d_ff", 512); model.save_changes(); model.off("change:d_ff change"); model.set("gated", true);
        return { state: model.state, seen }; }""", there)
    assert back["seen"] == [512, 512], "one event for the trait and one for the model, none for the same value again"
    widget.set_state(back["state"])
    assert (widget.d_ff, widget.gated) == (512, True)
    assert asdict(widget.config)["d_ff"] == 512


def test_a_widget_needs_no_more_than_the_guide_asks_of_it(monkeypatch):
    texts = {"controls": {}, "small": {"fallback": "A number"}}
    monkeypatch.setattr(messages, "_load", lambda lang, stem: texts)

    class Small(Widget):
        messages_key, heights = "small", (12, 10)
        _css = style("small")  # has no file of its own
        _esm = "export default {}"

        def fallback_table(self):
            return ["n"], [["1"]]

    assert Small._css == (HERE / "controls.css").read_text(encoding="utf-8")
    assert "<caption>A number</caption>" in Small().fallback_html()


def test_a_widget_without_its_table_is_told_what_to_write():
    class Small(Widget):
        messages_key, heights, _esm = "parameter_split", (12, 10), "export default {}"

    with pytest.raises(NotImplementedError, match=r"Small needs a fallback_table\(\): headers, and rows"):
        Small().fallback_html()
