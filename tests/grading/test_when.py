"""A result for Classroom 50 says when the work was handed in, however late it is graded and however often."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from grading_tools import COURSE, RIGHT, data, notebook

from ffnbook.grading import when

ROOT = Path(__file__).parents[2]
MADE, UTC_MADE = "2026-05-31T23:30:00-05:00", "2026-06-01T04:30:00Z"


def git(folder, *args):
    env = os.environ | {"GIT_COMMITTER_DATE": MADE, "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z"}
    return subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *args], cwd=folder, env=env, capture_output=True, check=True)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    for name in ("SUBMISSION_DATETIME", "SUBMISSION_TAG"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "checkout"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub/x.ipynb").write_bytes(data(notebook(*RIGHT.values())))
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "not\ncommitter t <t@t> 1 +0000")
    return folder


def test_it_is_the_committers_date_of_the_commit_that_holds_it(checkout):
    paths = [checkout / "sub/x.ipynb"]
    assert when.handed_in(paths, checkout) == when.handed_in(paths, checkout / "sub") == UTC_MADE
    assert when.handed_in([checkout / "sub"], checkout) == when.handed_in([checkout], checkout) == UTC_MADE


def test_a_commit_that_does_not_hold_it_says_nothing(checkout, tmp_path):
    """A class graded from the teacher's own repository was not handed in when that was committed."""
    (checkout / "new.ipynb").write_bytes(b"{}")
    (tmp_path / "outside.ipynb").write_bytes(b"{}")
    for path in (checkout / "new.ipynb", tmp_path / "outside.ipynb"):
        assert when.handed_in([checkout / "sub/x.ipynb", path], checkout) == ""
    assert when.handed_in([checkout / "sub/x.ipynb"], tmp_path) == ""


def test_the_environment_comes_first_and_the_tag_last(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("SUBMISSION_TAG", "submit/2026-06-02T14-32-05Z-a1b2c3d")
    assert when.handed_in([tmp_path / "x"], tmp_path) == "2026-06-02T14:32:05Z"
    assert when.handed_in([checkout / "sub"], checkout) == UTC_MADE
    monkeypatch.setenv("SUBMISSION_DATETIME", "2026-06-03T00:00:00Z")
    assert when.handed_in([checkout / "sub"], checkout) == "2026-06-03T00:00:00Z"


def test_a_repository_handed_in_is_not_asked(checkout, tmp_path):
    """Its own configuration may name programs, and the folder one works in is another."""
    git(checkout, "config", "core.fsmonitor", f"touch {tmp_path}/run; false")
    git(checkout, "config", "log.showSignature", "true")
    git(checkout, "config", "gpg.program", f"touch {tmp_path}/run")
    assert when.handed_in([checkout / "sub/x.ipynb"], tmp_path) == ""
    when.handed_in([checkout / "sub/x.ipynb"], checkout)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("committed", [True, False])
def test_classroom50_gets_it_and_when_it_was_graded(checkout, tmp_path, committed):
    if not committed:
        (checkout / ".git").rename(tmp_path / "no-git")
    env = {key: value for key, value in os.environ.items() if not key.startswith("SUBMISSION_")} | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "ffnbook", "grade", "sub/x.ipynb", "--exercises", COURSE, "--also", "classroom50", "--out", tmp_path / "out"]
    done = subprocess.run(list(map(str, command)), cwd=checkout, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "out/result.json").read_text(encoding="utf-8"))
    graded = datetime.strptime(result["graded_at"], when.INSTANT).replace(tzinfo=UTC)
    assert abs(datetime.now(UTC) - graded) < timedelta(minutes=2)
    assert result["datetime"] == (UTC_MADE if committed else result["graded_at"])
