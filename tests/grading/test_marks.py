"""``#| exercise`` adds to what is found and hides nothing: no answer is lost because another cell is marked."""

import pytest
from grading_tools import SEED, data, notebook, statuses

from ffnbook.exercises import catalog
from ffnbook.grading.grade import grade

COURSE = catalog.load()
RIGHT = {exercise.id: exercise.solution.read_text(encoding="utf-8") for exercise in COURSE}
GELU, FFN, COUNT = (f"{mark}{RIGHT[name]}" for mark, name in (("#| exercise: gelu\n", "gelu"), ("", "ffn"), ("", "count-1024")))


def got(sandbox, *cells, name="x.ipynb", content=None):
    content = data(notebook(*cells)) if content is None else content
    return statuses(grade(name, content, COURSE, sandbox, seed=SEED))


def test_unmarked_answers_of_another_chapter_are_graded(sandbox):
    found = got(sandbox, GELU, FFN, COUNT)
    assert found["gelu"] == found["ffn"] == found["count-1024"] == "pass" and len(found) == len(RIGHT)
    assert found == got(sandbox, RIGHT["gelu"], FFN, COUNT), "as without any mark"


def test_a_mark_alone_touches_its_own_chapter_only(sandbox):
    assert set(got(sandbox, GELU)) == {exercise.id for exercise in COURSE.chapter("activations")}


def test_an_answer_that_shares_a_marked_cell_is_graded(sandbox):
    found = got(sandbox, GELU + "\n\n" + RIGHT["ffn"])
    assert found["gelu"] == found["ffn"] == "pass"


HELPER = "#| exercise: ffn\nimport numpy as np\n\ndef relu(x):\n    return x\n\ndef ffn(x, W1, b1, W2, b2):\n    return relu(x @ W1 + b1) @ W2 + b2"


ELSEWHERE = HELPER.partition("def ffn")
APART = ("def relu(x):\n    return x", "#| exercise: ffn\n" + "".join(ELSEWHERE[1:]))


@pytest.mark.parametrize(
    "cells",
    [(HELPER,), (HELPER, "factor = 0.5"), (GELU, "factor = 0.5"), APART],
    ids=["in its cell", "a name", "a common name", "in a cell before"],
)
def test_a_helper_does_not_count_a_chapter_as_missing(sandbox, cells):
    assert len({COURSE.find(name).chapter for name in got(sandbox, *cells)}) == 1


def test_most_of_the_names_of_an_exercise_are_an_answer(sandbox):
    assert got(sandbox, GELU, "n_W1 = 1\nn_W2 = 2")["count-1024"] == "values"


@pytest.mark.parametrize("separator", ["# %%\n", "\n# In[3]:\n\n\n"])
def test_the_cells_of_a_script_too(sandbox, separator):
    content = separator.join(["", GELU + "\nprint(gelu(1.0))\n", FFN]).encode()
    assert got(sandbox, name="x.py", content=content)["ffn"] == "pass"


def test_a_fault_in_one_cell_of_an_exported_script_costs_that_cell(sandbox):
    content = f"#!/usr/bin/env python\n\n# In[1]:\n\n\n{RIGHT['gelu']}\n\n# In[ ]:\n\n\ndef broken(x:\n".encode()
    assert got(sandbox, name="x.py", content=content)["gelu"] == "pass"
