"""Cells → Python that can run: magics and shell lines out, answers found wherever they are."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ffnbook.grading.reading import Cell, Document

MAX_SPLIT = 6  # functions cut in two that are put together again: each costs a reading of the whole
MARKER = re.compile(r"^[ \t]*#\| *exercise: *([\w-]+)", re.MULTILINE)
PYTHON_MAGICS = {"time", "timeit", "capture", "prun", "python", "python3", "pypy", "debug"}
# a % with a name right after it: with a space it goes on with the line before
LINE = re.compile(r"^(\s*)(?:[!?]|%+[A-Za-z]|[\w.\[\]]+\?{1,2}\s*$|\?{1,2}[\w.]+\s*$)")
TIMED = re.compile(r"^(\s*)%time +([^\s-].*)$")  # runs its line like any other, and names in it stay
MARGIN = re.compile(r"(?:[ \t]*\n)*([ \t]*(?:>>> )?)")  # what stands before a cell's first word
ASSIGNED = re.compile(r"^(\s*[\w\[][\w, .\[\]]*=\s*)(?:!|%).*$")  # each line is tried in one way only


@dataclass
class Piece:
    """One cell as Python: what it binds, and what is wrong with it."""

    source: str
    tree: ast.Module | None
    markers: list[str]
    binds: set[str] = field(default_factory=set)
    syntax: dict | None = None  # line and text of a syntax error
    was: str = "code"
    stub: bool = False  # exactly an exercise's starter


def blanks(starters: Iterable[str]) -> frozenset[str]:
    """What untouched starters look like."""
    return frozenset(shape(tree) for tree in map(_parse, starters) if tree)


def pieces(document: Document, wanted: set[str], blank: frozenset[str]) -> list[Piece]:
    """The document's code, in order; ``wanted`` are the names exercises ask for."""
    found: list[Piece] = []
    for cell in document.cells:
        piece = _piece(cell)
        if cell.kind != "code" and not _is_code(piece, wanted):
            continue
        if document.notes.count("split_cell") < MAX_SPLIT and _continues(piece, found):
            joined = _piece(Cell("code", found[-1].source + "\n" + piece.source))
            if joined.tree is not None:
                joined.markers, joined.was = found[-1].markers + piece.markers, found[-1].was
                found[-1] = joined
                document.notes.append("split_cell")
                continue
        if cell.kind != "code":
            document.notes.append("not_code")
        found.append(piece)
    for piece in found:
        piece.stub = piece.tree is not None and bool(piece.binds & wanted) and _is_blank(piece.tree, blank)
    return found


def _is_blank(tree: ast.Module, blank: frozenset[str]) -> bool:
    try:
        return shape(tree) in blank
    except RecursionError:  # no starter is that deep
        return False


def defined(found: Iterable[Piece]) -> set[str]:
    """The names that cells may answer without a mark.

    A marked cell says what it is for, so what it uses is a helper, wherever it is defined;
    what it defines and no marked cell uses is an answer that shares the cell.
    """
    trees = [piece.tree for piece in found if piece.markers and piece.tree is not None]
    used = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return set().union(*(piece.binds for piece in found if piece.tree is not None or not piece.markers)) - used


def runnable(found: list[Piece], wanted: set[str]) -> list[str]:
    """The sources to run: a starter left behind does not undo an answer given elsewhere."""
    answered = {name for piece in found if not piece.stub for name in piece.binds & wanted}
    return ["" if piece.tree is None or (piece.stub and piece.binds & answered) else piece.source for piece in found]


def _piece(cell: Cell) -> Piece:
    source = neutral(cell.source) if cell.kind == "code" else cell.source
    piece = Piece(source, None, MARKER.findall(cell.source), was=cell.kind)
    try:
        piece.tree = _parse(source, strict=True)
        piece.binds = bound(piece.tree)
    except SyntaxError as error:
        piece.syntax = {"line": error.lineno, "text": str(error.msg)[:200]}
        piece.binds = set(re.findall(r"^[ \t]*(?:async +)?(?:def|class) +(\w+)", source, re.MULTILINE))
        piece.binds |= set(re.findall(r"^(\w+) *=(?!=)", source, re.MULTILINE))
    except (ValueError, RecursionError, MemoryError) as error:
        piece.tree, piece.syntax = None, {"line": None, "text": str(error)[:200] or type(error).__name__}
    return piece


