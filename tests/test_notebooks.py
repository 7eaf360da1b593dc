"""The learner's notebooks: current, valid, alike, without a word of the solutions, and they run anywhere."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import typer
from nbclient import NotebookClient
from typer.testing import CliRunner

from ffnbook.exercises import catalog, notebooks
from ffnbook.grading.cells import neutral
from ffnbook.grading.grade import grade
from ffnbook.grading.sandbox import Sandbox
from ffnbook.messages import LANGUAGES, set_language, t
from ffnbook.site import commands

ROOT = Path(__file__).parents[1]
COURSE = catalog.load()
PLACES = [(lang, chapter) for lang in LANGUAGES for chapter in notebooks.chapters()]
every = pytest.mark.parametrize(("lang", "chapter"), PLACES)


def committed(lang: str, chapter: str) -> nbformat.NotebookNode:
    return nbformat.read(ROOT / "exercises" / lang / f"{chapter}.ipynb", 4)


def solved(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook with the worked solutions pasted over the starters."""
    for cell in notebook.cells:
        if found := re.match(r"#\| exercise: (\S+)\n", cell.source):
            cell.source = found[0] + COURSE.find(found[1]).solution.read_text(encoding="utf-8")
    return notebook


def test_the_committed_notebooks_are_current():
    assert notebooks.outdated() == [], "run `ffnbook notebooks`"


def test_there_is_one_for_each_chapter_and_nothing_else():
    found = {path.relative_to(ROOT / "exercises").as_posix() for lang in LANGUAGES for path in (ROOT / "exercises" / lang).glob("*")}
    assert found == {f"{lang}/{chapter}.ipynb" for lang, chapter in PLACES}


@every
def test_it_is_valid_and_small_and_its_ids_are_stable(lang, chapter):
    notebook = committed(lang, chapter)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids)) and ids == [cell.id for cell in committed(LANGUAGES[0], chapter).cells]
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells if cell.cell_type == "code")
    assert (ROOT / "exercises" / lang / f"{chapter}.ipynb").stat().st_size < 100_000


@pytest.mark.parametrize("chapter", notebooks.chapters())
def test_the_code_is_the_same_in_both_languages(chapter):
    es, en = (
        [ast.dump(ast.parse(neutral(cell.source))) for cell in committed(lang, chapter).cells if cell.cell_type == "code"][1:]
        for lang in LANGUAGES
    )
    assert es == en


@every
def test_its_exercises_come_in_the_order_of_the_chapter(lang, chapter):
    page = (ROOT / "book" / lang / f"{chapter}.md").read_text(encoding="utf-8")
    marked = [found[1] for cell in committed(lang, chapter).cells if (found := re.match(r"#\| exercise: (\S+)\n", cell.source))]
    assert marked == re.findall(r"^```\{exercise\} (\S+)$", page, re.MULTILINE)


@every
def test_it_shows_no_myst_and_nothing_of_solutions_or_tests(lang, chapter):
    notebook = committed(lang, chapter)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.search(r"\{[a-z-]+\}`|\]\(#|:::|```\{", prose)
    everything = "\n".join(cell.source for cell in notebook.cells)
    for exercise in COURSE.chapter(chapter):
        starter = exercise.starter(lang)
        lines = [line.strip() for line in exercise.solution.read_text(encoding="utf-8").splitlines()]
        assert [line for line in lines if len(line) > 12 and "import" not in line and line in everything and line not in starter] == []
        for reply in replies(exercise, lang):
            assert reply not in everything


def replies(exercise, lang: str) -> list[str]:
    found = []
    for entry in exercise.answers.values():
        found += [entry["right"][lang], entry["hint"][lang]] if exercise.kind == "numeric" else [c[lang]["reply"] for c in entry["choices"].values()]
    return found


def test_the_first_cell_installs_only_where_the_library_is_missing():
    known = notebooks.notebook("exact-form", "en", repository="ada/ffn")
    setup = "".join(known["cells"][1]["source"])
    assert '    %pip install -q "ffnbook[torch] @ git+https://github.com/ada/ffn"\n' in setup
    assert '"ffnbook @ git+' in "".join(notebooks.notebook("activations", "en", repository="ada/ffn")["cells"][1]["source"])
    nowhere = "".join(notebooks.notebook("exact-form", "es")["cells"][1]["source"])
    assert "raise ModuleNotFoundError('Falta la biblioteca" in nowhere and "github" not in nowhere


def test_without_the_library_the_first_cell_says_what_to_do(tmp_path):
    source = "".join(notebooks.notebook("exact-form", "es")["cells"][1]["source"])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", source], cwd=tmp_path, capture_output=True, encoding="utf-8", env={"PYTHONUTF8": "1"})
    assert done.returncode and "Descarga el repositorio del libro" in done.stderr


