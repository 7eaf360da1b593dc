"""What a build that did not end well leaves behind, and what the next one makes of it."""

from __future__ import annotations

import shutil
from pathlib import Path

AT_WORK, FAULTS = "at work", "faults"
BESIDE = (".jupyter_cache", "jupyter_execute")  # the folders of the pages that were run


def setup(app):
    clear(Path(app.outdir), Path(app.doctreedir))
    app.connect("builder-inited", begun)


def mark_of(doctrees: str | Path) -> Path:
    """A file that is there while a build runs, and stays where it found faults or was cut short."""
    return Path(doctrees, "unfinished")


def begun(app) -> None:
    mark_of(app.doctreedir).write_text(AT_WORK, encoding="utf-8")


def ended(app, *, faults: bool) -> None:
    mark_of(app.doctreedir).write_text(FAULTS, encoding="utf-8") if faults else mark_of(app.doctreedir).unlink()


def broke_off(folder: Path) -> bool:
    """Whether the last build of a language, in ``folder``, did not even come to say what was wrong."""
    return _says_at_work(mark_of(folder / ".doctrees"))


def _says_at_work(mark: Path) -> bool:
    return mark.is_file() and mark.read_text(encoding="utf-8") in (AT_WORK, "")


def clear(out: Path, doctrees: Path) -> None:
    """Read every page anew after a build that found faults: of a page it keeps, Sphinx would warn no more.

    One that was cut short may have left anything half written: nothing of it is kept.
    """
    mark = mark_of(doctrees)
    if _says_at_work(mark):
        for folder in (out, doctrees, *(out.parent / name for name in BESIDE)):
            shutil.rmtree(folder, ignore_errors=True)
    elif mark.is_file():
        (doctrees / "environment.pickle").unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    doctrees.mkdir(parents=True, exist_ok=True)
