"""The course's own exercises in the sandbox: solutions earn all, starters nothing, mistakes what they say."""

from fractions import Fraction
from pathlib import Path

import pytest
from grading_tools import SEED, data, notebook

from ffnbook.exercises import catalog
from ffnbook.exercises.validate import HEADER
from ffnbook.grading.grade import grade

COURSE = catalog.load()
ROOT = Path(__file__).parents[2]
CHAPTERS = sorted({exercise.chapter for exercise in COURSE})
WRONG = [
    pytest.param(exercise, path, id=f"{exercise.id}/{path.stem}")
    for exercise in COURSE
    for path in sorted((exercise.solution.parent / "wrong").glob("*.py"))
]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_solutions_earn_everything(chapter, sandbox):
    sources = [exercise.solution.read_text(encoding="utf-8") for exercise in COURSE.chapter(chapter)]
    result = grade("x.ipynb", data(notebook(*sources)), COURSE, sandbox, seed=SEED, chapters=(chapter,))
    assert result.final and result.points == result.max > 0, [g for g in result.graded if g.status != "pass"]


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_learners_notebook_starts_unanswered(chapter, lang, sandbox):
    path = ROOT / "exercises" / lang / f"{chapter}.ipynb"
    result = grade(path.name, path.read_bytes(), COURSE, sandbox, seed=SEED)
    assert {g.exercise: g.status for g in result.graded} == {ex.id: "unanswered" for ex in COURSE.chapter(chapter)}
    assert result.lang == lang


@pytest.mark.parametrize(("exercise", "path"), WRONG)
def test_known_mistakes_earn_what_they_say(exercise, path, sandbox):
    source = path.read_text(encoding="utf-8")
    due = dict(HEADER.findall(source))
    result = grade("x.py", source.encode(), COURSE, sandbox, seed=SEED, chapters=(exercise.chapter,))
    got = next(g for g in result.graded if g.exercise == exercise.id)
    assert got.status == due["status"] and got.points < got.max
    assert "points" not in due or got.points == Fraction(due["points"])
