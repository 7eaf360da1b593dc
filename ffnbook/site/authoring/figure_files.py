"""The figures draw no words of their own: these come from the messages, in both languages."""

from __future__ import annotations

import ast
from pathlib import Path

from ffnbook.site.authoring.cell_rules import is_sentence
from ffnbook.site.authoring.faults import Fault, fault


def check(root: Path) -> list[Fault]:
    """A fault for each text, of two words or with a Spanish letter, that a module of figures holds outside its docstrings."""
    found = []
    for path in sorted((root / "ffnbook" / "figures").glob("*.py")):
        try:
            tree = ast.parse(source := path.read_text(encoding="utf-8-sig"))
        except (SyntaxError, UnicodeDecodeError):
            continue  # the cell that imports it tells
        if "@styled" in source:
            name = path.relative_to(root).as_posix()
            found += [fault(name, line, "authoring.cells.drawn", text=text[:60], stem=path.stem) for line, text in _texts(tree)]
    return found


def _texts(tree: ast.Module):
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents and is_sentence(node.value):
            yield node.lineno, " ".join(node.value.split())
