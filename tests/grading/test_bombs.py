"""Small submissions made to keep the grader itself busy, or to fill its memory: each costs itself, and little."""

import struct
import time
import zipfile

import numpy as np
import pytest
from grading_tools import RIGHT, graded, statuses

from ffnbook.exercises import values
from ffnbook.exercises.judge import Fault, Judge
from ffnbook.exercises.subject import Local
from ffnbook.grading import wire
from ffnbook.grading.cells import neutral
from ffnbook.grading.collect import collect

OTHERS = tuple(RIGHT[name] for name in RIGHT if name != "relu")
REST = {"double": "pass", "count": "pass", "pick": "pass"}
RIGHT_SUM = "def relu(x):\n    return np.maximum(x, 0)" + "+0" * 700
FINALLY = "".join(f"{' ' * i}try: pass\n{' ' * i}finally:\n" for i in range(18)) + " " * 18 + "x = 1\n"
USED_TWICE = """
import sys
values = sys.modules["ffnbook.exercises.values"]
honest = values.encode
def relu(x):
    values.encode = lambda value, arrays, keep=None, depth=0: {"$l": [honest(value, arrays)] * 100_000}
    return np.zeros(1000)
"""


@pytest.fixture(autouse=True)
def seconds():
    start = time.process_time()
    yield
    assert time.process_time() - start < 12  # of the grader itself


def test_an_expression_too_deep_to_be_compared_with_a_starter(sandbox):
    assert statuses(graded(sandbox, RIGHT_SUM, *OTHERS)) == REST | {"relu": "pass"}


def test_levels_of_finally_are_not_unrolled_by_the_grader(sandbox):
    assert statuses(graded(sandbox, *RIGHT.values(), FINALLY)) == REST | {"relu": "pass"}


def test_a_line_of_spaces_is_read_in_one_go():
    assert neutral("!ls\n" + " " * 1_000_000 + "x") == "pass\n" + " " * 1_000_000 + "x"
    assert neutral("files = !ls\n  a[0], b = %time 3") == "files = None\n  a[0], b = None"


def test_a_function_in_a_thousand_pieces_is_put_together_a_few_times(sandbox):
    head = "def relu(x):\n" + "    y = 1\n" * 20_000
    assert statuses(graded(sandbox, head, *["    y = 2"] * 1000, "    return np.maximum(x, 0)", *OTHERS)).items() >= REST.items()


@pytest.mark.parametrize(
    ("answer", "status"),
    [("np.zeros((10**8, 0))", "memory"), ("[np.arange(1000.0) / 7] * 1000", "shape"), ("{k * (2**61 - 1): 0 for k in range(3_000)}", "dtype"),
     ("{(k,): 0 for k in range(9)}", "dtype"), ("np.zeros((3000, 3000))", "memory")],
)  # fmt: skip
def test_answers_that_take_long_to_look_at(sandbox, answer, status):
    assert statuses(graded(sandbox, f"def relu(x):\n    return {answer}", *OTHERS)) == REST | {"relu": status}


def test_one_array_is_not_sent_as_a_hundred_thousand(sandbox):
    assert statuses(graded(sandbox, USED_TWICE, *OTHERS)) == REST | {"relu": "crash"}


@pytest.mark.parametrize("key", [2**61 - 1, {"$l": [1], "k": "tuple"}, {"$c": [1, 2]}, {"$i": "0x1fffffffffffffff"}])
def test_keys_whose_hashes_collide_do_not_cross(key):
    with pytest.raises(values.BadTree):
        values.decode({"$d": [[key, 0]]}, [])
    assert values.decode({"$d": [["a", 0], [1, 0], [None, 0], [0.5, 0]]}, []) == {"a": 0, 1: 0, None: 0, 0.5: 0}


def test_rows_of_nothing_do_not_cross():
    with pytest.raises(wire.Broken):
        wire.unpack(b'{"arrays": [["<f8", [30000000, 0]]]}', b"")
    assert wire.unpack(b'{"arrays": [["<f8", [3, 0]]]}', b"")[1][0].shape == (3, 0)


def test_a_large_array_is_not_listed_to_be_compared():
    with pytest.raises(Fault, match="values"):
        Judge(Local({})).equal(np.zeros(4_000_000), 3)


def test_descriptions_are_short_whatever_is_described():
    nested = {"a": [[np.zeros(1000)] * 1000] * 1000, **{f"k{i}": "x" * 10_000 for i in range(1000)}}
    assert len(values.describe(nested)) < 3000
    assert values.describe([1, 2.5, (3,)]) == "[1, 2.5, (3,)]" and values.describe(list(range(9))) == "[0, 1, 2, 3, 4, 5, …]"
    assert values.describe(np.zeros((2, 0))) == "np.array([[], []])"


@pytest.mark.parametrize("nested", [False, True])
def test_a_zip_with_a_list_of_a_million_files_is_not_read(tmp_path, nested):
    """Zipped again, 90 MB of the same entry are 260 kB."""
    entry = b"PK\1\2" + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    crowded = entry * 1_000_000 + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 0, 0, len(entry) * 1_000_000, 0, 0)
    path = tmp_path / "x.zip"
    if nested:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("y.zip", crowded)
    else:
        path.write_bytes(crowded)
    start = time.process_time()
    (source,) = collect([path])
    assert source.bytes().facts["why"] == "zip" and time.process_time() - start < 3
