"""What code imports, and what that imports in turn, among the files of this repository.

A file is parsed once for as long as it stays what it is: what it imports is known by the hash
of its contents, and Sphinx's environment keeps that from one build to the next.
"""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
KNOWN: dict[bytes, frozenset[str]] = {}
OF_LAST_BUILD: dict[bytes, frozenset[str]] = {}


def setup(app):
    app.connect("env-get-outdated", recall)
    app.connect("env-updated", keep)


def recall(app, env, added, changed, removed) -> list:
    OF_LAST_BUILD.update(getattr(env, "ffnbook_imports", {}))
    return []


def keep(app, env) -> None:
    env.ffnbook_imports = dict(KNOWN)


def names_in(code: str) -> frozenset[str]:
    """Dotted names of all that ``code`` imports, wherever in it; none of what is no Python: the cell that imports it will say so."""
    names = set()
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {a.name for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module} | {f"{node.module}.{a.name}" for a in node.names}
    return frozenset(names)


@cache
def names_in_file(path: Path) -> frozenset[str]:
    text = contents(path)
    key = hashlib.sha256(text).digest()
    KNOWN[key] = OF_LAST_BUILD[key] if key in OF_LAST_BUILD else names_in(text.decode())
    return KNOWN[key]


def ours(names: frozenset[str]) -> set[str]:
    """Those under ``ffnbook``."""
    return {n for n in names if n.split(".")[0] == "ffnbook"}


def closure(names: frozenset[str]) -> set[Path]:
    """The files of those modules of ours that are named, and of everything of ours that they import, in turn."""
    found, queue = set(), [*ours(names)]
    while queue:
        for path in module_files(queue.pop()):
            if path not in found:
                found.add(path)
                queue += ours(names_in_file(path))
    return found


@cache
def contents(path: Path) -> bytes:
    """A source as every machine reads it, whatever its line ends."""
    return path.read_bytes().replace(b"\r\n", b"\n")


@cache
def module_files(name: str) -> tuple[Path, ...]:
    stem = ROOT.joinpath(*name.split("."))
    parents = [p / "__init__.py" for p in stem.parents if p.is_relative_to(ROOT / "ffnbook")]
    own = [p for p in (stem.with_suffix(".py"), stem / "__init__.py") if p.is_file()]
    return tuple([*parents, *own]) if own else ()
