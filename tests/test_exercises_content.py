"""What the exercises say and ask: enough of them, honest numbers, hints for every mistake, the same on page and in check()."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import numpy as np
import pytest
from js.runner import evaluate
from scipy.optimize import minimize_scalar
from scipy.special import expit

from ffnbook import parameters
from ffnbook.exercises import catalog, check
from ffnbook.exercises.page import SolutionFails, solution
from ffnbook.exercises.run import overall, run
from ffnbook.exercises.statement import body, explanation
from ffnbook.exercises.subject import Local
from ffnbook.exercises.validate import HEADER, MINIMUM_WRONG, grade
from ffnbook.messages import LANGUAGES
from ffnbook.presets import PRESETS
from ffnbook.site.authoring.numbers_in_prose import stray_numbers
from ffnbook.site.authoring.prose import NEVER
from ffnbook.site.extension.questions import spec
from ffnbook.site.reading.pages import parse, read

ROOT = Path(__file__).parents[1]
COURSE = catalog.load()
CHAPTERS = ("exact-form", "activations", "width-and-parameters")
BY_ID = {exercise.id: exercise for exercise in COURSE}
each = pytest.mark.parametrize("exercise", list(COURSE), ids=lambda ex: ex.id)
of_code = pytest.mark.parametrize("exercise", [ex for ex in COURSE if ex.kind in ("function", "torch")], ids=lambda ex: ex.id)
wrong_answers = pytest.mark.parametrize(
    ("exercise", "path"),
    [(ex, path) for ex in COURSE for path in sorted(ex.solution.parent.glob("wrong/*.py"))],
    ids=lambda value: value.stem if isinstance(value, Path) else value.id,
)


def test_every_chapter_has_its_exercises_and_all_four_kinds_occur():
    assert all(len(COURSE.chapter(chapter)) >= 4 for chapter in CHAPTERS)
    assert {exercise.kind for exercise in COURSE} == set(catalog.KINDS)


@wrong_answers
def test_a_known_mistake_earns_what_it_should(exercise, path):
    source = path.read_text(encoding="utf-8")
    due = dict(HEADER.findall(source))
    verdicts = grade(exercise, source)
    first = next(v for v in verdicts if v.status != "pass")
    assert overall(verdicts) == due["status"] != "pass"
    assert first.facts.get("mistake", due.get("mistake")) == due.get("mistake", first.facts.get("mistake"))
    assert sum(v.points for v in verdicts) < exercise.total


@pytest.mark.parametrize("exercise", [ex for ex in COURSE if ex.kind == "function"], ids=lambda ex: ex.id)
def test_what_was_right_for_one_seed_played_back_is_wrong_for_another(exercise):
    """Whoever answers by counting the calls must not pass the private tests."""
    (name,), space, tape = exercise.names, {}, []
    exec(compile(exercise.solution.read_text(encoding="utf-8"), "<solution>", "exec"), space)

    def recorded(*args, **kwargs):
        tape.append(space[name](*args, **kwargs))
        return tape[-1]

    assert overall(run(exercise, Local({name: recorded}), seed=1)) == "pass"
    played = iter(tape)
    verdicts = run(exercise, Local({name: lambda *args, **kwargs: next(played)}), seed=2)
    assert {v.private for v in verdicts if v.status != "pass"} == {True}


@each
def test_solution_starter_and_number_of_mistakes(exercise):
    assert {v.status for v in grade(exercise, exercise.solution.read_text(encoding="utf-8"))} == {"pass"}
    for lang in LANGUAGES:
        assert {v.status for v in grade(exercise, exercise.starter(lang))} == {"unanswered"}
    assert len(list(exercise.solution.parent.glob("wrong/*.py"))) >= MINIMUM_WRONG


@of_code
def test_every_mistake_a_test_can_name_has_its_hint(exercise):
    for lang in LANGUAGES:
        hints = {**exercise.hints.get("any", {}).get(lang, {})}
        for test in exercise.tests:
            hints |= exercise.hints[test.name][lang].get("when", {})
        assert named_mistakes(exercise) <= set(hints), lang


def named_mistakes(exercise) -> set[str]:
    """Names in the tables of mistakes of tests.py, and those given to t.true()."""
    tree = ast.parse((exercise.folder / "tests.py").read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict) and node.keys and all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in node.keys if k):
            found |= {k.value for k in node.keys if k and re.fullmatch(r"[a-z]\w*", k.value)}
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "true" and len(node.args) > 1:
            found.add(node.args[1].value)
    return found


@of_code
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_hint_does_not_give_the_answer_away(exercise, lang):
    """No line of the solution's function body stands in a hint."""
    lines = [line.strip() for line in exercise.solution.read_text(encoding="utf-8").split("\n") if line.startswith("    ")]
    said = " ".join(texts(exercise.hints, lang))
    assert [line for line in lines if len(line) > 15 and line.removeprefix("return ") in said] == []


