"""One order everywhere, that of the book; and names joined as each language joins them."""

import csv
import json
import re
import xml.etree.ElementTree as tree
from pathlib import Path

import pytest
from grading_tools import data, notebook

from ffnbook.exercises import catalog, notebooks
from ffnbook.exercises.say import listed
from ffnbook.grading import batch
from ffnbook.grading.batch import Settings
from ffnbook.grading.collect import collect
from ffnbook.grading.grade import Result
from ffnbook.grading.reports import everything
from ffnbook.grading.reports.words import layer_names, notes

ROOT = Path(__file__).parents[2]
COURSE = catalog.load()
BOOK = [exercise.id for exercise in COURSE]


def test_the_order_is_that_of_the_pages():
    """Read here as a reader meets them, not through the code that writes order.toml."""
    chapters = re.findall(r"file: (\S+)", (ROOT / "_toc.yml").read_text(encoding="utf-8"))
    pages = [(ROOT / "book/en" / f"{name}.md").read_text(encoding="utf-8") for name in chapters]
    assert BOOK == [name for page in pages for name in re.findall(r"^```\{exercise\} (\S+)", page, re.M)]
    assert BOOK != sorted(BOOK) and COURSE.chapters == [name for name in chapters if COURSE.chapter(name)]
    assert (ROOT / "exercises/source/order.toml").read_text(encoding="utf-8") == notebooks.order()


@pytest.fixture(scope="module")
def graded_in(tmp_path_factory):
    """Every exercise's starter, handed in from the last to the first; where the reports are."""
    folder = tmp_path_factory.mktemp("order")
    cells = [f"#| exercise: {exercise.id}\n{exercise.starter('en')}" for exercise in reversed(list(COURSE))]
    (folder / "x.ipynb").write_bytes(data(notebook(*cells)))
    settings = Settings(folder / "out")
    names = [batch.one(source, settings) for source in collect([folder / "x.ipynb"])]
    everything.write(settings, names, "en", ["seccomp"], ("gradescope", "classroom50"))
    return folder / "out"


def titles(text: str) -> list[str]:
    """The exercises whose titles a text holds, in the order in which it does."""
    places = {exercise.id: text.find(exercise.title("en")) for exercise in COURSE}
    assert min(places.values()) >= 0
    return sorted(places, key=places.get)


def test_every_report_has_the_order_of_the_book(graded_in):
    with (graded_in / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        head = next(csv.reader(file))
    assert [name.removesuffix(" points") for name in head if name.endswith(" points")] == BOOK
    (entry,) = json.loads((graded_in / "grades.json").read_text(encoding="utf-8"))
    assert [one["exercise"] for one in entry["exercises"]] == BOOK
    cases = tree.parse(graded_in / "junit.xml").getroot().iter("testcase")
    assert list(dict.fromkeys(case.get("classname") for case in cases)) == BOOK
    (page,) = (graded_in / "learners").glob("*.html")
    for path in (page, graded_in / "summary.md"):
        text = path.read_text(encoding="utf-8").replace("\\", "").replace("&#x27;", "'")
        assert titles(text) == BOOK, path
    for name, key in (("results.json", "name"), ("result.json", "test-name")):
        tests = json.loads((graded_in / name).read_text(encoding="utf-8"))["tests"]
        assert titles("\n".join(test[key] for test in tests)) == BOOK, name


SETTING = 'id = "{0}"\nkind = "function"\nnames = ["f"]\n[points]\na = 1\n'


def own(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "exercise.toml").write_text(SETTING.format(name.split("/")[1]), encoding="utf-8")
    return folder


def test_a_set_of_ones_own_comes_by_name_or_as_it_declares(tmp_path):
    folder = own(tmp_path, "b/one", "a/two", "a/three")
    assert [exercise.id for exercise in catalog.Set(folder)] == ["three", "two", "one"]
    (folder / "order.toml").write_text('b = ["one"]\na = ["two"]\n', encoding="utf-8")
    assert [exercise.id for exercise in catalog.Set(folder)] == ["one", "two", "three"]
    for wrong in ("a = 3", "a = [3]", "a = ["):
        (folder / "order.toml").write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match="order.toml"):
            catalog.Set(folder)


def test_names_are_joined_as_the_language_does():
    assert [listed(names, "es") for names in ("", "a", "ab", "abc")] == ["", "a", "a y b", "a, b y c"]
    assert [listed(names, "en") for names in ("", "a", "ab", "abc")] == ["", "a", "a and b", "a, b and c"]
    assert listed(["gelu", "inverse"], "es") == "gelu e inverse" and listed(["fila", "hierro"], "es") == "fila y hierro"
    assert listed("abc", "es", "or") == "a, b o c" and listed(["uno", "ocho"], "es", "or") == "uno u ocho"


def test_the_notes_and_the_layers_are_joined_so():
    result = Result("x", notes=["unknown:gelu\nlowest-point\nrelu"])
    assert notes(result, "es") == ["No están en este conjunto de ejercicios: gelu, lowest-point y relu."]
    assert notes(result, "en") == ["Not in this set of exercises: gelu, lowest-point and relu."]
    assert layer_names(["network", "seccomp"], "es") == "sin red y seccomp"
