"""A Python with exactly what a requirements file brings, made of the packages installed here, without a network."""

from __future__ import annotations

import re
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement


def named(requirements: Path) -> list[str]:
    """The packages a requirements file names, without what it says to pip."""
    lines = requirements.read_text(encoding="utf-8").splitlines()
    return [re.split(r"[=<>]", line)[0] for line in lines if line and line[0] not in "#-"]


def closure(names: Iterable[str]) -> dict[str, Distribution]:
    """Those packages and all that they require on this machine."""
    found: dict[str, Distribution] = {}
    seen, queue = set(), [Requirement(name) for name in names]
    while queue:
        wanted = queue.pop()
        if (key := (wanted.name.lower().replace("_", "-"), frozenset(wanted.extras))) in seen:
            continue
        seen.add(key)
        try:
            found[key[0]] = distribution(wanted.name)
        except PackageNotFoundError:  # PyTorch's wheels for CPUs do without what the others name
            continue
        queue += [need for text in found[key[0]].requires or () if applies(need := Requirement(text), wanted.extras)]
    return found


def applies(need: Requirement, extras: set[str]) -> bool:
    return need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras or {""})


def make(folder: Path, packages: dict[str, Distribution]) -> Path:
    """An environment in ``folder`` with those packages alone; its ``bin``."""
    venv.create(folder)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    for package in packages.values():
        for top in {file.parts[0] for file in package.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (site / top).exists():
                (site / top).symlink_to(package.locate_file(top))
    return folder / "bin"