def texts(table: dict, lang: str) -> list[str]:
    found = []
    for key, value in table.items():
        if isinstance(value, dict):
            found += texts(value, lang)
        elif isinstance(value, list):
            found += [text for item in value if isinstance(item, dict) for text in texts(item, lang)]
        elif isinstance(value, str):
            found.append(value)
    return found


def of_language(table: dict, lang: str) -> list[str]:
    """Every text of one language in a table of hints or answers."""
    found = []
    for key, value in table.items():
        items = value if isinstance(value, list) else [value]
        for item in items:
            if key == lang:
                found += texts(item, lang) if isinstance(item, dict) else [item]
            elif isinstance(item, dict) and key not in LANGUAGES:
                found += of_language(item, lang)
    return found


@each
@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_are_written_as_the_language_does(exercise, lang):
    said = of_language(exercise.hints, lang) + of_language(exercise.answers, lang)
    assert said
    wrong = r"(?<![\w.])\d+\.\d" if lang == "es" else r"\d,\d(?!\d\d)"
    assert [text for text in said if re.search(wrong, text)] == []
    assert [text for text in said if "$" in text] == [], "check() shows plain text"


@each
@pytest.mark.parametrize("lang", LANGUAGES)
def test_statement_and_explanation_keep_the_rules_of_the_pages(exercise, lang):
    for text in (body(exercise, lang), explanation(exercise, lang)):
        page = parse(text, exercise.id, exercise.chapter, lang)
        assert [number for line in page.prose for number in stray_numbers(line)] == []
        assert not page.problems and not page.headings
        assert [role.name for role in page.roles if role.name != "given"] == []
        assert not NEVER[lang].search(text)
        assert lang == "en" or text.count("?") == text.count("¿")


@each
def test_the_page_places_it_under_its_own_heading_with_its_own_starter(exercise):
    for lang in LANGUAGES:
        page = read(ROOT / "book" / lang / f"{exercise.chapter}.md", ROOT, exercise.chapter, lang)
        box = next(d for d in page.directives if d.name == "exercise" and d.argument == exercise.id)
        heading = [h for h in page.headings if h.line < box.line][-1]
        assert re.sub(r"^\d+\. ", "", heading.text) == exercise.title(lang)
        after = [d for d in page.directives if d.line > box.line]
        if exercise.kind in ("function", "torch"):
            assert after[0].name == "code-cell"
            assert "\n".join(after[0].body) == exercise.starter(lang).strip() + f'\n\n\ncheck("{exercise.id}")'
            after = after[1:]
        assert (after[0].name, after[0].argument) == ("solution", exercise.id)
        assert after[1].tags == ("solution", "remove-input") and after[1].body == [f'solution("{exercise.id}")']


def test_no_page_holds_a_solution_in_its_source():
    """E01: what the sources, Binder and the downloads carry is the exercise."""
    for chapter in CHAPTERS:
        for lang in LANGUAGES:
            cells = read(ROOT / "book" / lang / f"{chapter}.md", ROOT, chapter, lang).cells
            tagged = [cell.source for cell in cells if "solution" in cell.tags]
            assert tagged and all(re.fullmatch(r'solution\("[\w-]+"\)', source) for source in tagged)


# The page's own answers

QUESTIONS = [(ex, name, entry) for ex in COURSE if ex.kind == "numeric" for name, entry in ex.answers.items()]


def said_by_check(exercise, name: str, value: object, lang: str) -> tuple[bool, str]:
    space = {other: ... for other in exercise.names} | {name: value}
    report = check(exercise.id, space, lang)
    place = [verdict.test for verdict in report.verdicts].index(name)
    status, said = report.shown()[place]
    return status == "pass", re.sub(r"^(Pista|Hint): ", "", said.hint)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("exercise", "name", "entry"), QUESTIONS, ids=lambda v: v if isinstance(v, str) else getattr(v, "id", ""))
