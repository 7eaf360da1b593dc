"""The files of the exercises can be read: what else may be wrong with them is told by ``ffnbook check``."""

from __future__ import annotations

import ast
from pathlib import Path

from ffnbook.site.authoring import catalogues
from ffnbook.site.authoring.faults import Fault, fault


def check(root: Path) -> list[Fault]:
    """A fault for each file of TOML or Python, of those that the build reads, that is none."""
    found: list[Fault] = []
    for path in sorted((root / "exercises" / "source").rglob("*.toml")):
        catalogues.read(path, root, found)
    for top, name in (("exercises/source", "tests.py"), ("solutions", "solution.py")):
        for path in sorted((root / top).rglob(name)):
            try:
                ast.parse(path.read_text(encoding="utf-8-sig"))
            except (SyntaxError, UnicodeDecodeError) as error:
                line = getattr(error, "lineno", None) or 1
                found.append(fault(path.relative_to(root).as_posix(), line, "authoring.cells.file", error=getattr(error, "msg", error)))
    return found
