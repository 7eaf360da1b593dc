"""Every hostile submission earns what the table says, and takes nothing from the other exercises."""

import os
import time
import tomllib

import pytest
from grading_tools import HERE, LAB, QUICK, RIGHT, SEED, data, notebook

from ffnbook.grading.grade import grade
from ffnbook.grading.reports import junit, page, summary, table

FOLDER = HERE / "hostile"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text(encoding="utf-8"))
TOTAL = {"relu": "4", "double": "1/2", "count": "1", "pick": "1"}
LONGEST = 15.0


@pytest.fixture(scope="module", autouse=True)
def token():
    os.environ["FFN_SECRET_TOKEN"] = "hush"
    yield
    del os.environ["FFN_SECRET_TOKEN"]


def cells(name: str) -> list[str]:
    hostile = (FOLDER / f"{name}.py").read_text(encoding="utf-8").split("# %%\n")
    comment, hostile[0] = hostile[0].split("\n", 1)
    return [*hostile, *(source for other, source in RIGHT.items() if other != "relu")]


def test_the_corpus_and_the_table_agree():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(EXPECTED)
    assert len(EXPECTED) >= 40


@pytest.mark.parametrize("name", EXPECTED)
def test_hostile(name, sandbox, tmp_path):
    due = EXPECTED[name]
    start = time.monotonic()
    result = grade(f"{name}.ipynb", data(notebook(*cells(name))), LAB, sandbox, seed=SEED, limits=QUICK, chapters=("lab",))
    took = time.monotonic() - start
    assert result.status == "graded" and result.final
    got = {one.exercise: one for one in result.graded}
    if due["relu"] != ["any"]:
        assert got["relu"].status in due["relu"], [v.plain() for v in got["relu"].verdicts]
        assert got["relu"].points == due["points"]
    for other in ("double", "count", "pick"):
        if due["relu"] != ["any"]:
            assert got[other].status == due.get(other, "pass"), [v.plain() for v in got[other].verdicts]
            assert str(got[other].points) == (TOTAL[other] if got[other].status == "pass" else "0")
    assert took < LONGEST
    reports_are_harmless(result, tmp_path)


def reports_are_harmless(result, folder):
    for lang in ("es", "en"):
        html = page.page(result, LAB, lang)
        assert html.count("<script") == 0 and "onerror=" not in html.replace("onerror=alert(2)&gt;", "")
        assert len(html) < 60_000
    junit.write(folder / "junit.xml", [result], LAB, "en")
    import xml.etree.ElementTree as tree

    tree.parse(folder / "junit.xml")
    summary.write(folder / "summary.md", [result], LAB, "es", result.layers)
    assert "<script" not in (folder / "summary.md").read_text(encoding="utf-8")
    table.write(folder / "grades.csv", [result], ["relu"], ["learners/x.html"])
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in (folder / "grades.csv").read_text("utf-8-sig").split(","))


def test_the_sandbox_still_works_after_all_of_that(sandbox):
    result = grade("good.ipynb", data(notebook(*RIGHT.values())), LAB, sandbox, seed=SEED, limits=QUICK)
    assert {one.status for one in result.graded} == {"pass"} and sandbox.layers[:1] == ["bubblewrap"]
    assert "namespaces" in sandbox.layers, "children were not forked into namespaces of their own"
