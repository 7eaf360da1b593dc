"""Grading on GitHub: only what changed, in the learner's language, with nothing to steal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from grading_tools import data, notebook

from ffnbook.grading import github

ROOT = Path(__file__).parents[2]
GELU = (ROOT / "solutions/activations/gelu/solution.py").read_text(encoding="utf-8")


def git(folder, *args):
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "core.autocrlf=false"]
    done = subprocess.run(["git", *who, *args], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def fork(tmp_path):
    folder = tmp_path / "fork"
    (folder / "exercises" / "es").mkdir(parents=True)
    git(tmp_path, "init", "-q", str(folder))
    (folder / "exercises/es/activations.ipynb").write_bytes(data(notebook("def gelu(x): ...")))
    (folder / "exercises/es/other.ipynb").write_bytes(data(notebook("x = 1")))
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "start")
    return folder


def test_only_what_changed_is_graded(fork):
    base = git(fork, "rev-parse", "HEAD")
    assert github.changed(base, fork) == []
    (fork / "exercises/es/activations.ipynb").write_bytes(data(notebook(GELU)))
    (fork / "submissions").mkdir()
    (fork / "submissions/año (1).ipynb").write_bytes(data(notebook(GELU)))
    (fork / "book.py").write_text("x", encoding="utf-8")
    git(fork, "add", ".")
    git(fork, "commit", "-qm", "answers")
    assert github.answers(github.changed(base, fork)) == ["exercises/es/activations.ipynb", "submissions/año (1).ipynb"]
    assert len(github.changed(github.NOBODY, fork)) == len(github.changed("f" * 40, fork)) == 3


def test_E05_a_fork_is_graded_and_the_result_is_in_the_summary(fork, tmp_path):
    (fork / "exercises/es/activations.ipynb").write_bytes(data(notebook(GELU)))
    base = git(fork, "rev-parse", "HEAD")
    git(fork, "commit", "-qam", "answers")
    summary = tmp_path / "summary.md"
    env = os.environ | {"BASE": base, "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "ffnbook.grading.github"], cwd=fork, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    text = summary.read_text(encoding="utf-8")
    assert "## Resultados" in text and "GELU exacta" in text and "bubblewrap" in text


def test_what_cannot_be_read_is_refused(fork, tmp_path):
    base = git(fork, "rev-parse", "HEAD")
    (fork / "exercises/es/activations.ipynb").write_text("<!DOCTYPE html>", encoding="utf-8")
    git(fork, "commit", "-qam", "answers")
    summary = tmp_path / "summary.md"
    env = os.environ | {"BASE": base, "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "ffnbook.grading.github"], cwd=fork, env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 3
    assert "Es una página web, no un cuaderno" in summary.read_text(encoding="utf-8")


def test_what_is_of_another_kind_is_named_in_the_summary(fork, tmp_path):
    base = git(fork, "rev-parse", "HEAD")
    (fork / "submissions").mkdir()
    for name in ("tarea.docx", ".gitkeep"):
        (fork / "submissions" / name).write_text("x", encoding="utf-8")
    git(fork, "add", ".")
    git(fork, "commit", "-qm", "a document")
    summary = tmp_path / "summary.md"
    env = os.environ | {"BASE": base, "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": str(ROOT), "FFNBOOK_LANG": "es"}
    done = subprocess.run([sys.executable, "-m", "ffnbook.grading.github"], cwd=fork, env=env, capture_output=True, text=True, timeout=120)
    text = summary.read_text(encoding="utf-8")
    assert done.returncode == 0 and "no hay nada que corregir" in text
    assert "### De otro tipo, sin leer" in text and "submissions/tarea.docx: Es un documento" in text and "gitkeep" not in text


def test_the_workflow_can_do_no_harm():
    text = (ROOT / ".github/workflows/grade.yml").read_text(encoding="utf-8")
    assert "pull_request_target" not in text and "secrets." not in text and "write" not in text.replace("token that writes", "")
    assert "timeout-minutes" in text and "persist-credentials: false" in text
    uses = [line.split("uses:")[1].split("#")[0].strip() for line in text.splitlines() if "uses:" in line]
    assert uses and all(len(use.split("@")[1]) == 40 for use in uses)


def test_the_form_speaks_both_languages():
    text = (ROOT / ".github/ISSUE_TEMPLATE/entrega-hand-in.yml").read_text(encoding="utf-8")
    assert "Español" in text and "English" in text and text.count(" · ") >= 5
