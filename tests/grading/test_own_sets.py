"""A set of one's own: whatever `grade` would refuse, `check` finds, by the same code and in the reader's language."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from grading_tools import COURSE, RIGHT

from ffnbook.exercises.validate import open_set, problems, refusals
from ffnbook.grading import commands

ROOT = Path(__file__).parents[2]


def ffnbook(*args, lang="es"):
    command = [sys.executable, "-m", "ffnbook", *map(str, args), "--lang", lang]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"COLUMNS": "200"}, timeout=120)


@pytest.fixture
def own(tmp_path):
    return shutil.copytree(COURSE, tmp_path / "own")


def change(own: Path, name: str, old: str, new: str) -> None:
    path = own / "lab" / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BROKEN = {
    "no solution": (lambda own: (own / "lab/relu/solution.py").unlink(), "falta solution.py: sin él no se pueden comprobar los casos privados"),
    "a solution that stops": (lambda own: change(own, "relu/solution.py", "import numpy", "import nothing_of_the_kind"), "solution.py no se puede ejecutar (ModuleNotFoundError)"),
    "a solution that is no Python": (lambda own: change(own, "relu/solution.py", "def relu(", "def relu(("), "solution.py no se puede ejecutar (SyntaxError)"),
    "tests that are no Python": (lambda own: change(own, "relu/tests.py", "def ", "def def "), "uno de sus archivos no se puede usar (SyntaxError)"),
    "no text": (lambda own: (own / "lab/relu/text.es.md").unlink(), "falta text.es.md"),
    "no starter": (lambda own: (own / "lab/relu/starter.py").unlink(), "falta starter.py"),
    "hints that are no TOML": (lambda own: change(own, "relu/hints.toml", "[", "[["), "uno de sus archivos no se puede usar (hints.toml)"),
    "no TOML": (lambda own: change(own, "relu/exercise.toml", "[points]", "[points"), "exercise.toml: no se puede leer"),
    "points that are none": (lambda own: change(own, "relu/exercise.toml", "[points]", '[points]\nx = "many"'), "exercise.toml: no se puede leer"),
    "no kind": (lambda own: change(own, "relu/exercise.toml", '"function"', '"essay"'), "hacen falta id, kind"),
    "a slip of the pen": (lambda own: change(own, "relu/exercise.toml", "kind", 'tittle = 1\nkind'), "no se conoce tittle"),
    "names that are no list": (lambda own: change(own, "relu/exercise.toml", '["relu"]', '"relu"'), "names es una lista"),
    "points for nothing": (lambda own: change(own, "relu/exercise.toml", "[points]", "[points]\nmore = 1"), "[points] nombra"),
    "another id": (lambda own: change(own, "relu/exercise.toml", 'id = "relu"', 'id = "relu2"'), "tiene que ser el nombre de la carpeta"),
    "an id twice": (lambda own: shutil.copytree(own / "lab/relu", own / "more/relu"), "Hay más de un ejercicio con este id (o alias): old-relu y relu."),
    "a name that no answer can have": (lambda own: change(own, "relu/exercise.toml", '["relu"]', '["my relu"]'), "names es una lista"),
    "a name that is a number": (lambda own: change(own, "relu/exercise.toml", '["relu"]', "[3]"), "names es una lista"),
    "an id that is a number": (lambda own: change(own, "relu/exercise.toml", 'id = "relu"', "id = 5"), "son textos"),
    "aliases that are no list": (lambda own: change(own, "relu/exercise.toml", '["old-relu"]', '"old-relu"'), "son textos"),
    "nothing to bring in": (lambda own: change(own, "relu/exercise.toml", '"numpy"', "3"), "son textos"),
    "no time": (lambda own: change(own, "relu/exercise.toml", "time_limit = 1", "time_limit = 0"), "time_limit = 0"),
    "endless time": (lambda own: change(own, "relu/exercise.toml", "time_limit = 1", 'time_limit = "inf"'), "time_limit = inf"),
    "a solution that raises": (lambda own: change(own, "relu/solution.py", "return ", "return unheard_of + "), "solution.py no pasa secret (raised): Tu código lanzó NameError"),
    "a solution that is wrong": (lambda own: change(own, "relu/solution.py", "return ", "return 1 + "), "solution.py no pasa known (values)"),
    "a solution without the name": (lambda own: change(own, "relu/solution.py", "def relu", "def rellu"), "solution.py no pasa shape (missing)"),
    "a solution that leaves": (lambda own: change(own, "relu/solution.py", "import numpy", "exit()\nimport numpy"), "solution.py no se puede ejecutar (SystemExit)"),
    "tests that leave": (lambda own: change(own, "relu/tests.py", "import numpy", "exit()\nimport numpy"), "uno de sus archivos no se puede usar (SystemExit)"),
    "a slip in a test": (lambda own: change(own, "relu/tests.py", "    t.shape", "    unheard_of\n    t.shape"), "solution.py no pasa shape (dtype): NameError"),
    "a test that asks for too much": (lambda own: change(own, "relu/tests.py", "def shape(s, t)", "def shape(s, t, more)"), "solution.py no pasa shape (dtype): TypeError"),
    "no right choice": (lambda own: change(own, "pick/answers.toml", "right", "wright"), "answers.toml: who.right"),
    "an order that is none": (lambda own: (own / "order.toml").write_text("lab = 3"), "lab tiene que ser una lista"),
}  # fmt: skip


def test_the_mark_that_some_editors_put_first_is_no_fault_of_a_set(own, tmp_path):
    for path in [*own.rglob("*.py"), *own.rglob("*.toml"), *own.rglob("*.md")]:
        path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
    checked = ffnbook("check", own)
    assert checked.returncode == 0, checked.stderr
    (tmp_path / "x.py").write_text(RIGHT["relu"], encoding="utf-8")
    graded = ffnbook("grade", tmp_path / "x.py", "--exercises", own, "--out", tmp_path / "out")
    assert graded.returncode == 0, graded.stderr


@pytest.mark.parametrize("fault", BROKEN)
def test_what_grade_refuses_check_finds(own, tmp_path, fault):
    breaks, says = BROKEN[fault]
    breaks(own)
    (tmp_path / "x.py").write_text(RIGHT["relu"], encoding="utf-8")
    graded = ffnbook("grade", tmp_path / "x.py", "--exercises", own, "--out", tmp_path / "out")
    checked = ffnbook("check", own)
    assert graded.returncode == commands.REFUSED and says in graded.stderr and "Traceback" not in graded.stderr, graded
    assert checked.returncode == 1 and says in checked.stdout and "Traceback" not in checked.stderr, checked
    refused = graded.stderr.splitlines()[:-1]
    assert refused and set(refused) <= set(checked.stdout.splitlines())


def test_every_unreadable_file_is_named_at_once(own):
    for name in ("relu", "double"):
        change(own, f"{name}/exercise.toml", "[points]", "[points")
    course, found = open_set(own, "en")
    assert course is None and len(found) == 2


def test_without_solutions_the_public_tests_can_be_used(own, tmp_path):
    for path in own.rglob("solution.py"):
        path.unlink()
    (tmp_path / "x.py").write_text(RIGHT["relu"], encoding="utf-8")
    args = ("grade", tmp_path / "x.py", "--exercises", own, "--out", tmp_path / "out")
    assert "--public" in ffnbook(*args).stderr.splitlines()[-1]
    assert ffnbook(*args, "--public").returncode == 0
    assert "«ffnbook check»" not in ffnbook(*args).stderr, "nothing else is wrong"


def test_a_good_set_is_refused_by_neither(own):
    course, found = open_set(own, "es")
    assert found == refusals(course, "es") == [] and [text for ex in course for text in problems(ex, False, "es")] == []
    assert "Todo en orden: 4 ejercicios." in ffnbook("check", own).stdout


def test_a_slip_in_the_order_is_found_and_costs_no_grading(own, tmp_path):
    (own / "order.toml").write_text('lab = ["relu", "dubble"]\nlob = ["count"]\n', encoding="utf-8")
    checked = ffnbook("check", own)
    assert checked.returncode == 1 and "order.toml: ningún ejercicio de aquí (capítulo/id) se llama así: lab/dubble y lob/count." in checked.stdout
    (tmp_path / "x.py").write_text(RIGHT["relu"], encoding="utf-8")
    assert ffnbook("grade", tmp_path / "x.py", "--exercises", own, "--out", tmp_path / "out").returncode == 0


def test_an_answer_without_hidden_cases_needs_no_solution(own):
    for name in ("count", "pick"):
        (own / f"lab/{name}/solution.py").unlink()
    assert ffnbook("check", own).returncode == 0


@pytest.mark.parametrize(("args", "says"), [(("--lang", "fr"), "takes es or en, not fr"), (("--also", "moodle"), "takes gradescope or classroom50, not moodle")])
def test_an_option_that_does_not_exist_gets_a_sentence(args, says):
    command = [sys.executable, "-m", "ffnbook", "grade", "README.md", *args]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"FFNBOOK_LANG": "en"}, timeout=120)
    assert done.returncode == commands.REFUSED and says in done.stderr


def test_a_solution_that_fails_costs_nobody_a_mark(own, tmp_path):
    """What torch computes is not tried before grading begins: where the solution fails then, the answer is left ungraded."""
    change(own, "relu/exercise.toml", '"function"', '"torch"')
    change(own, "relu/solution.py", "return ", "return unheard_of + ")
    (tmp_path / "x.py").write_text(RIGHT["relu"], encoding="utf-8")
    done = ffnbook("grade", tmp_path / "x.py", "--exercises", own, "--out", tmp_path / "out")
    assert done.returncode == commands.PARTIAL and not list((tmp_path / "out/results").iterdir())
    assert "sin corregir: 1" in done.stdout and "relu, solution.py" in done.stdout and "unheard_of" in done.stdout, done.stdout