def _parse(source: str, strict: bool = False) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a learner's text is not our business
            tree = ast.parse(source)
            if "finally" not in source:  # each level of which would double the work
                # finds a return outside a function, too
                compile(tree, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            return tree
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        if strict:
            raise
        return None


def _is_code(piece: Piece, wanted: set[str]) -> bool:
    """Whether a markdown or raw cell is an answer that a stray key turned into text."""
    return bool(piece.markers) or (piece.tree is not None and bool(piece.binds & wanted))


def _continues(piece: Piece, before: list[Piece]) -> bool:
    """Whether a cell is the second half of a function cut in two."""
    first = next((line for line in piece.source.split("\n") if line.strip()), "")
    return piece.tree is None and piece.was == "code" and bool(before) and first.startswith((" ", "\t"))


def bound(tree: ast.AST) -> set[str]:
    """The names a module's own statements bind (not those inside functions and classes)."""
    names: set[str] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
        names |= bound(node) | bound(executed(node)) | entry(node)
    return names


def executed(node: ast.AST) -> ast.Module:
    """The program in ``exec("…")``, where it is written down there and runs among the cell's own names; else an empty one."""
    alone = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exec" and len(node.args) == 1
    text = node.args[0].value if alone and isinstance(node.args[0], ast.Constant) else None
    return (isinstance(text, str) and _parse(text)) or ast.Module([], [])


def entry(node: ast.AST) -> set[str]:
    """The name that ``globals()["…"] = …`` gives a value."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.slice, ast.Constant)):
        return set()
    table = node.value.func if isinstance(node.value, ast.Call) else None
    named = isinstance(table, ast.Name) and table.id in ("globals", "locals", "vars") and isinstance(node.slice.value, str)
    return {node.slice.value} if named else set()


def shape(tree: ast.AST) -> str:
    """A program without its comments, docstrings and imports: to recognise an untouched starter."""
    body = [node for node in getattr(tree, "body", []) if not isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(ast.dump(_Bare().visit(node)) for node in body)


class _Bare(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        first = node.body[0]
        if len(node.body) > 1 and isinstance(first, ast.Expr) and isinstance(getattr(first, "value", None), ast.Constant):
            node.body = node.body[1:] if isinstance(first.value.value, str) else node.body
        return self.generic_visit(node)


def neutral(source: str) -> str:
    """The cell without what only IPython understands; line numbers stay as they were."""
    pasted = _pasted(source)
    if pasted != source and _parse(plain := _neutral(pasted)) is not None:  # else the second half of a function, perhaps
        return plain
    return _neutral(source)


def _pasted(source: str) -> str:
    """The cell without the indent or the prompts (>>>) that it begins with, as IPython runs it."""
    margin = MARGIN.match(source)[1]
    if margin.isspace():
        return re.sub(f"^{margin}", "", source, flags=re.MULTILINE)
    return re.sub(r"^(>>>|\.\.\.)( |$)", "", source, flags=re.MULTILINE) if margin else source


def _neutral(source: str) -> str:
    lines = source.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return source
    if lines[first].startswith("%%"):
        magic = re.match(r"%%(\w*)", lines[first])[1]
        if magic not in PYTHON_MAGICS:
            return "\n" * (len(lines) - 1)
        lines[first] = ""
    source = "\n".join(lines)
    if not re.search(r"[!%?]", source) or _parse(source) is not None:
        return source
    return "\n".join(_lines(lines))


def _lines(lines: list[str]) -> Iterator[str]:
    goes_on = False  # a shell line that ends in a backslash
    for line in lines:
        plain = "" if goes_on else _line(line)
        goes_on = (goes_on or plain != line) and line.endswith("\\")
        yield plain


def _line(line: str) -> str:
    assigned = ASSIGNED.match(line)
    if assigned:
        return f"{assigned[1]}None"
    timed = TIMED.match(line)
    if timed and _parse(timed[2]) is not None:
        return timed[1] + timed[2]
    magic = LINE.match(line)
    return f"{magic[1]}pass" if magic else line
