"""Right answers written in unusual ways, and handed in as people's machines save them, get full marks."""

import pytest
from grading_tools import RIGHT, data, graded, notebook, statuses

from ffnbook.exercises.say import what
from ffnbook.grading import github, reading
from ffnbook.grading.collect import collect
from ffnbook.grading.reports.words import fault_text, notes

OTHERS = tuple(RIGHT[name] for name in RIGHT if name != "relu")
ALL = {"relu": "pass", "double": "pass", "count": "pass", "pick": "pass"}
PLAIN = "\ndef relu(x):\n    return np.maximum(x, 0)\n"


@pytest.mark.parametrize(
    "answer",
    ["relu = lambda x: np.maximum(x, 0)",
     "class R:\n    def __call__(self, x):\n        return np.maximum(x, 0)\nrelu = R()",
     "from functools import partial\nrelu = partial(np.maximum, 0)",
     "@np.vectorize\ndef relu(x):\n    return max(x, 0.0)",
     "import functools\ndef same(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n    return g\n@same" + PLAIN,
     "try:\n    from numba import njit\nexcept ImportError:\n    njit = lambda f: f\n@njit" + PLAIN,
     "def relu(x: npt.NDArray[np.float64]) -> 'Nowhere':\n    return np.maximum(x, 0)",
     "from __future__ import annotations\nimport numpy as np\ndef relu(x: Nowhere):\n    return np.maximum(x, 0)",
     "def relu(x):\n    return np.fromiter((max(v, 0) for v in x.ravel()), float).reshape(x.shape)",
     "def relu(x):\n    return np.asarray(np.matrix(np.maximum(x, 0))).reshape(x.shape)",
     "def relu(x):\n    return np.maximum(x, 0).tolist()",
     "import torch\ndef relu(x):\n    return torch.relu(torch.tensor(x, requires_grad=True))",
     "def make():\n    global relu\n    def relu(x):\n        return np.maximum(x, 0)\nmake()",
     "exec('def relu(x): return np.maximum(x, 0)')",
     "(relu, other) = (lambda x: np.maximum(x, 0)), 3",
     "np.seterr(all='raise')" + PLAIN,
     "import warnings\nwarnings.simplefilter('error')" + PLAIN],
)  # fmt: skip
def test_any_way_to_define_it(sandbox, answer):
    assert statuses(graded(sandbox, answer, *OTHERS)) == ALL


@pytest.mark.parametrize(
    ("body", "status", "es", "en"),
    [("return np.matrix(np.maximum(x, 0))", "shape", "np.matrix, que siempre tiene dos", "np.matrix, which always has two dimensions"),
     ("yield from x", "dtype", "de tipo generator, que todavía no es un array", "type generator, which is not an array yet"),
     ("return (max(v, 0) for v in x)", "dtype", "paréntesis donde iban corchetes", "parentheses where brackets were due"),
     ("return map(abs, x)", "dtype", "de tipo map, que todavía", "type map, which is not"),
     ("return np.maximum(x, 0).astype(object)", "dtype", "el dtype es object", "the dtype is object"),
     ("return np.array([None] * len(x))", "dtype", "alguno es None", "one of them is None"),
     ("return [None] * len(x)", "dtype", "alguno es None", "one of them is None"),
     ("return np.maximum(x, 0).astype(str)", "dtype", "Sus elementos no son números", "Its elements are not numbers"),
     ("return np.maximum", "dtype", "¿Faltan los paréntesis", "Are the parentheses of the call missing"),
     ("return lambda y: y", "dtype", "Devuelve una función en vez", "a function instead of its result"),
     ("return np.ma.masked_less(x, 0)", "dtype", "usa np.where", "use np.where"),
     ("return 0.5", "shape", "Llegó un solo número", "A single number came"),
     ("print(x)", "dtype", "¿Falta un return?", "Is a return missing?")],
)  # fmt: skip
def test_what_is_no_answer_is_told_so_that_one_learns(sandbox, body, status, es, en):
    """Not taken for the answer, right as its numbers may be: what works on arrays would fail on it (exercises/README.md)."""
    cell = f"def relu(x):\n    if x.ndim != 1:\n        return np.maximum(x, 0)\n    {body}"
    (got,) = [one for one in graded(sandbox, cell, *OTHERS).graded if one.exercise == "relu"]
    first = next(verdict for verdict in got.verdicts if verdict.status != "pass")
    assert first.status == status and es in what(first, "es") and en in what(first, "en"), first


def test_an_async_function_is_told_so(sandbox):
    (got,) = [one for one in graded(sandbox, "async def relu(x):\n    return x", *OTHERS).graded if one.exercise == "relu"]
    assert "Quita el async" in what(got.verdicts[0], "es") and "Take away the async" in what(got.verdicts[0], "en")


def test_a_matrix_of_the_right_shape_and_an_array_without_masked_elements_pass(sandbox):
    for wrapped in ("np.matrix(y) if x.ndim == 2 else y", "np.ma.array(y)"):
        answer = f"def relu(x):\n    y = np.maximum(x, 0)\n    return {wrapped}"
        assert statuses(graded(sandbox, answer, *OTHERS)) == ALL


