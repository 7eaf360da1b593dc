"""What the checks want to know of a page's code, read from its syntax tree (nothing is run)."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ffnbook.site.reading.markup import Cell


COMMENT = re.compile(r"[ \t]*#.*")


@lru_cache(maxsize=4096)
def tree(source: str) -> ast.Module | None:
    """The syntax tree, or None where the cell is not plain Python (both languages share it)."""
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def syntax_error(source: str) -> tuple[int, str]:
    """The line at which Python stops understanding the code, and what it says."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    return 1, ""


def called(call: ast.Call) -> str:
    """The dotted name a call is made by: ``lesson.glue``."""
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return f"{call.func.value.id}.{call.func.attr}"
    return ast.unparse(call.func) if isinstance(call.func, (ast.Name, ast.Attribute)) else ""


@lru_cache(maxsize=4096)
def nodes(source: str) -> tuple[ast.AST, ...]:
    """Every node of the tree (none where the code is not Python)."""
    return tuple(ast.walk(tree(source) or ast.Module([], [])))


@lru_cache(maxsize=4096)
def calls(source: str) -> tuple[tuple[str, ast.Call], ...]:
    """Every call in the code, with its dotted name."""
    return tuple((called(node), node) for node in nodes(source) if isinstance(node, ast.Call))


@lru_cache(maxsize=4096)
def dump(source: str) -> str:
    """The code without what means nothing to Python (its text without comments where it is not Python)."""
    parsed = tree(source)
    return ast.dump(parsed) if parsed else COMMENT.sub("", source)


def argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """The argument given by position or by keyword."""
    if len(call.args) > position:
        return call.args[position]
    return next((k.value for k in call.keywords if k.arg == keyword), None)


@dataclass(frozen=True)
class Named:
    """A name given in code: a literal, or the pattern that an f-string makes (None: not to be known)."""

    line: int
    text: str
    pattern: str | None

    @cached_property
    def matches(self):
        return re.compile(self.pattern or ".*").fullmatch


def named(cell: Cell, functions: tuple[str, ...], position: int, keyword: str) -> list[Named]:
    """The names that calls of ``functions`` in the cell pass at ``position`` or as ``keyword``."""
    found = []
    for name, call in calls(cell.source):
        node = argument(call, position, keyword) if name in functions else None
        if node is not None:
            found.append(Named(cell.line + node.lineno - 1, ast.unparse(node), _pattern(node)))
    return found


def _pattern(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(str(v.value)) if isinstance(v, ast.Constant) else ".+" for v in node.values)
    return None


def first_difference(one: ast.AST, two: ast.AST) -> tuple[int, int]:
    """The lines at which two trees part (of the smallest pair of statements that differ)."""
    here = (getattr(one, "lineno", 1), getattr(two, "lineno", 1))
    for left, right in zip(_blocks(one), _blocks(two)):
        for a, b in zip(left, right):
            if ast.dump(a) != ast.dump(b):
                return first_difference(a, b) if type(a) is type(b) and _blocks(a) else (a.lineno, b.lineno)
        if len(left) != len(right):
            longer = max(left, right, key=len)[min(len(left), len(right))]
            return (longer.lineno, here[1]) if len(left) > len(right) else (here[0], longer.lineno)
    return here


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    """The lists of statements inside a node: body, orelse and the like."""
    return [value for _, value in ast.iter_fields(node) if isinstance(value, list) and value and isinstance(value[0], ast.stmt)]
