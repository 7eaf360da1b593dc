"""Every exercise has everything; its solution earns all, its starter nothing, its mistakes what they should."""

import pytest

from ffnbook.exercises import catalog
from ffnbook.exercises.validate import problems

COURSE = catalog.load()


@pytest.mark.parametrize("exercise", list(COURSE), ids=lambda ex: f"{ex.chapter}/{ex.id}")
def test_exercise_is_complete(exercise, capsys):
    assert problems(exercise) == []
    assert capsys.readouterr().out == ""  # what an answer prints is not for its author


def test_ids_are_unique():
    ids = [name for exercise in COURSE for name in (exercise.id, *exercise.aliases)]
    assert len(ids) == len(set(ids))


def test_every_solution_folder_belongs_to_an_exercise():
    root = COURSE.root.parent.parent / "solutions"
    folders = {path.parent.relative_to(root).as_posix() for path in root.rglob("solution.py")}
    assert folders == {f"{ex.chapter}/{ex.id}" for ex in COURSE}
