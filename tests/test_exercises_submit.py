"""check() and submit() in a real IPython: found by what was run, not by files, ids or metadata."""

import atexit
import json
import time
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from ffnbook import messages
from ffnbook.exercises import catalog, check
from ffnbook.grading import submitting
from ffnbook.grading.collect import collect
from ffnbook.grading.grade import grade
from ffnbook.grading.sandbox import Sandbox

ROOT = Path(__file__).parents[1]
GELU = (ROOT / "solutions/activations/gelu/solution.py").read_text(encoding="utf-8")
TANH = (ROOT / "solutions/activations/gelu/wrong/tanh_form.py").read_text(encoding="utf-8")


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance()
    made.history_manager.enabled = False
    made.run_cell("from ffnbook.exercises import check\nfrom ffnbook.grading import submit", store_history=True)
    yield made
    made._atexit_once()  # now, while the folder of its history is there, and not once more at the end
    atexit.unregister(made.atexit_operations)
    InteractiveShell.clear_instance()
    messages.set_language("en")


def run(shell, source):
    done = shell.run_cell(source, store_history=True, silent=False)
    done.raise_error()
    return done.result


def test_check_uses_the_objects_of_the_notebook(shell):
    run(shell, GELU)
    assert run(shell, 'check("gelu")')
    run(shell, "gelu = lambda x: x")
    assert not run(shell, 'check("gelu")')


def test_check_names_the_first_thing_wrong_in_the_language_set(shell):
    run(shell, TANH)
    english = str(run(shell, 'check("gelu")'))
    assert "The call was gelu(np.array([-3, -1, 0, 0.5, 2]))" in english and "4.1 × 10⁻⁴" in english.replace("\u00a0", " ")
    messages.set_language("es")
    spanish = run(shell, 'check("gelu")')
    assert "Pista: Tus valores son los de la forma con tanh" in str(spanish)
    assert spanish._repr_html_().startswith('<div lang="es"')


def test_check_answers_before_one_can_blink():
    space = {}
    exec(GELU, space)
    check("gelu", space)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        check("gelu", space)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.010


@pytest.mark.parametrize("source", ["", "def gelu(x): ...", "def gelu(x):\n    'doc'\n    pass", "def gelu(x):\n    raise NotImplementedError"])
def test_an_empty_answer_is_no_fault(source):
    space = {}
    exec(source, space)
    report = check("gelu", space)
    assert {v.status for v in report.verdicts} == {"unanswered" if source else "missing"}


def test_check_suggests_the_exercise_that_was_meant():
    messages.set_language("es")
    try:
        assert "¿Quisiste decir gelu" in str(check("gelo", {}))
    finally:
        messages.set_language("en")


def test_what_comes_back_is_escaped():
    hostile = check("gelu", {"gelu": lambda x: "<script>alert(1)</script>"})
    assert "<script" not in hostile._repr_html_()


def test_objects_that_claim_to_equal_everything_earn_nothing():
    class Yes(float):
        __eq__ = __le__ = __lt__ = __ge__ = lambda self, other: True
        __hash__ = float.__hash__

        def __array__(self, *args, **kwargs):
            raise RuntimeError

        def __sub__(self, other):
            return 0.0

    assert check("gelu", {"gelu": lambda x: Yes(3)}).verdicts[0].status == "shape"


def test_submit_writes_the_last_version_with_what_it_needs(shell):
    run(shell, "import numpy as np\nfrom scipy.special import erf")
    run(shell, "half = 0.25")
    run(shell, "half = 0.5")
    run(shell, "unrelated = 1 / 3")
    run(shell, "def gelu(x):\n    return x")
    run(shell, "#| exercise: gelu\n%precision 3\ndef gelu(x):\n    return np.asarray(x) * half * (1 + erf(x / np.sqrt(2)))")
    shell.run_cell("def gelu(x:", store_history=True)
    done = run(shell, 'submit("Ada Núñez")')
    assert all(done.reports) and done.path.name == "ffn-activations-ada-nunez.ipynb"
    data = json.loads(done.path.read_text(encoding="utf-8"))
    about = data["metadata"]["ffnbook"]
    assert about["learner"] == "Ada Núñez" and about["exercises"] == ["gelu"] and about["lang"] == "en"
    assert about["results"]["gelu"]["status"] == "pass"
    source = "\n".join(cell["source"] for cell in data["cells"][1:])
    assert "half = 0.5" in source and "0.25" not in source and "unrelated" not in source and "return x\n" not in source


