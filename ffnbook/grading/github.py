"""What ``.github/workflows/grade.yml`` runs: grade the answers that a push or pull request brings.

``python -m ffnbook.grading.github`` asks git which notebooks and .py files are new or
changed since ``BASE`` (in ``exercises/es``, ``exercises/en`` and ``submissions``), grades
these, and leaves the result in the job's summary, with the files of other kinds that came
along and were not read.  It needs no token.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ffnbook import messages
from ffnbook.grading.collect import ANSWERS, Skipped, is_junk, skip
from ffnbook.grading.reports.summary import not_read_section

FOLDERS = ("exercises/es", "exercises/en", "submissions")
ENDINGS = (*ANSWERS, ".zip")
NOBODY = "0" * 40  # what GitHub calls the commit before a branch's first
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def changed(base: str, root: Path) -> list[str]:
    """Files that differ from ``base``; all there are, where that commit is not known here."""
    known = base and base != NOBODY and _git(root, "cat-file", "-e", f"{base}^{{commit}}").returncode == 0
    done = _git(root, "diff", "--name-only", "-z", "--diff-filter=AMR", base if known else EMPTY_TREE, "HEAD", "--", *FOLDERS)
    return [name for name in done.stdout.split("\0") if name and (root / name).is_file()]


def answers(names: list[str]) -> list[str]:
    """Those among the files that are graded."""
    return [name for name in names if name.lower().endswith(ENDINGS)]


def others(names: list[str], root: Path) -> list[Skipped]:
    """Those that are not, and that somebody may have meant to hand in."""
    return [skip(root / name, name) for name in names if not name.lower().endswith(ENDINGS) and not is_junk(name)]


def _git(root: Path, *args: str) -> subprocess.CompletedProcess:
    return subprocess.run(["git", "-C", str(root), *args], capture_output=True, encoding="utf-8", errors="surrogateescape")


def spoken(names: list[str]) -> str:
    """The language of most of the files, by their folder; else the one the runner speaks."""
    there = [lang for name in names for lang in messages.LANGUAGES if f"/{lang}/" in f"/{name}"]
    return max(there, key=there.count) if there else os.environ.get("FFNBOOK_LANG", "es")


def main(root: Path = Path()) -> int:
    names = changed(os.environ.get("BASE", ""), root)
    lang, graded = spoken(names), answers(names)
    not_read = not_read_section(others(names, root), lang)
    status = 0
    if graded:
        command = [sys.executable, "-m", "ffnbook", "grade", *(str(root / name) for name in graded)]
        status = subprocess.run([*command, "--out", "results", "--lang", lang, "--jobs", "2"]).returncode
    else:
        _summary(messages.t("grading.github.nothing", lang))
    if not_read:
        _summary(not_read)
    return status


def _summary(text: str) -> None:
    target = os.environ.get("GITHUB_STEP_SUMMARY")
    if target:
        with open(target, "a", encoding="utf-8") as file:
            file.write(text + "\n")
    print(text)


if __name__ == "__main__":
    sys.exit(main())