def test_the_page_says_to_a_number_what_check_says(exercise, name, entry, lang):
    values = [entry["value"], *(mistake["value"] for mistake in entry.get("mistake", [])), 17, -3, 123_456]
    near = [entry["value"] + entry["atol"] * factor for factor in (0.9, -0.9, 1.1, -1.1)] if "atol" in entry else []
    typed = [format(value, ".12f") if isinstance(value, float) else str(value) for value in [*values, *near]]
    said = evaluate("site/extension/static/answer.mjs", "(m, [spec, texts]) => texts.map((text) => m.judge(spec, text))", [spec(entry, lang), typed])
    for text, reply in zip(typed, said, strict=True):
        value = float(text) if "." in text else int(text)
        assert (reply["kind"] == "right", reply["reply"]) == said_by_check(exercise, name, value, lang), text


READINGS = [
    ("4194304", True, 4194304), ("4,194,304", True, 4194304), ("4.194.304", True, 4194304), ("4 194 304", True, 4194304),
    ("4\u202f194\u202f304", True, 4194304), ("3,200", True, 3200), ("3.200", True, 3200), ("1.234,5", False, 1234.5),
    ("1,234.5", False, 1234.5), ("-0,7512", False, -0.7512), ("−0.7512", False, -0.7512), ("1.278", False, 1.278),
    ("0.751", True, 0.751), (".5", False, 0.5), ("2048.0", True, 2048), ("8.4e6", True, 8.4e6), ("+3", True, 3), (" 7 ", True, 7),
    ("", True, None), ("abc", True, None), ("1..2", False, None), ("12,34,5", True, None), ("1,2.3,4", False, None), ("--2", True, None),
    ("2/3", False, None), ("3 tokens", True, None),
]  # fmt: skip


def test_numbers_are_read_as_either_language_writes_them():
    given = [[text, whole] for text, whole, _ in READINGS]
    read_as = evaluate("site/extension/static/answer.mjs", "(m, all) => all.map(([text, whole]) => m.readNumber(text, whole))", given)
    assert dict(zip([text for text, _, _ in READINGS], read_as, strict=True)) == {text: due for text, _, due in READINGS}


def test_a_fraction_where_a_whole_number_is_due_is_told_so():
    entry = BY_ID["count-1024"].answers["n_W1"]
    said = evaluate("site/extension/static/answer.mjs", "(m, [spec, text]) => m.judge(spec, text)", [spec(entry, "en"), "4194304.5"])
    assert said["kind"] == "fraction"


# The answers themselves, by another way than the solutions'


def test_answers_agree_with_the_library_of_the_book():
    xl, llama3 = PRESETS["gpt2-xl"], PRESETS["llama3-8b"]
    answers = BY_ID["crossover"].answers
    assert answers["n_xl"]["value"] == parameters.crossover_length(xl)
    assert answers["n_llama3"]["value"] == parameters.crossover_length(llama3)
    lowest = minimize_scalar(lambda x: x * expit(1.702 * x), bounds=(-2, 0), method="bounded", options={"xatol": 1e-11})
    assert BY_ID["lowest-point"].answers["x_low"]["value"] == pytest.approx(lowest.x, abs=1e-7)
    assert BY_ID["lowest-point"].answers["f_low"]["value"] == pytest.approx(lowest.fun, abs=1e-12)


# Right answers that people write in other ways pass

