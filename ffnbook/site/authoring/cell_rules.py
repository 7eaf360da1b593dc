"""Rules for a page's code: how it starts, what it may say to the reader, how it opens files."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from ffnbook.site.authoring.cells import argument, called, calls, nodes, syntax_error, tree
from ffnbook.site.authoring.faults import Fault, fault
from ffnbook.site.reading.markup import Cell
from ffnbook.site.reading.pages import Page

START = 'from ffnbook import lesson; lesson.start("{lang}")'
# Calls and keywords whose text is shown to the reader as it stands.
SHOWN_BY = frozenset(
    "print display Markdown HTML Latex text annotate title suptitle legend xlabel ylabel set_title set_xlabel "
    "set_ylabel set_label figtext".split()
)
SHOWN_AS = frozenset("label title xlabel ylabel zlabel description tooltip placeholder caption headers".split())
SETTINGS = frozenset(["loc", "dtype", "device", "encoding", "newline"])  # "upper left" is no sentence
TWO_WORDS = re.compile(r"(?<![\w\\])[^\W\d_]{2,}[,;:]?\s+[^\W\d_]{2,}(?!\w)")
ACCENTED = re.compile(r"[áéíóúüñÁÉÍÓÚÜÑ¿¡]")
WORD = re.compile(r"(?<![\w\\.])[^\W\d_]{3,}(?![\w(])")
NOT_TEXT = re.compile(r"\$[^$]*\$|\{[^{}]*\}|`[^`]*`|\S+://\S+|\S*->\S*|\S*[/\\]\S*")
ENCODED = frozenset(["read_text", "write_text"])


# What a tag may say of a cell; of any other the build takes no notice.
TAGS = frozenset("remove-cell remove-input remove-output hide-cell hide-input hide-output solution raises-exception".split())
OPTIONS = {"tags", "mystnb"}


def check(page: Page) -> list[Fault]:
    """Every fault of the page's code."""
    return [*_start(page), *_options(page), *_nested(page), *_tags(page), *(f for cell in page.cells[1:] for f in _cell(page, cell))]


def _start(page: Page) -> list[Fault]:
    expected = START.format(lang=page.lang)
    if page.cells and page.cells[0].source.strip() != expected:
        return [fault(page.path, page.cells[0].line, "authoring.cells.start", expected=expected)]
    return []


def _options(page: Page):
    """What stands above a cell's code, for the build ignores a slip there or breaks off at it."""
    for block in page.directives:
        if block.name == "code-cell":
            for option in block.options.keys() - OPTIONS:
                yield fault(page.path, block.line + 1, "authoring.cells.option", option=option)
            written = block.options.get("tags", [])
            if not isinstance(written, list) and not re.fullmatch(r"\[.*\]", str(written)):
                yield fault(page.path, block.line + 1, "authoring.cells.brackets", tags=", ".join(block.tags))


def _nested(page: Page):
    """A cell that does not stand by itself, against the margin, is not run."""
    inside = {line for block in page.directives for line in range(block.body_line, block.body_line + len(block.body))}
    for block in page.directives:
        if block.name == "code-cell" and (block.line in inside or page.lines[block.line - 1].startswith((" ", "\t"))):
            yield fault(page.path, block.line, "authoring.cells.nested")


def _tags(page: Page):
    for cell in page.cells:
        for tag in cell.tags:
            if tag not in TAGS:
                yield fault(page.path, cell.line, "authoring.cells.tag", tag=tag, tags=", ".join(sorted(TAGS)))


def _cell(page: Page, cell: Cell):
    if "raises-exception" in cell.tags and tree(cell.source) is None:
        return
    if tree(cell.source) is None:
        line, error = syntax_error(cell.source)
        yield fault(page.path, cell.line + line - 1, "authoring.cells.syntax", error=error)
        return
    for line, text in _reader_texts(cell.source):
        yield fault(page.path, cell.line + line - 1, "authoring.cells.text", text=text)
    for name, call in calls(cell.source):
        line = cell.line + call.lineno - 1
        if _opens_without_encoding(name, call):
            yield fault(page.path, line, "authoring.cells.encoding", call=name)
        if _silences_everything(name, call):
            yield fault(page.path, line, "authoring.cells.warnings", call=name)


def _opens_without_encoding(name: str, call: ast.Call) -> bool:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else name
    of_a_path = method == "open" and isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).startswith("Path(")
    if not (name in ("open", "io.open") or of_a_path or method in ENCODED):
        return False
    if any(k.arg in ("encoding", None) for k in call.keywords):
        return False
    if method in ENCODED:
        return len(call.args) <= (method == "write_text")
    mode = argument(call, 0 if of_a_path else 1, "mode")
    return not (isinstance(mode, ast.Constant) and "b" in str(mode.value))


def _silences_everything(name: str, call: ast.Call) -> bool:
    """``filterwarnings("ignore")`` or ``simplefilter("ignore")`` that names neither message, category nor module."""
    if name.split(".")[-1] not in ("filterwarnings", "simplefilter") or not call.args:
        return False
    first = call.args[0]
    ignores = isinstance(first, ast.Constant) and first.value == "ignore"
    return ignores and len(call.args) == 1 and not {k.arg for k in call.keywords} & {"category", "message", "module"}


@lru_cache(maxsize=4096)
def _reader_texts(source: str) -> tuple[tuple[int, str], ...]:
    """(line, text) of each literal that looks like words for the reader.

    Anywhere: two words in a row, or a Spanish letter.  Where it is printed, drawn or used as
    a label: any word that is not a name of the code.  What ``lesson`` is given are keys.
    """
    names = {n.id for n in nodes(source) if isinstance(n, ast.Name)}
    names |= {n.attr for n in nodes(source) if isinstance(n, ast.Attribute)}
    strings = {n.value for n in nodes(source) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    found: list[tuple[int, str]] = []
    if any(_is_text(value, True, names) for value in strings):
        _visit(tree(source), False, names, found)
    return tuple(sorted(set(found)))


def _visit(node: ast.AST, shown: bool, names: set[str], found: list[tuple[int, str]]) -> None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if _is_text(node.value, shown, names):
            found.append((node.lineno, " ".join(node.value.split())[:60]))
        return
    if isinstance(node, ast.Call):
        name = called(node)
        if name.startswith("lesson.") and name not in ("lesson.table", "lesson.glue"):
            return
        shown = node.func.attr in SHOWN_BY if isinstance(node.func, ast.Attribute) else name in SHOWN_BY
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword):
            if child.arg not in SETTINGS:
                _visit(child.value, shown or child.arg in SHOWN_AS, names, found)
        else:
            _visit(child, shown, names, found)


def is_sentence(value: str) -> bool:
    """Whether a literal holds words for the reader: two in a row, or a Spanish letter."""
    text = NOT_TEXT.sub(" ", value)
    return bool(TWO_WORDS.search(text) or ACCENTED.search(text))


def _is_text(value: str, shown: bool, names: set[str]) -> bool:
    if is_sentence(value):
        return True
    # GELU, SwiGLU: capitals inside make a name.
    return shown and any(w not in names and w[1:] == w[1:].lower() for w in WORD.findall(NOT_TEXT.sub(" ", value)))