@pytest.fixture
def copy(tmp_path):
    """A small repository of its own: the exercises and the pages that order them."""
    shutil.copytree(ROOT / "exercises", tmp_path / "exercises")
    shutil.copytree(ROOT / "solutions", tmp_path / "solutions")
    for lang in LANGUAGES:
        (tmp_path / "book" / lang).mkdir(parents=True)
        for chapter in notebooks.chapters():
            shutil.copy(ROOT / "book" / lang / f"{chapter}.md", tmp_path / "book" / lang)
    return tmp_path


def test_a_change_of_an_exercise_is_noticed_and_written(copy):
    assert notebooks.outdated(copy) == []
    text = copy / "exercises/source/activations/relu/text.es.md"
    text.write_text(text.read_text(encoding="utf-8") + "\nUna frase más.\n", encoding="utf-8")
    (copy / "exercises/en/gone.ipynb").write_text("{}", encoding="utf-8")
    (copy / "exercises/en/exact-form.ipynb").unlink()
    names = {"exercises/es/activations.ipynb", "exercises/en/gone.ipynb", "exercises/en/exact-form.ipynb"}
    assert {path.relative_to(copy).as_posix() for path in notebooks.outdated(copy)} == names
    assert {path.relative_to(copy).as_posix() for path in notebooks.write(copy)} == names
    assert notebooks.outdated(copy) == [] and "Una frase más." in (copy / "exercises/es/activations.ipynb").read_text(encoding="utf-8")


def test_wherever_they_install_from_they_are_current(copy):
    """A fork has another address than the one the notebooks were written with."""
    notebooks.write(copy, repository="ada/ffn")
    assert notebooks.outdated(copy) == []
    assert notebooks.write(copy) == []
    assert "git+https://github.com/ada/ffn" in (copy / "exercises/es/exact-form.ipynb").read_text(encoding="utf-8")


def test_the_command_checks_and_writes_nothing(tmp_path):
    command = [sys.executable, "-m", "ffnbook", "notebooks", "--check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["hints.toml", "exercise.toml", "text.es.md"])
def test_the_command_names_the_file_that_cannot_be_used(copy, monkeypatch, name):
    broken = copy / "exercises/source/activations/relu" / name
    broken.unlink()
    if broken.suffix == ".toml":
        broken.write_text("x = “y”", encoding="utf-8")
    monkeypatch.setattr(notebooks, "ROOT", copy)
    monkeypatch.setattr(notebooks.outdated, "__defaults__", (copy,))
    monkeypatch.setenv("FFNBOOK_LANG", "es")
    site = typer.Typer()
    commands.register(site)
    done = CliRunner().invoke(site, ["notebooks", "--check"])
    why = "no se puede leer: Invalid value (at line 1, column 5)" if broken.suffix == ".toml" else "falta text.es.md"
    set_language("en")
    assert (done.exit_code, done.output) == (1, f"{broken}: {why}\n")


def run(notebook: nbformat.NotebookNode, folder: Path) -> dict[str, str]:
    """Execute from top to bottom in ``folder``; what each cell shows, by its id."""
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: "\n".join(texts(cell)) for cell in notebook.cells if cell.cell_type == "code"}


def texts(cell) -> list[str]:
    found = []
    for output in cell.outputs:
        assert output.output_type != "error"
        found.append(output.get("text") or output["data"].get("text/plain", ""))
    return found


@pytest.fixture(scope="module", params=PLACES, ids="-".join)
def executed(request, tmp_path_factory):
    """(language, chapter, what its cells show untouched, what they show solved), run in a folder that holds nothing else."""
    lang, chapter = request.param
    folder = tmp_path_factory.mktemp("learner")
    shown = [run(notebook, folder) for notebook in (committed(lang, chapter), solved(committed(lang, chapter)))]
    assert list(folder.iterdir()) == []
    return lang, chapter, *shown


def test_untouched_nothing_is_answered_yet(executed):
    lang, chapter, untouched, _ = executed
    for exercise in COURSE.chapter(chapter):
        report = untouched[f"{exercise.id}-check"]
        assert t("grading.say.unanswered.text", lang) in report and "✓" not in report and "✗" not in report
    assert t("grading.submit.name", lang) in untouched["submit"]


def test_with_the_solutions_pasted_in_everything_passes(executed):
    _, chapter, _, done = executed
    for exercise in COURSE.chapter(chapter):
        report = done[f"{exercise.id}-check"]
        assert report.count("✓") == sum(not test.private for test in exercise.tests) and "✗" not in report and "○" not in report


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_handed_in_as_it_is_earns_full_marks(lang):
    """A notebook handed in without submit(): check() and submit() in it do no harm."""
    with Sandbox() as sandbox:
        data = json.dumps(solved(committed(lang, "activations"))).encode()
        result = grade("activations.ipynb", data, COURSE, sandbox, seed=1)
    marks = {g.exercise: g.status for g in result.graded if g.exercise in {ex.id for ex in COURSE.chapter("activations")}}
    assert set(marks.values()) == {"pass"} and len(marks) == len(COURSE.chapter("activations"))
