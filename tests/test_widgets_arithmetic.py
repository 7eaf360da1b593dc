"""The arithmetic of the widgets, in JavaScript, against Python's and against independent oracles."""

import math
import random
from dataclasses import asdict, replace

import mpmath
import numpy as np
import pytest
from js.runner import evaluate

from ffnbook import activations, messages, parameters
from ffnbook.ffn import ffn
from ffnbook.numbers import num
from ffnbook.presets import PRESETS
from ffnbook.widgets import FFNByHand
from ffnbook.widgets.ffn_by_hand import EXAMPLE, short

EXPLORER, HAND, SPLIT, CONTROLS, ACTIVATIONS = (
    f"widgets/{name}.mjs" for name in ("activation_explorer", "ffn_by_hand", "parameter_split", "controls", "activations"))
NAMES = ("relu", "gelu", "gelu_tanh", "silu", "swish")

# Totals as facts: each model's published number of parameters.
PUBLISHED = {
    "gpt2-small": 124_439_808, "gpt2-medium": 354_823_168, "gpt2-large": 774_030_080, "gpt2-xl": 1_557_611_200,
    "gpt3-175b": 174_604_259_328, "llama-7b": 6_738_415_616, "llama-13b": 13_015_864_320, "llama2-70b": 68_976_648_192,
    "llama3-8b": 8_030_261_248, "llama3-70b": 70_553_706_496, "llama3.1-405b": 405_853_388_800, "mistral-7b": 7_241_732_096,
    "gemma-2b": 2_506_172_416, "gemma-7b": 8_537_680_896, "qwen2.5-7b": 7_615_616_512, "palm-540b": 540_356_474_880,
    "mixtral-8x7b": 46_702_792_704,
}


def test_activations_and_slopes_equal_pythons_on_a_grid():
    xs = [*np.linspace(-9, 9, 1441), *np.linspace(-38, 38, 305), 0.7, -0.7, 1e-9, -1e-300]
    betas = [0, 0.05, 0.6, 1, 1.702, 10]
    found = evaluate(ACTIVATIONS, """(m, { names, xs, betas }) => names.map((name) => betas.map((beta) => xs.map((x) =>
        [m.FUNCTIONS[name].value(x, beta), m.FUNCTIONS[name].slope(x, beta)])))""", {"names": NAMES, "xs": xs, "betas": betas})
    x = np.array(xs)
    for name, by_beta in zip(NAMES, np.array(found)):
        for beta, pairs in zip(betas, by_beta):
            extra = [beta] if name == "swish" else []
            for column, function in enumerate((name, f"{name}_grad")):
                expected = getattr(activations, function)(x, *extra)
                # Rounding of e^(-x²/2) grows with x² in Python's left tail, and slopes cancel near their zero.
                np.testing.assert_allclose(pairs[:, column], expected, rtol=2e-13, atol=1e-16, err_msg=f"{function} β={beta}")


def test_the_normal_distribution_function_keeps_fifteen_digits_in_both_tails():
    xs = [float(x) for x in np.linspace(-37, 8, 451)]
    found = evaluate(ACTIVATIONS, "(m, xs) => xs.map(m.normalCdf)", xs)
    with mpmath.workdps(40):
        for x, value in zip(xs, found):
            assert abs(value / mpmath.ncdf(x) - 1) < 3e-15, x


def test_erfcx_matches_mpmath():
    zs = [0.5, 0.75, 1, 1.5, 2, 4, 8, 26]
    with mpmath.workdps(60):
        for z, value in zip(zs, evaluate(ACTIVATIONS, "(m, zs) => zs.map(m.erfcx)", zs)):
            assert abs(value / (mpmath.exp(mpmath.mpf(z) ** 2) * mpmath.erfc(z)) - 1) < 2e-15, z


