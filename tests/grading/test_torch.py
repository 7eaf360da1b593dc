"""Exercises of kind torch: tensors in, tensors out, modules kept on the learner's side; torch imported once."""

import subprocess
import sys
import time

import pytest
from grading_tools import HERE, QUICK, SEED, data, notebook, points, statuses

from ffnbook.exercises import catalog
from ffnbook.exercises.validate import grade as grade_here
from ffnbook.exercises.validate import problems
from ffnbook.grading.grade import grade
from ffnbook.grading.session import Limits

TENSORS = catalog.load(HERE / "course_torch")
RIGHT = {ex.id: ex.solution.read_text(encoding="utf-8") for ex in TENSORS}


def graded(sandbox, *cells, limits=QUICK):
    return grade("x.ipynb", data(notebook(*cells)), TENSORS, sandbox, seed=SEED, chapters=("tensors",), limits=limits)


def test_the_set_is_in_order():
    assert [text for exercise in TENSORS for text in problems(exercise, solution_needed=False)] == []


def test_right_answers_pass_and_torch_is_imported_once(sandbox):
    assert statuses(graded(sandbox, *RIGHT.values())) == {"silu": "pass", "block": "pass"}
    start = time.monotonic()
    graded(sandbox, *RIGHT.values())
    took = time.monotonic() - start
    subprocess.run([sys.executable, "-c", "import torch"], check=True)
    assert took < (time.monotonic() - start - took) / 2


@pytest.mark.parametrize(
    ("body", "status", "earned"),
    [("return (x * torch.sigmoid(x)).numpy()", "dtype", "2"), ("return (x * torch.sigmoid(x)).double()", "dtype", "2"),
     ("return torch.relu(x)", "values", "1"), ("return x.requires_grad_() * torch.sigmoid(x)", "pass", "3"),
     ("return (x * torch.sigmoid(x)).to(torch.bfloat16)", "values", "1"), ("return x @ x", "shape", "1"),
     ("return (x * torch.sigmoid(x)).to_sparse()", None, None), ("return torch.ones(10**5, 10**5)", "memory", "0"),
     ("return torch.empty(3, device='meta')", None, None)],
)  # fmt: skip
def test_wrong_tensors(sandbox, body, status, earned):
    result = graded(sandbox, f"import torch\ndef silu(x):\n    {body}", RIGHT["block"])
    assert statuses(result)["block"] == "pass"
    if status is None:
        assert statuses(result)["silu"] not in ("crash", "timeout")
    else:
        assert (statuses(result)["silu"], points(result)["silu"]) == (status, earned), result.graded


def test_the_same_tests_serve_without_a_sandbox():
    for exercise in TENSORS:
        assert {v.status for v in grade_here(exercise, RIGHT[exercise.id])} == {"pass"}


def test_a_training_loop_has_room(sandbox):
    loop = """
import torch
net = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.Linear(256, 64))
optimiser = torch.optim.AdamW(net.parameters())
for _ in range(20):
    loss = (net(torch.randn(64, 64)) ** 2).mean()
    loss.backward()
    optimiser.step()
"""
    assert statuses(graded(sandbox, loop, *RIGHT.values(), limits=Limits())) == {"silu": "pass", "block": "pass"}
