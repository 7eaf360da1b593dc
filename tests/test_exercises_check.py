"""What `check` says to answers that are wrong in ways nobody plans for: the first thing wrong, and a hint that is about it."""

from pathlib import Path

import numpy as np
import pytest

from ffnbook.exercises import check
from ffnbook.messages import LANGUAGES, catalogue

SOLUTIONS = Path(__file__).parents[1] / "solutions"
SCIPY = "import numpy as np\nfrom scipy.special import erf\n"


def said(exercise: str, source: str, lang: str = "en"):
    space: dict = {"__name__": "__main__"}
    exec(compile(source, "<cell 1>", "exec"), space)
    return check(exercise, space, lang)


def first(report):
    """The first verdict that is no pass, and the words about it."""
    return next((v, words) for v, (_, words) in zip(report.verdicts, report.shown(), strict=False) if v.status != "pass")


@pytest.mark.parametrize("leave", ["import sys; sys.exit(3)", "raise SystemExit", "exit()"])
def test_an_answer_that_tries_to_end_the_kernel_is_told_so(leave):
    verdict, words = first(said("gelu", f"def gelu(x): {leave}"))
    assert (verdict.status, verdict.facts["why"]) == ("raised", "exit") and not words.hint


def test_stop_stops_check_itself():
    with pytest.raises(KeyboardInterrupt):
        said("gelu", "def gelu(x): raise KeyboardInterrupt")


def test_what_a_library_cannot_do_is_no_empty_answer():
    """torch raises NotImplementedError for types it does not know; so does a module without forward."""
    pytest.importorskip("torch")
    verdict, _ = first(said("gelu", "import torch\ndef gelu(x): return torch.nn.functional.gelu(torch.as_tensor(x))"))
    assert verdict.status == "raised" and "Long" in verdict.facts["text"]
    module = "import torch\nclass FFN(torch.nn.Module):\n    def __init__(self, d, d_ff):\n        super().__init__()\n"
    module += "        self.up, self.down = torch.nn.Linear(d, d_ff), torch.nn.Linear(d_ff, d)"
    verdict, _ = first(said("ffn-module", module))
    assert verdict.status == "raised" and "forward" in verdict.facts["text"]


@pytest.mark.parametrize("body", ["raise NotImplementedError", "raise NotImplementedError('to do')", "later()"])
def test_an_answer_that_says_so_itself_is_empty(body):
    verdict, _ = first(said("gelu", f"def later(): raise NotImplementedError\ndef gelu(x): {body}"))
    assert verdict.status == "unanswered"


SLIPS = {
    "def gelu(x): return x * phi(x)": "NameError",
    "def gelu(x):\n    y = y + x\n    return y": "UnboundLocalError",
    "def gelu(x): return gelu(x)": "RecursionError",
    "def gelu(): return 1": "arguments",
    "def gelu(x, y): return x": "arguments",
    "gelu = lambda: 1": "arguments",
    "gelu = 3": "callable",
    "def gelu(x): return 0.5 (x)": "callable",
}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("source", SLIPS)
def test_a_slip_of_the_pen_gets_a_hint_about_it(source, lang):
    _, words = first(said("gelu", source, lang))
    assert catalogue("grading.slip", lang)[SLIPS[source]] in words.hint


@pytest.mark.parametrize("source", ["import math\ndef gelu(x): return x * (1 + math.erf(x)) / 2", "import math\ndef gelu(x): return math.erf(x, x)"])
def test_what_the_exercise_knows_of_keeps_its_own_hint(source):
    assert "scipy.special.erf" in first(said("gelu", source))[1].hint


