"""What a cell needs of those before it, as far as its names tell."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ffnbook.grading.cells import entry, executed


class Flow(ast.NodeVisitor):
    """The names of one cell, read in the order in which Python meets them."""

    def __init__(self, nodes: Iterable[ast.AST]):
        self.before: set[str] = set()  # read before the cell gives them a value: needed as they were then
        self.later: set[str] = set()  # read by its functions when these are called: needed as they are in the end
        self.binds: set[str] = set()  # given a value
        self.changes: set[str] = set()  # changed in place: a[0] = 1, a.x = 1, a.append(1)
        self.modules: set[str] = set()  # brought in by an import
        for node in nodes:
            self.visit(node)

    def _visit_all(self, *nodes: ast.AST | None | list) -> None:
        for node in nodes:
            self._visit_all(*node) if isinstance(node, list) else node is not None and self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.binds.add(node.id)
        elif node.id not in self.binds:
            self.before.add(node.id)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> None:
        names = {(alias.asname or alias.name).split(".")[0] for alias in node.names}  # one may be a *
        self.binds |= names
        self.modules |= names

    visit_ImportFrom = visit_Import

    def visit_Assign(self, node: ast.Assign) -> None:
        self._visit_all(node.value, node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all(node.value, *([node.target] if node.value else []))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._visit_all(ast.Name(node.target.id, ast.Load()))
        self._visit_all(node.value, node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._visit_all(node.value, node.target)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self._visit_all(node.iter, node.target, node.body, node.orelse)

    visit_AsyncFor = visit_For

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.binds |= {node.name} if node.name else set()
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute | ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.changes |= _root(node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.binds |= entry(node)
        self.visit_Attribute(node)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        self._visit_all(executed(node).body)

    def visit_Expr(self, node: ast.Expr) -> None:
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if isinstance(called, ast.Attribute):
            self.changes |= _root(called)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all(node.decorator_list, node.args.defaults, node.args.kw_defaults)
        self.later |= _free(node)
        self.binds |= {node.name} | {name for inner in ast.walk(node) if isinstance(inner, ast.Global) for name in inner.names}

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_all(node.args.defaults, node.args.kw_defaults)
        self.later |= _free(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(node.decorator_list, node.bases, [keyword.value for keyword in node.keywords])
        inner = Flow(node.body)
        self.before |= inner.before - self.binds
        self.later |= inner.later
        self.changes |= inner.changes - inner.binds
        self.binds.add(node.name)

    def visit_ListComp(self, node: ast.AST) -> None:
        self.before |= _free(node) - self.binds

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp


def _root(node: ast.AST) -> set[str]:
    """The name that ``a.b[0].c`` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def _free(node: ast.AST) -> set[str]:
    """The names that a function (or a comprehension) reads and does not make itself."""
    inside = list(ast.walk(node))
    names = [inner for inner in inside if isinstance(inner, ast.Name)]
    made = {inner.id for inner in names if isinstance(inner.ctx, ast.Store)} | {inner.arg for inner in inside if isinstance(inner, ast.arg)}
    shared = {name for inner in inside if isinstance(inner, ast.Global) for name in inner.names}
    return {inner.id for inner in names if isinstance(inner.ctx, ast.Load)} - (made - shared)
