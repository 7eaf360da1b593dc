"""Hostile text in names and tables: no formula in any spreadsheet, nothing that turns its neighbours around."""

import csv
from fractions import Fraction

import pytest

from ffnbook.exercises.run import Verdict
from ffnbook.grading.grade import Graded, Result
from ffnbook.grading.reports import summary, table
from ffnbook.grading.reports.words import printable

BEGINS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")


@pytest.mark.parametrize(
    "name",
    ["=1+1", " =1+1", "\t=1+1", "\n=1+1", "Ana;=1+1", "Ana; -1", "a\t@x", "Ana\n;+1", "＝1+1", 'Ana";"=1', "a,=b"],
)  # fmt: skip
def test_no_cell_is_a_formula_wherever_a_spreadsheet_cuts(tmp_path, name):
    path = tmp_path / "grades.csv"
    table.write(path, [Result("x.ipynb", learner=name, version=name)], [], ["learners/x.html"])
    text = path.read_text(encoding="utf-8-sig")
    for delimiter in ",;\t":
        for row in csv.reader(text.splitlines(), delimiter=delimiter):
            assert not any(cell.strip().strip('"').strip().startswith(BEGINS) for cell in row), row
    assert len(text.splitlines()) == 2


@pytest.mark.parametrize(("value", "shown"), [("1/6", "0.1666666667"), ("4/3", "1.3333333333"), ("0.3", "0.3"), ("100", "100"), ("0", "0")])
def test_points_are_numbers_to_a_spreadsheet_and_no_dates(tmp_path, value, shown):
    points = Fraction(value)
    graded = Graded("relu", "pass", (Verdict("known", "pass", points, points, False),))
    table.write(tmp_path / "grades.csv", [Result("x.ipynb", graded=[graded])], ["relu"], [""])
    with (tmp_path / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        row = next(csv.DictReader(file))
    assert row["points"] == row["max"] == row["relu points"] == shown


def test_usual_names_stay_as_they_are(tmp_path):
    path = tmp_path / "grades.csv"
    for name in ("José-María O'Neill", "Zoë (2)", "Ana, Bo", "x - y", "احمد", "李"):
        table.write(path, [Result("tarea - final.ipynb", learner=name)], [], [""])
        with path.open(encoding="utf-8-sig", newline="") as file:
            assert next(csv.DictReader(file))["learner"] == name


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u202a", "\x1b[2J", "\x9b2J"])
def test_nothing_turns_the_text_around_or_moves_a_cursor(tmp_path, mark):
    assert mark[0] not in printable(f"Ana{mark}bc")
    result = Result(f"x{mark}.ipynb", learner=f"Ana{mark}")
    table.write(tmp_path / "grades.csv", [result], [], [""])
    summary.write(tmp_path / "summary.md", [result], [], "es", [])
    assert mark[0] not in (tmp_path / "grades.csv").read_text("utf-8-sig") + (tmp_path / "summary.md").read_text("utf-8")


def test_a_summary_keeps_within_what_github_shows(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "step.md"))
    summary.write(tmp_path / "summary.md", [Result("€" * 3000 + f"{number}.ipynb") for number in range(200)], [], "en", [])
    assert 900_000 < len((tmp_path / "step.md").read_bytes()) < 1 << 20