def test_what_submit_writes_is_what_grade_reads(shell):
    run(shell, GELU)
    path = run(shell, 'submit("Ada")').path
    with Sandbox() as sandbox:
        result = grade(path.name, path.read_bytes(), catalog.load(), sandbox, seed=7)
    assert result.learner == "Ada" and result.lang == "en" and result.version
    assert next(g for g in result.graded if g.exercise == "gelu").status == "pass"


def test_each_chapter_has_a_file_of_its_own(shell):
    run(shell, GELU)
    first = run(shell, 'submit("Ada")').path
    run(shell, "gelu = None\ndel gelu")
    shell.history_manager.reset()
    run(shell, "n_W1 = 1\nn_W2 = 2\nn_ffn = 3")
    second = run(shell, 'submit("Ada")').path
    assert (first.name, second.name) == ("ffn-activations-ada.ipynb", "ffn-width-and-parameters-ada.ipynb")
    assert "def gelu" in first.read_text(encoding="utf-8")


@pytest.mark.parametrize("apart", [True, False], ids=["in a cell before", "in its cell"])
def test_a_helper_with_the_name_of_another_chapters_exercise_does_not_count_that_chapter_as_missing(shell, apart):
    relu, ffn = "def relu(z):\n    return z * (z > 0)\n", "def ffn(x, W1, b1, W2, b2):\n    return relu(x @ W1.T + b1) @ W2.T + b2"
    for cell in (relu, f"#| exercise: ffn\n{ffn}") if apart else (f"#| exercise: ffn\n{relu}\n{ffn}",):
        run(shell, cell)
    run(shell, "factor = 2.0")
    handed = run(shell, 'submit("Ada")')
    assert handed.path.name == "ffn-exact-form-ada.ipynb" and {report.exercise.chapter for report in handed.reports} == {"exact-form"}
    with Sandbox() as sandbox:
        result = grade("x.ipynb", handed.path.read_bytes(), catalog.load(), sandbox)
    found = {graded.exercise: graded.status for graded in result.graded}
    assert found.pop("ffn") == "pass" and "relu" not in found and result.max == 21


@pytest.mark.parametrize(
    "answer",
    ['exec("""import numpy as np\ndef relu(x):\n    return np.maximum(x, floor)""")', "import numpy as np\nglobals()['relu'] = lambda x: np.maximum(x, floor)"],
)
def test_an_answer_that_only_a_text_spells_out_is_handed_in(shell, answer):
    for cell in ("#| exercise: relu\ndef relu(x):\n    ...", "floor = 0", answer):
        run(shell, cell)
    assert run(shell, "check('relu')")
    handed = run(shell, 'submit("Ada")')
    assert handed.reports[0].exercise.id == "relu" and handed.reports[0]
    with Sandbox() as sandbox:
        result = grade("x.ipynb", handed.path.read_bytes(), catalog.load(), sandbox)
    assert {graded.exercise: graded.status for graded in result.graded}["relu"] == "pass"


def test_the_file_runs_in_jupyter_where_a_cell_begins_with_a_magic(shell):
    run(shell, f"%%capture\n{GELU}")
    handed = run(shell, 'submit("Ada")')
    (source,) = [cell["source"] for cell in json.loads(handed.path.read_text(encoding="utf-8"))["cells"] if "def gelu" in cell["source"]]
    assert source.startswith("%%capture\n#| exercise: gelu\n")
    run(shell, "del gelu")
    run(shell, source)
    assert run(shell, 'check("gelu")')


@pytest.mark.parametrize("margin", ["    ", "\t", ">>> "])
def test_what_jupyter_runs_as_it_was_pasted_is_handed_in_and_graded(shell, margin):
    source = "\n" + "".join(f"{margin}{line}\n" for line in GELU.strip().split("\n"))
    run(shell, "#| exercise: gelu\ndef gelu(x):\n    ...")
    run(shell, source)
    handed = run(shell, 'submit("Ada")')
    assert handed.reports[0].exercise.id == "gelu" and handed.reports[0]
    (cell,) = [cell["source"] for cell in json.loads(handed.path.read_text(encoding="utf-8"))["cells"] if "def gelu" in cell["source"]]
    run(shell, "del gelu")
    run(shell, cell)
    assert run(shell, 'check("gelu")')
    with Sandbox() as sandbox:
        result = grade("x.ipynb", handed.path.read_bytes(), catalog.load(), sandbox)
    assert {graded.exercise: graded.status for graded in result.graded}["gelu"] == "pass"