def test_minima_steepest_slopes_and_largest_gaps_are_those_of_the_book():
    found = evaluate(EXPLORER, """(m) => ({ low: ["gelu", "gelu_tanh", "silu"].map((n) => m.minimum(n)), swish: m.minimum("swish", 4),
        flat: [m.minimum("relu"), m.minimum("swish", 0)], steep: [m.steepest("gelu"), m.steepest("silu"), m.steepest("swish", 0.5)],
        gap: [m.largestGap("value"), m.largestGap("slope")] })""", None)
    assert [p["x"] for p in found["low"]] == pytest.approx([-0.75179152469356446, -0.752461422071016, -1.27846454276107380], abs=1e-12)
    assert [p["y"] for p in found["low"]] == pytest.approx([-0.16997120747990366, -0.170040750571254, -0.27846454276107380], abs=1e-15)
    assert found["swish"]["x"] == pytest.approx(-1.27846454276107380 / 4, abs=1e-12)
    assert found["flat"] == [None, None]
    assert [p["x"] for p in found["steep"]] == pytest.approx([math.sqrt(2), 2.39935728051547, 2 * 2.39935728051547], abs=1e-6)
    assert [p["y"] for p in found["steep"]] == pytest.approx([1.12890414518515479, 1.09983932012886692, 1.09983932012886692], abs=1e-12)
    assert [p["x"] for p in found["gap"]] == pytest.approx([2.69894138638, 2.01865575977], abs=1e-6)
    assert [abs(p["y"]) for p in found["gap"]] == pytest.approx([4.73235520687e-4, 8.68451834986e-4], abs=1e-12)
    assert found["gap"][0]["y"] < 0, "exact − tanh is negative at 2.699"


ACTS = {"none": lambda z: z, "relu": lambda z: np.maximum(z, 0), "gelu": activations.gelu, "silu": activations.silu}
OTHER = ([[0.3, -1.7]], [0.25], [[2.0], [-0.1]], [-1.5, 0.125])  # one neuron, numbers that are not friendly
TINY = """(m, cases) => cases.map(([weights, state]) => m.steps(weights, state))"""


def tiny_cases():
    """(weights, state) over a grid of inputs, every activation, with and without biases and the residual."""
    grid = [-3, -1.4, -0.5, 0, 0.1, 1, 2.2, 3]
    for weights in (EXAMPLE, OTHER):
        for act in ACTS:
            for x1, x2 in [(a, b) for a in grid for b in grid]:
                for biases, residual in ((True, False), (False, True)):
                    yield weights, {"x1": x1, "x2": x2, "act": act, "biases": biases, "residual": residual}


