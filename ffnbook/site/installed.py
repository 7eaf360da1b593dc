"""What is installed, of all that ``constraints.txt`` pins: pages show what these versions compute."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

PINNED = Path(__file__).parents[2] / "constraints.txt"


@cache
def versions() -> str:
    """This Python and its packages, by their folders' names: reading each of them would take longer than all the rest."""
    pinned = {_plain(name) for name in re.findall(r"(?m)^([\w.-]+)", PINNED.read_text(encoding="utf-8"))}
    names = {path.name for folder in map(Path, sys.path) if folder.is_dir() for path in folder.glob("*.dist-info")}
    return " ".join([sys.version, *sorted(name for name in names if _plain(name.split("-")[0]) in pinned)])


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