OTHER_WAYS = {
    "relu": ["relu = lambda x: np.where(np.asarray(x) > 0, x, 0)", "relu = lambda x: (np.abs(x) + np.asarray(x)) / 2", "relu = lambda x: np.clip(x, 0, None)"],
    "silu": [
        "def silu(x):\n    x = np.asarray(x)\n    x = x if x.dtype.kind == 'f' else x.astype(float)\n"
        "    e = np.exp(-np.abs(x))\n    return (x * np.where(x >= 0, 1, e) / (1 + e)).astype(x.dtype)",
        "def silu(x):\n    x = np.asarray(x)\n    x = x if x.dtype.kind == 'f' else x.astype(float)\n    return (x * 0.5 * (1 + np.tanh(x / 2))).astype(x.dtype)",
    ],
    "ffn": [
        "def ffn(x, W1, b1, W2, b2):\n    h = np.einsum('...i,ji->...j', x, W1) + b1\n    return np.einsum('...i,ji->...j', h * (h > 0), W2) + b2",
        "def ffn(x, W1, b1, W2, b2):\n    if np.ndim(x) > 1:\n        return np.array([ffn(row, W1, b1, W2, b2) for row in x])\n"
        "    return (W2 @ np.maximum(W1 @ x + b1, 0) + b2).tolist()",
        "def ffn(x, W1, b1, W2, b2):\n    x, W1, W2 = (np.asarray(a, dtype=np.float32) for a in (x, W1, W2))\n"
        "    return np.maximum(x @ W1.T + b1.astype('f'), 0) @ W2.T + b2.astype('f')",
    ],
    "gelu": [
        "import math\ndef gelu(x):\n    return [gelu(v) for v in x] if np.ndim(x) else x * (1 + math.erf(x / 2**0.5)) / 2",
        "from scipy.stats import norm\ndef gelu(x):\n    return x * norm.cdf(x)",
        "from scipy.special import erf\ndef gelu(x):\n    x = np.asarray(x, dtype=np.float32)\n    return x * np.float32(0.5) * (1 + erf(x / np.sqrt(np.float32(2))))",
        "import torch\ndef gelu(x):\n    return torch.nn.functional.gelu(torch.tensor(x, dtype=torch.float32))",
    ],
    "swish": ["def swish(x, beta):\n    return np.asarray(x) * 0.5 * (1 + np.tanh(beta * np.asarray(x) / 2))"],
    "ffn-share": ["def ffn_share(d, f, q, kv, h, gated):\n    a = 2 * d * h * (q + kv)\n    m = (2 + gated) * d * f\n    return np.float32(m / (m + a))"],
    "ffn-params": ["def ffn_params(d_model, d_ff, bias=True, gated=False):\n    up = d_ff * (d_model + bias)\n    return np.int64(up * (1 + gated) + d_model * (d_ff + bias))"],
}


@pytest.mark.parametrize(("name", "source"), [(name, source) for name, sources in OTHER_WAYS.items() for source in sources])
def test_right_answers_written_another_way_pass(name, source):
    """D07: float32, lists, loops, other formulas."""
    verdicts = grade(BY_ID[name], f"import numpy as np\n{source}")
    assert [(v.test, v.status, v.facts) for v in verdicts if v.status != "pass"] == []


def test_shapes_that_only_broadcast_are_refused():
    """D01: np.allclose would take these."""
    for answer in ("y.sum(axis=-1, keepdims=True)", "0.0", "np.zeros((0,))", "y[None]"):
        source = f"import numpy as np\ndef ffn(x, W1, b1, W2, b2):\n    y = np.maximum(x @ W1.T + b1, 0) @ W2.T + b2\n    return {answer}"
        assert overall(grade(BY_ID["ffn"], source)) == "shape"
    assert overall(grade(BY_ID["gelu"], "def gelu(x): return 0.0")) == "shape"


# The solutions on the page


def test_the_solution_is_shown_with_what_the_grader_says():
    shown = solution("ffn", "es")
    page = shown._repr_html_()
    assert "6 de 6 puntos" in page and "un solo token" in page and "números al azar" in page
    assert "maximum" in page and "<script" not in page


def test_a_solution_that_fails_stops_the_build(tmp_path, monkeypatch):
    exercise = BY_ID["relu"]
    bad = tmp_path / "solution.py"
    bad.write_text("def relu(x):\n    return x\n", encoding="utf-8")
    monkeypatch.setattr(type(exercise), "solution", property(lambda self: bad))
    with pytest.raises(SolutionFails, match="ReLU"):
        solution("relu", "en")


def test_an_installation_without_solutions_says_where_they_are(monkeypatch):
    monkeypatch.setattr(catalog.Exercise, "solution", property(lambda self: None))
    assert "solutions" in str(solution("relu", "en"))


def test_the_known_values_of_the_tests_are_the_functions():
    assert np.allclose(-2 * expit(-2), -0.238405844044) and np.allclose(-2 * expit(-4), -0.0359724199242)