def test_the_tiny_ffn_equals_pythons_over_a_grid():
    cases = list(tiny_cases())
    sent = [[dict(zip(("W1", "b1", "W2", "b2"), weights)), state] for weights, state in cases]
    for (weights, state), js in zip(cases, evaluate(HAND, TINY, sent)):
        W1, b1, W2, b2 = (np.array(w, float) * (1 if i % 2 == 0 or state["biases"] else 0) for i, w in enumerate(weights))
        x = np.array([state["x1"], state["x2"]])
        y = ffn(x, W1, b1, W2, b2, act=ACTS[state["act"]])
        np.testing.assert_allclose(js["z"], W1 @ x + b1, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(js["y"], y, rtol=1e-13, atol=1e-13, err_msg=str(state))
        np.testing.assert_allclose(js["out"], x + y if state["residual"] else y, rtol=1e-13, atol=1e-13)
        steps = FFNByHand(*weights, **state).steps()
        for key in ("z", "h", "y", "out"):
            np.testing.assert_allclose(steps[key], js[key], rtol=1e-13, atol=1e-13, err_msg=f"{key} {state}")


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_sums_are_written_as_python_writes_them(lang):
    cases = [(weights, state) for weights, state in tiny_cases() if weights is EXAMPLE]
    names = [("h1", "z1"), ("h2", "z2"), ("h3", "z3"), ("y1", "y1"), ("y2", "y2")]
    sent = [[dict(zip(("W1", "b1", "W2", "b2"), weights)), state | {"unit": unit}] for weights, state in cases for unit, _ in names]
    strings = messages.catalogue("widgets.ffn_by_hand", lang)
    said = evaluate(HAND, "(m, [cases, strings, lang]) => cases.map(([w, s]) => m.account(w, s, { strings, lang }))", [sent, strings, lang])
    expected = [sums[key] for weights, state in cases for sums in [FFNByHand(*weights, lang=lang, **state).sums()] for _, key in names]
    assert len(said) == len(expected) > 1000
    for text, sum_ in zip(said, expected):
        assert text.split("=\u00a0", 1)[1].startswith(sum_), (text, sum_)


def test_a_chosen_unit_is_accounted_for_in_full():
    weights = dict(zip(("W1", "b1", "W2", "b2"), EXAMPLE))
    state = {"x1": 1, "x2": 2, "act": "gelu", "biases": True, "residual": True}
    say = lambda lang, **change: evaluate(HAND, "(m, [w, s, strings, lang]) => m.account(w, s, { strings, lang })",  # noqa: E731
                                          [weights, state | change, messages.catalogue("widgets.ffn_by_hand", lang), lang]).replace("\u00a0", " ")
    assert say("en", unit="h2") == "z₂ = 0.5·1 + (−1)·2 + 0 = −1.5 → GELU → h₂ ≈ −0.100"
    assert say("es", unit="h2", act="relu", biases=False) == "z₂ = 0,5·1 + (−1)·2 = −1,5 → ReLU → h₂ = 0"
    assert say("en", unit="h3", act="none") == "z₃ = (−1)·1 + 1·2 + 0.5 = 1.5 → h₃ = 1.5"
    assert say("es", unit="y1") == "y₁ = 1·0,841 + 1·(−0,100) + (−1)·1,400 + 0 ≈ −0,659; x₁ + y₁ = 1 + (−0,659) ≈ 0,341"
    assert say("en", unit="y2", act="relu", residual=False) == "y₂ = (−0.5)·1 + 1·0 + 1·1.5 + 0.5 = 1.5"


def test_short_numbers_are_whole_or_show_three_decimals_and_their_sign():
    known = {0.5: "0.5", -1.25: "−1.25", 0: "0", 2: "2", 0.1 + 0.2: "0.3", 1e-16: "0", -2e-5: "−0.000", 2e-5: "0.000", 6.4999999997: "6.500", -0.10021: "−0.100", 0.0625: "0.062"}
    assert [short(v, "en") for v in known] == list(known.values())
    values = [*known, *np.linspace(-7, 7, 2001), *np.linspace(-2e-3, 2e-3, 401)]
    for lang in messages.LANGUAGES:
        assert evaluate(HAND, "(m, [vs, lang]) => vs.map((v) => m.short(v, lang))", [[float(v) for v in values], lang]) == [short(float(v), lang) for v in values]


COUNT = """(m, configs) => configs.map((c) => { const all = m.modelCount(c), block = m.blockCount(c), r = m.ratios(c);
    return { all, block, total: m.total(all), active: m.total(m.modelCount(c, true)), perAttention: r.perAttention, ofAll: r.ofAll,
    ofMatrices: r.ofMatrices, ffn_flops: m.ffnFlops(c), projections: m.projectionFlops(c), last: m.crossoverLength(c), mean: m.crossoverLength(c, true) }; })"""


def odd_configs(n: int = 300):
    """Random shapes, within the bounds of the widget, with every yes/no field and experts."""
    rng = random.Random(7)
    for _ in range(n):
        heads = rng.randint(1, 256)
        experts = rng.choice([1, 1, 2, 8, 64])
        yield replace(
            PRESETS["mini-gpt"], d_model=rng.randint(1, 32768), d_ff=rng.randint(1, 262144), n_heads=heads,
            n_kv_heads=rng.choice([k for k in range(1, heads + 1) if heads % k == 0]), d_head=rng.randint(1, 1024),
            n_layers=rng.randint(1, 256), vocab=rng.randint(1, 1_000_000), n_positions=rng.randint(0, 10_000),
            norms_per_block=rng.randint(0, 4), attentions_per_block=rng.randint(1, 2), n_experts=experts,
            experts_per_token=rng.randint(1, experts),
            **{flag: rng.random() < 0.5 for flag in ("gated", "ffn_bias", "qkv_bias", "out_bias", "norm_bias", "final_norm", "tied_head")})


def test_counts_flops_and_crossovers_equal_pythons_exactly():
    configs = [*PRESETS.values(), *odd_configs()]
    for c, js in zip(configs, evaluate(SPLIT, COUNT, [asdict(c) for c in configs])):
        parts = parameters.count(c)
        assert js["all"] == {**{k: parts[k] for k in ("embeddings", "attention", "ffn")}, "rest": parts["norms"] + parts["router"]}, c
        assert js["block"] == {"attention": parameters.attention_params(c), "ffn": parameters.ffn_params(c),
                               "rest": parameters.norm_params(c) + parameters.router_params(c)}, c
        assert (js["total"], js["active"]) == (parameters.total_params(c), parameters.total_params(c, active=True)), c
        assert (js["ffn_flops"], js["projections"]) == (parameters.ffn_flops(c), parameters.projection_flops(c)), c
        assert (js["last"], js["mean"]) == (parameters.crossover_length(c), parameters.crossover_length(c, causal_mean=True)), c
        assert js["perAttention"] == parameters.ffn_per_attention(c) and js["ofAll"] == parameters.ffn_share(c), c


def test_presets_reproduce_the_published_totals():
    totals = evaluate(SPLIT, "(m, configs) => configs.map((c) => m.total(m.modelCount(c)))", [asdict(PRESETS[key]) for key in PUBLISHED])
    assert dict(zip(PUBLISHED, totals)) == PUBLISHED


def test_two_thirds_is_the_share_of_the_block_matrices():
    shares = evaluate(SPLIT, "(m, cs) => cs.map((c) => m.ratios(c).ofMatrices)", [asdict(PRESETS[k]) for k in ("mini-gpt", "gpt2-xl")])
    assert shares == [pytest.approx(2 / 3, abs=1e-15)] * 2


def test_the_hidden_width_follows_d_model_without_drift_and_heads_keep_filling_it():
    c = asdict(PRESETS["gpt2-small"])
    call = """(m, c) => [m.withModelWidth(c, 1000, 8 / 3, true), m.withModelWidth(c, 1000, 4, false), m.withHeads(c, 8, true), m.withHeads(c, 7, false),
        m.withHeads({ ...c, n_kv_heads: 4 }, 6, true)]"""
    assert evaluate(SPLIT, call, c) == [
        {"d_model": 1000, "d_ff": 2667, "d_head": 83}, {"d_model": 1000, "d_ff": 4000}, {"n_heads": 8, "n_kv_heads": 8, "d_head": 96},
        {"n_heads": 7, "n_kv_heads": 7}, {"n_heads": 6, "n_kv_heads": 3, "d_head": 128}]


def test_numbers_are_written_as_python_writes_them():
    rng = random.Random(11)
    values = [0.0, 0.5, 1.5, 2.5, 0.125, 0.375, 1e21, 5e22, 999.5, 9999.5, 12345.678, 1234, 12345, 1234567, 124439808, -0.75, 1 / 3,
              1e-7, -4.73235520687e-4, 0.00095, 100, 1000, 1e15, 540356474880, "Infinity", "-Infinity", "NaN",
              *(rng.choice([-1, 1]) * 10 ** rng.uniform(-12, 14) for _ in range(400)), *(rng.randint(-10**9, 10**9) / 8 for _ in range(100))]
    styles = [{"decimals": d} for d in (0, 1, 2, 4, 9)] + [{"sig": s} for s in (1, 3, 6)] + [{"sci": True}, {"sci": True, "sig": 1},
              {"sci": True, "sig": 6}, {"percent": True, "decimals": 1}, {"percent": True, "sig": 2}]
    cases = [(value, {**style, "lang": lang}) for value in values for style in styles for lang in ("es", "en")]
    cases += [(value, {"lang": lang}) for value in (0, 3, 999, 1000, 9999, 10000, 123456789, -4096, 0.5, -2.6667, 1234.5) for lang in ("es", "en")]
    written = evaluate(CONTROLS, "(m, cases) => cases.map(([value, style]) => m.num(value, style))", cases)
    wrong = [(case, js, num(float(case[0]), **case[1])) for case, js in zip(cases, written) if js != num(float(case[0]), **case[1])]
    assert not wrong, wrong[:5]


def test_what_a_reader_types_is_read_with_dot_or_comma():
    decimals = {"0.75": 0.75, "0,75": 0.75, "−0,75": -0.75, "-,5": -0.5, " 12 288 ": 12288, "12\u202f288,5": 12288.5, "1.234,5": 1234.5,
                "1,234.5": 1234.5, "1,234,567.5": 1234567.5, "8/3": 8 / 3, "2e-3": 0.002, "12.288": 12.288, "": None, "x": None, "1/2/3": None, "1..2": None, "0/0": None}
    whole = {"12.288": 12288, "50,257": 50257, "50\u202f257": 50257, "1.000.000": 1000000, "768": 768, "4.5": None, "4,0": 4, "12.28": None, "8/3": None}
    read = "(m, [texts, integer]) => texts.map((t) => m.parse(t, { integer }))"
    assert evaluate(CONTROLS, read, [list(decimals), False]) == list(decimals.values())
    assert evaluate(CONTROLS, read, [list(whole), True]) == list(whole.values())


def test_links_round_trip_and_bad_ones_are_brought_into_bounds():
    state = {"show": ["gelu", "swish"], "quantity": "slope", "zoom": "negative", "difference": True, "beta": 2.5, "x": -0.75}
    through = "(m, s) => m.decode(Object.fromEntries(new URLSearchParams(new URLSearchParams(m.encode(s)).toString())))"
    assert evaluate(EXPLORER, through, state) == state
    assert evaluate(EXPLORER, "(m, p) => m.decode(p)", {"x": "99", "beta": "-3", "show": "gelu,evil", "zoom": "<b>", "quantity": "toString"}) == {
        "x": 5, "beta": 0, "show": ["gelu"], "difference": False}
    state = {"x1": -1.5, "x2": 0.3, "act": "gelu", "unit": "y2", "biases": False, "residual": True}
    units = ["h1", "h2", "h3", "y1", "y2"]
    assert evaluate(HAND, through.replace("m.decode(", "((p) => m.decode(p, %s))(" % units), state) == state
    assert evaluate(HAND, "(m, [p, units]) => m.decode(p, units)", [{"x1": "99", "x2": "x", "act": "toString", "unit": "h9", "biases": "no"}, units]) == {
        "x1": 3, "biases": True, "residual": False}
    presets = {key: asdict(c) for key, c in PRESETS.items()}
    call = "(m, [presets, s]) => m.decode(m.encode(s, presets), presets, 'mini-gpt')"
    state = {"preset": "llama3-8b", **presets["llama3-8b"], "d_ff": 8192, "tied_head": True}
    state.pop("name")
    assert evaluate(SPLIT, call, [presets, state]) == state
    bad = evaluate(SPLIT, "(m, [presets, p]) => m.decode(p, presets, 'mini-gpt')",
                   [presets, {"preset": "no", "n_heads": "6", "n_kv_heads": "4", "d_model": "1e9", "gated": "yes", "experts_per_token": "9"}])
    assert (bad["preset"], bad["n_kv_heads"], bad["d_model"], bad["gated"], bad["experts_per_token"]) == ("mini-gpt", 6, 32768, False, 1)


def test_one_address_serves_several_widgets():
    read = "(m, [hash, name]) => m.readHash(hash, name)"
    address = "#activation-explorer:x=-0.75&show=gelu,silu;parameter-split:preset=gpt2-xl"
    assert evaluate(CONTROLS, read, [address, "activation-explorer"]) == {"x": "-0.75", "show": "gelu,silu"}
    assert evaluate(CONTROLS, read, [address, "parameter-split"]) == {"preset": "gpt2-xl"}
    assert evaluate(CONTROLS, read, [address, "explorer"]) is None
    assert evaluate(CONTROLS, read, ["#a-section", "a-section"]) is None
    assert evaluate(CONTROLS, "(m, [n, p]) => m.writeHash(n, p)", ["w", {"x": "-0.75", "show": "gelu,silu"}]) == "#w:x=-0.75&show=gelu,silu"


def test_names_are_moved_apart_and_stay_in_view():
    placed = evaluate(CONTROLS, "(m, [p, s]) => m.spread(p, s, 0, 100)", [[50, 50, 52, 99], [17, 17, 17, 17]])
    assert placed == sorted(placed) and all(b - a >= 17 for a, b in zip(placed, placed[1:])) and placed[-1] <= 83
