"""Which cells an answer needs: all those that made what it uses, and no others."""

import ast

import pytest

from ffnbook.exercises import catalog
from ffnbook.grading import history
from ffnbook.grading.flow import Flow

COURSE = list(catalog.load())


def needed(*cells: str) -> list[str]:
    """The cells of those run, oldest first, that are handed in."""
    return [cells[index] for index in history.answers(list(cells), COURSE)]


NEEDED = {  # every cell of these
    "added up": ["n_ffn = 0", "for n in (4096 * 1024, 4096 * 1024, 4096, 1024): n_ffn += n"],
    "of itself": ["n_W1 = 1024", "n_W1 = n_W1 * 4096"],
    "twice over": ["n_W1 = 1024", "n_W1 *= 2", "n_W1 *= 2"],
    "a list that grows": ["parts = []", "parts.append(3)", "n_W1 = sum(parts)"],
    "a table filled in": ["sizes = {}", "sizes['d'] = 1024", "n_W1 = sizes['d']"],
    "an attribute": ["class C: pass", "C.d = 1024", "n_W1 = C.d"],
    "a value as it was": ["k = 1", "n_W1 = k", "k = 2", "n_W2 = k"],
    "all of a library": ["from numpy import *", "def relu(x): return maximum(x, 0)"],
    "defined inside": ["def make():\n    global relu\n    def relu(x): return x", "n_W1 = 1"],
    "a helper that comes after": ["def relu(x): return cut(x)", "def cut(x): return x"],
    "in a comprehension": ["k = 3", "n_W1 = sum(k for _ in range(3))"],
    "as a default": ["k = 3", "def relu(x, k=k): return x"],
    "a decorator": ["def same(f): return f", "@same\ndef relu(x): return x"],
    "a base": ["class Base: pass", "class FFN(Base): pass"],
    "in a method": ["k = 3", "class FFN:\n    def forward(self, x): return k"],
    "in a walrus": ["k = 3", "print(n_W1 := k)"],
    "annotated": ["k: int = 3", "n_W1: int = k"],
    "when it failed": ["k = 3", "try:\n    n_W1 = k\nexcept Exception as k: pass"],
}


@pytest.mark.parametrize("cells", NEEDED.values(), ids=NEEDED)
def test_what_an_answer_needs_goes_along(cells):
    assert needed(*cells) == cells


LEFT = {  # the last of these only
    "an older version": ["def relu(x): return 0", "def relu(x): return x"],
    "a value of a function's own name": ["x = 3", "def relu(x): return x"],
    "a variable of a loop": ["n = 7", "n_W1 = sum(n for n in range(3))"],
    "what is made in the same cell": ["k = 1", "k = 2\nn_W1 = k"],
    "a trial": ["print(1)", "n_W1 = 1"],
    "a module's own business": ["print(2)", "import numpy as np\nn_W1 = np.prod([3, 4])"],
}


@pytest.mark.parametrize("cells", LEFT.values(), ids=LEFT)
def test_what_it_does_not_need_stays(cells):
    assert needed(*cells) == cells[-1:]


def test_what_is_done_with_a_module_is_no_part_of_an_answer():
    cells = ["import numpy as np", "np.testing.assert_allclose(1, 1)", "def relu(x): return np.maximum(x, 0)"]
    assert needed(*cells) == [cells[0], cells[2]]


def test_a_star_answers_no_exercise():
    assert needed("from numpy import *", "x = 3") == []


def test_a_thousand_cells_are_followed_at_once():
    cells = ["n_ffn = 0", *["n_ffn += 1"] * 1000]
    assert len(needed(*cells)) == 1001


def test_names_are_read_in_the_order_of_python():
    flow = Flow(ast.parse("a = b\nb = 1\nc += a\nd[0] = e.f\ndel g\nlambda h: h + i").body)
    assert flow.before == {"b", "c", "d", "e", "g"}
    assert (flow.binds, flow.changes, flow.later) == ({"a", "b", "c"}, {"d"}, {"i"})
