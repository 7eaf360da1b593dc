"""What a learner reads: every question by its own name, every kind of fault told once, and nothing wider than a phone."""

import re
from html import unescape

import pytest
from chromium import chromium
from grading_tools import LAB, RIGHT, graded

from ffnbook.exercises import catalog
from ffnbook.grading.grade import grade
from ffnbook.grading.reports import page, summary

COURSE = catalog.load()

FAULTS = """
import numpy as np
def relu(x):
    if x.ndim == 1:
        return x
    raise ValueError(f"too many: {x.ndim}")
"""


def text(html: str) -> list[str]:
    return [part.strip() for part in unescape(re.sub(r"<[^>]+>", "\n", html)).split("\n") if part.strip()]


def test_each_kind_of_fault_is_told_once(sandbox):
    told = text(page.page(graded(sandbox, FAULTS), LAB, "en"))
    assert sum("too many" in line for line in told) == 1 and sum(line.startswith("Values that differ") for line in told) == 1


def test_an_exercise_without_an_answer_says_so_once(sandbox):
    html = page.page(graded(sandbox, "def relu(x): ...", RIGHT["double"]), LAB, "es")
    relu = next(part for part in html.split("<section>") if LAB.find("relu").title("es") in part)
    assert text(relu)[1:] == ["Todavía no hay respuesta aquí."]


def test_an_answer_to_a_question_was_given_and_not_returned(sandbox):
    told = text(page.page(graded(sandbox, "n_params = 1", "who = 'z'"), LAB, "es"))
    assert "Tu respuesta: 1." in told and not any(line.startswith("Devolvió") for line in told)
    assert any("llegó 'z'" in line for line in told)


def test_each_question_is_missed_by_its_own_name(sandbox):
    result = grade("x.py", b"def gelu(x): return x", COURSE, sandbox, seed=1)
    told = text(page.page(result, COURSE, "en"))
    assert all(any(line.startswith(f"I can't find “{name}”") for line in told) for name in ("x_low", "f_low", "order", "reason"))


def test_the_page_of_a_learner_names_what_was_handed_in(sandbox):
    result = graded(sandbox, RIGHT["relu"], name="tarea <1>.ipynb")
    assert "Entrega:" not in page.page(result, LAB, "es")
    result.learner = "Ana"
    assert "Entrega: tarea &lt;1&gt;.ipynb" in page.page(result, LAB, "es")


def test_the_summary_joins_the_exercises_of_a_status(sandbox, tmp_path):
    summary.write(tmp_path / "summary.md", [graded(sandbox, FAULTS)], LAB, "es", [])
    assert "no está: count, double y pick" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_a_long_summary_is_cut_and_says_so(sandbox, tmp_path):
    one = graded(sandbox, RIGHT["relu"])
    summary.write(tmp_path / "summary.md", iter([one] * (summary.MAX_ROWS + 3)), LAB, "en", [])
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.count("x.ipynb") == summary.MAX_ROWS and "And 3 more; all of them are in grades.json." in text


@pytest.mark.parametrize("width", [320, 1400])
def test_nothing_is_wider_than_the_screen(sandbox, tmp_path, width):
    result = graded(sandbox, FAULTS, "print('x' * 500)", name="María_1844_assignsubmission_file/" + "tarea" * 30 + ".ipynb")
    for number, learner in enumerate(("", "Ana" * 40)):
        result.learner = learner
        (tmp_path / f"{number}.html").write_text(page.page(result, LAB, "es"), encoding="utf-8")
    with chromium() as browser:
        shown = browser.new_page(viewport={"width": width, "height": 800})
        for path in tmp_path.glob("*.html"):
            shown.goto(path.as_uri())
            assert shown.evaluate("document.documentElement.scrollWidth") == width