@pytest.mark.parametrize(
    "answer",
    ["%%time\nimport numpy as np" + PLAIN,
     "!pip install -q numpy \\\n    tqdm" + PLAIN + "%timeit relu(np.ones(3))",
     "%matplotlib inline\ndef relu(x):\n    s = ('%d'\n         % 3)\n    return np.maximum(x, 0)",
     "np.maximum?" + PLAIN + "relu??",
     "%time relu = lambda x: np.maximum(x, 0)\n%time !ls\n%time files = !ls",
     "import asyncio\nawait asyncio.sleep(0)" + PLAIN,
     "get_ipython().run_line_magic('matplotlib', 'inline')" + PLAIN,
     "from google.colab import drive\ndrive.mount('/content')" + PLAIN,
     "from IPython.display import HTML, display\ndef relu(x):\n    display(HTML('<b>x</b>'))\n    return np.maximum(x, 0)",
     "def relu(x):\n    display(x)\n    return np.maximum(x, 0)",
     "from tqdm.auto import tqdm\ndef relu(x):\n    return np.array([max(v, 0) for v in tqdm(x.ravel(), desc='x')]).reshape(x.shape)",
     "import matplotlib.pyplot as plt\ndef relu(x):\n    plt.plot(np.ravel(x))\n    plt.show()\n    return np.maximum(x, 0)",
     "import sys\ndef relu(x):\n    print(x, sys.stdout.encoding.lower(), flush=True)\n    return np.maximum(x, 0)",
     "assert False, 'a try'" + PLAIN + "if __name__ == '__main__':\n    print(relu(np.ones(2)))"],
)  # fmt: skip
def test_what_notebooks_are_full_of(sandbox, answer):
    assert statuses(graded(sandbox, answer, *OTHERS)) == ALL


@pytest.mark.parametrize(("encoding", "first"), [("cp1252", ""), ("latin-1", "# -*- coding: latin-1 -*-\n"), ("utf-8-sig", ""), ("utf-16", "")])
def test_any_encoding_an_editor_writes(sandbox, encoding, first):
    content = (first + "# la función más útil\n" + "\n\n".join(RIGHT.values())).encode(encoding)
    assert statuses(graded(sandbox, content=content, name="x.py")) == ALL


@pytest.mark.parametrize("name", ["x.ipynb.txt", "x.ipynb.json", "X.IPYNB"])
def test_any_name_a_browser_saves(sandbox, tmp_path, name):
    (tmp_path / name).write_bytes(data(notebook(*RIGHT.values())))
    (source,) = collect([tmp_path])
    assert statuses(graded(sandbox, content=source.bytes(), name=source.name)) == ALL


def test_a_link_is_named_and_not_followed(tmp_path):
    (tmp_path / "secret.py").write_text("relu = 1")
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "x.py").symlink_to(tmp_path / "secret.py")
    (folder / "notes.txt").symlink_to(tmp_path / "secret.py")
    for sources in (collect([folder]), collect([folder / "x.py"])):
        (source,) = sources
        assert source.name == "x.py" and source.bytes().facts["why"] == "link"


def test_a_pasted_picture_is_no_code_and_too_much_code_is_named(sandbox):
    picture = ("markdown", "![](data:image/png;base64," + "A" * 3_000_000 + ")")
    assert statuses(graded(sandbox, picture, *RIGHT.values())) == ALL
    result = graded(sandbox, *RIGHT.values(), "x = '" + "A" * reading.MAX_CODE + "'")
    assert result.facts["why"] == "too_long" and "524 kB" in fault_text(result, "es")
    content = ("x = 1\n" * reading.MAX_CODE).encode()
    assert graded(sandbox, content=content, name="x.py").facts["why"] == "too_long"


def test_github_takes_the_same_files():
    assert set(reading.NOTEBOOKS + reading.SCRIPTS) < set(github.ENDINGS)


@pytest.mark.parametrize("where", ["the same cell", "another cell"])
def test_what_is_not_installed_here_is_no_forgotten_cell(sandbox, where):
    """`Restart and run all` works where the learner is: to advise it would lead nowhere."""
    cells = ["from nowhere_installed import cut", "def relu(x): return cut(x)"]
    result = graded(sandbox, *(cells if where == "another cell" else ["\n".join(cells)]), RIGHT["double"])
    first = next(g for g in result.graded if g.exercise == "relu").verdicts[0]
    assert first.status == "environment" and "nowhere_installed" in first.facts["text"], first


@pytest.mark.parametrize(("version", "told"), [("3.99.1", True), ("3.9.18", False), ("2.7", False), ("four", False), (None, False), ([3], False)])
def test_a_newer_python_is_named_where_a_cell_has_a_syntax_error(sandbox, version, told):
    bad = "def relu(x):\n    return x !! 0"
    made = notebook(bad, metadata={"language_info": {"name": "python", "version": version}})
    said = notes(graded(sandbox, content=data(made)), "en")
    assert any("Python 3.99" in line for line in said) == told
    fine = notebook(RIGHT["relu"], metadata={"language_info": {"name": "python", "version": version}})
    assert notes(graded(sandbox, content=data(fine)), "en") == []