@pytest.mark.parametrize(
    ("exercise", "wrong", "told"),
    [("ffn", "exact-form/ffn/wrong/untransposed.py", "Which sizes meet in each product?"),
     ("ffn", "exact-form/ffn/wrong/loop_over_tokens.py", "it is looping over its entries"),
     ("ffn-module", "exact-form/ffn-module/wrong/no_super.py", "Is the call of super() that the exercise came with still in __init__"),
     ("ffn-share", "width-and-parameters/ffn-share/wrong/heads_make_d_model.py", "assumes that the heads add up to d_model")],
)  # fmt: skip
def test_the_hint_is_about_the_mistake_that_was_made(exercise, wrong, told):
    if exercise == "ffn-module":
        pytest.importorskip("torch")
    _, words = first(said(exercise, (SOLUTIONS / wrong).read_text(encoding="utf-8")))
    assert told in words.hint


def test_a_name_that_numpy_holds_is_a_text():
    """names[i] of an array of names is an np.str_, which is a str in all but its class."""
    assert said("tails", "import numpy as np\nlisted = np.array(['b', 'c'])\norder, reason = listed[0], listed[1]")
    source = (
        "import numpy as np\ndef find_transposed(x, y, W1, b1, W2, b2):\n"
        "    ffn = lambda a, b: np.maximum(x @ a.T + b1, 0) @ b.T + b2\n"
        "    gaps = [np.abs(ffn(a, b) - y).max() for a, b in ((W1, W2), (W1.T, W2), (W1, W2.T))]\n"
        "    return np.array(['none', 'W1', 'W2'])[np.argmin(gaps)]"
    )
    assert said("find-transposed", source)


@pytest.mark.parametrize("value", ["True", "3", "['W1']", "np.array(['W1'])", "len"])
def test_where_a_text_is_due_nobody_is_told_to_give_a_number(value):
    verdict, words = first(said("find-transposed", f"import numpy as np\ndef find_transposed(*args): return {value}"))
    assert (verdict.status, verdict.facts["why"]) == ("dtype", "string") and "text" in words.what


@pytest.mark.parametrize(("value", "why"), [("[4194304]", "number"), ("np.array([4194304])", "number"), ("(4194304,)", "number"), ("4,194304", "comma")])
def test_a_number_in_a_box_is_no_wrong_number(value, why):
    verdict, words = first(said("count-1024", f"import numpy as np\nn_W1 = {value}\nn_W2 = n_ffn = 1"))
    assert (verdict.test, verdict.status, verdict.facts["why"]) == ("n_W1", "shape", why)
    assert not words.hint


@pytest.mark.parametrize(
    ("returned", "status", "told"),
    [("np.array([{}])", "shape", "It should be a single number; an array of shape (1,) came."),
     ("[{}, 0]", "shape", "It should be a single number; an array of shape (2,) came."),
     ("str({})", "dtype", "It should be a number (3, 0.5); its type is str.")],
)  # fmt: skip
def test_the_right_number_in_a_list_or_a_text_is_told_by_its_kind(returned, status, told):
    count = returned.format("2 * d * d_ff + d + d_ff")
    verdict, words = first(said("ffn-params", f"import numpy as np\ndef ffn_params(d, d_ff, bias=True, gated=False): return {count}"))
    assert verdict.status == status and words.what == told


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_decimal_comma_is_told_from_a_wrong_number(lang):
    _, words = first(said("lowest-point", "x_low = -0,7512\nf_low = -0.1636", lang))
    assert "(0, 7512)" in words.what and "0.5" in words.what and not words.result


def test_a_whole_number_beyond_any_float_is_a_wrong_number():
    for name in ("n_W1", "n_W2", "n_ffn"):
        verdict, _ = first(said("count-1024", f"n_W1 = n_W2 = 1024 * 4096\nn_ffn = 2 * n_W1 + 5120\n{name} = 10 ** 400"))
        assert (verdict.test, verdict.status) == (name, "values")
    verdict, _ = first(said("lowest-point", "x_low = f_low = -10 ** 400"))
    assert verdict.status == "values"


def test_complex_numbers_are_called_that():
    verdict, words = first(said("gelu", SCIPY + "def gelu(x): return np.asarray(x) * (1 + erf(np.asarray(x) / 2**0.5)) / 2 * (1 + 0j)"))
    assert (verdict.status, verdict.facts["why"]) == ("dtype", "complex") and np.dtype(complex).name in words.what