def test_what_was_not_run_since_the_kernel_started_is_named(shell):
    """Or a learner who restarts and runs one cell would hand in that one, and never know."""
    run(shell, GELU)
    handed = run(shell, 'submit("Ada")')
    assert handed.left == ("relu", "silu", "lowest-point", "tails", "swish")
    for lang, told in (("en", "not run here: relu, silu,"), ("es", "aquí no se ejecutaron: relu, silu,")):
        assert told in str(run(shell, f'submit("Ada", lang="{lang}")')) and told in run(shell, f'submit("Ada", lang="{lang}")')._repr_html_()
    for exercise in catalog.load().chapter("activations"):
        run(shell, exercise.starter("en"))
    assert not run(shell, 'submit("Ada")').left


def test_submit_without_a_name_or_answers_says_what_to_do(shell):
    assert "submit(" in str(run(shell, "submit()"))
    assert "run the cells" in str(run(shell, 'submit("Ada")'))
    assert not list(Path.cwd().glob("*.ipynb"))


def test_submit_runs_from_scratch(shell):
    """An answer that works only thanks to what was deleted since is shown to fail."""
    run(shell, GELU.replace("def gelu(x):", "def gelu(x):\n    globals()['hidden']"))
    run(shell, "globals()['hid' + 'den'] = 1")
    assert run(shell, 'check("gelu")')
    report = run(shell, 'submit("Ada")').reports[0]
    assert not report and report.verdicts[0].status == "raised"


def test_submit_shows_and_lists_in_the_order_of_the_book(shell):
    run(shell, "n_W1 = 1\nn_W2 = 2\nn_ffn = 3")
    run(shell, GELU)
    run(shell, "def relu(x): ...")
    done = run(shell, 'submit("Ada")')
    about = json.loads(done.path.read_text(encoding="utf-8"))["metadata"]["ffnbook"]
    order = ["relu", "gelu", "count-1024"]
    assert [report.exercise.id for report in done.reports] == about["exercises"] == list(about["results"]) == order
    assert "relu, gelu and count-1024" in done.path.read_text(encoding="utf-8")


def test_what_check_calls_right_submit_does_too(shell):
    """However many cells the answer was put together in."""
    for source in ("sizes = {}", "sizes['d'] = 1024", "n_W1 = 4 * sizes['d']", "n_W1 *= sizes['d']", "n_W2 = n_W1", "n_ffn = 0"):
        run(shell, source)
    run(shell, "for size in (n_W1, n_W2, 4096, 1024):\n    n_ffn += size")
    assert run(shell, 'check("count-1024")')
    assert all(run(shell, 'submit("Ada")').reports)


def test_where_there_are_no_processes_a_cell_that_stops_costs_itself(shell, monkeypatch):
    monkeypatch.setattr(submitting.sys, "platform", "emscripten")
    shell.run_cell(GELU + "\ngelu('no number')\nraise SystemExit", store_history=True)
    assert all(run(shell, 'submit("Ada")').reports)


@pytest.mark.parametrize("path", ["no/such/folder/x.ipynb", "folder.ipynb"])
def test_where_the_file_cannot_be_written_submit_says_so(shell, path):
    Path("folder.ipynb").mkdir()
    run(shell, GELU)
    assert "cannot be written" in str(run(shell, f'submit("Ada", "{path}")'))
    assert [found.name for found in Path.cwd().iterdir() if found.name != "ipython"] == ["folder.ipynb"], "no half of it is left"


@pytest.mark.parametrize(
    ("call", "name", "learner"),
    [('"Ada", "mine"', "mine.ipynb", "Ada"), ('"Ada", "mine.txt"', "mine.txt.ipynb", "Ada"), ('"李 雷"', "ffn-activations-李-雷.ipynb", "李 雷"),
     ('"Ada\\n# Title"', "ffn-activations-ada-title.ipynb", "Ada # Title"), ('"\\ud800"', "ffn-activations-submission.ipynb", "?")],
)  # fmt: skip
def test_whatever_the_name_the_file_is_one_that_grade_reads(shell, call, name, learner):
    run(shell, GELU)
    path = run(shell, f"submit({call})").path
    assert path.name == name
    (source,) = collect([path])
    with Sandbox() as sandbox:
        assert grade(source.name, source.bytes(), catalog.load(), sandbox, seed=7).learner == learner


@pytest.mark.parametrize("call", ["check(gelu)", "check('GELU ')", "check(name='gelu')"])
def test_check_takes_the_function_itself_too(shell, call):
    run(shell, GELU)
    assert run(shell, call).exercise.id == "gelu"
    assert "There is no exercise" in str(run(shell, "check()")) and "none" in str(run(shell, "check(None)")).lower()
    run(shell, "def ffn_params(): ...")
    assert run(shell, "check(ffn_params)").exercise.id == "ffn-params"
