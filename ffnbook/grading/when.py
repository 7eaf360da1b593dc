"""When the work that is graded was handed in, which no grading again may change."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

INSTANT = "%Y-%m-%dT%H:%M:%SZ"
COMMITTER = re.compile(r"^committer .*> (\d{1,12}) [+-]\d{4}$", re.MULTILINE)
TAG = re.compile(r"(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z")


def now() -> str:
    return datetime.now(UTC).strftime(INSTANT)


def handed_in(paths: list[Path], folder: Path = Path()) -> str:
    """What ``SUBMISSION_DATETIME`` says, the date of the commit in ``folder`` that holds ``paths``, or the time in the tag's name.

    Empty where none of these is there.
    """
    return os.environ.get("SUBMISSION_DATETIME") or committed(paths, folder) or _tagged(os.environ.get("SUBMISSION_TAG", ""))


def committed(paths: list[Path], folder: Path = Path()) -> str:
    """The committer's date of the commit checked out in ``folder``; empty where it does not hold all of ``paths``.

    Only the folder one works in is asked, never a submission's own ``.git``: its configuration may name programs to run.
    """
    here = folder.resolve()
    inside = [os.path.relpath(path.resolve(), here) for path in paths]
    # with ./ git takes a path from the folder on, not from the top of the repository
    if not all(_git(here, "cat-file", "-e", f"HEAD:./{path}") is not None for path in inside):
        return ""
    found = COMMITTER.search((_git(here, "cat-file", "commit", "HEAD") or "").split("\n\n")[0])
    try:
        return datetime.fromtimestamp(int(found[1]), UTC).strftime(INSTANT) if found else ""
    except (ValueError, OverflowError, OSError):  # git believes any number
        return ""


def _git(folder: Path, *args: str) -> str | None:
    """What git says, asking nobody and fetching nothing; None where it fails or is not there."""
    environment = os.environ | {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(["git", "-C", str(folder), *args], capture_output=True, timeout=20, env=environment, stdin=subprocess.DEVNULL)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _tagged(tag: str) -> str:
    """The instant in a name such as ``submit/2026-06-01T14-32-05Z-a1b2c3d``."""
    found = TAG.search(tag)
    return f"{found[1]}{found[2]}:{found[3]}:{found[4]}Z" if found else ""
