"""A submission's bytes → its cells, in whatever state people hand it in.

Only JSON and text are read; nothing is executed and nothing on disk is changed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from ffnbook.exercises.judge import Fault

NOTEBOOKS, SCRIPTS = (".ipynb", ".ipynb.txt", ".ipynb.json"), (".py", ".py.txt")  # as browsers and mail programs save them
MEGABYTE = 1 << 20
MAX_BYTES = 24 * MEGABYTE
MAX_CELLS = 2_000
MAX_CODE = MEGABYTE // 2
MAX_TEXT = 20_000  # of a text cell: beyond, it is a pasted picture and no answer
WEB_PAGE = re.compile(rb"\s*(<!doctype\s+html|<html|<\?xml|<head)", re.IGNORECASE)
VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")
PERCENT = re.compile(r"^# ?%%.*$|^# In\[[ \d*]*\]:$|^#\| *exercise:", re.MULTILINE)  # In[3]: as nbconvert writes it


@dataclass
class Cell:
    """One cell: its kind (``code``, ``markdown``, ``raw``) and its source with ``\\n`` line ends."""

    kind: str
    source: str


@dataclass
class Document:
    """A submission as read: cells in order, and what its metadata say about itself."""

    cells: list[Cell]
    about: dict = field(default_factory=dict)  # what submit() wrote: learner, version, lang, exercises
    notes: list[str] = field(default_factory=list)
    python: tuple[int, ...] = ()  # the version that ran it last, if it says so


def unreadable(why: str, **facts: object) -> Fault:
    return Fault("unreadable", why=why, **facts)


def too_big(size: int) -> Fault:
    return unreadable("too_big", size_mb=round(size / MEGABYTE), limit_mb=MAX_BYTES // MEGABYTE)


def read(name: str, data: bytes) -> Document:
    """The document in ``data``; raises a Fault with status unreadable."""
    if len(data) > MAX_BYTES:
        raise too_big(len(data))
    if not data.strip(b"\x00 \r\n\t"):
        raise unreadable("empty")
    if WEB_PAGE.match(data.removeprefix(b"\xef\xbb\xbf")[:400]):
        raise unreadable("web_page")
    text = _text(data)
    return _script(text) if name.lower().endswith(SCRIPTS) else _notebook(text)


def _text(data: bytes) -> str:
    """The characters: UTF-8, or what Windows writes without saying so."""
    for encoding in ("utf-16",) if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    raise unreadable("encoding")


def _notebook(text: str) -> Document:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise unreadable("not_json", line=error.lineno) from None
    except (RecursionError, ValueError):
        raise unreadable("not_json", line=1) from None
    if not isinstance(data, dict):
        raise unreadable("not_notebook")
    raw = _v3(data) if "worksheets" in data else data.get("cells")
    if not isinstance(raw, list):
        raise unreadable("not_notebook")
    metadata = data.get("metadata") if isinstance(data.get("metadata"), dict) else {}
    about = metadata.get("ffnbook") if isinstance(metadata.get("ffnbook"), dict) else {}
    document = Document([_cell(cell) for cell in raw[:MAX_CELLS] if isinstance(cell, dict)], about)
    _limited(document)
    language = metadata.get("language_info") if isinstance(metadata.get("language_info"), dict) else {}
    version = VERSION.match(str(language.get("version")))
    document.python = (int(version[1]), int(version[2])) if version else ()
    ids = [cell["id"] for cell in raw if isinstance(cell, dict) and isinstance(cell.get("id"), str)]
    if len(ids) != len(set(ids)):
        document.notes.append("duplicate_ids")
    if len(raw) > MAX_CELLS:
        document.notes.append("many_cells")
    return document


def _limited(document: Document) -> None:
    """No more code than can be read in seconds."""
    size = sum(len(cell.source) for cell in document.cells)
    if size > MAX_CODE:
        raise unreadable("too_long", size_kb=size // 1000, limit_kb=MAX_CODE // 1000)


def _v3(data: dict) -> list:
    """The cells of a notebook from before 2015: worksheets, ``input`` for ``source``."""
    sheets = data["worksheets"] if isinstance(data["worksheets"], list) else []
    found: list = []
    for sheet in sheets:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        found += cells if isinstance(cells, list) else []
    return [{**cell, "source": cell.get("input", cell.get("source", ""))} for cell in found if isinstance(cell, dict)]


def _cell(cell: dict) -> Cell:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    kind = cell.get("cell_type")
    kind = kind if kind in ("code", "markdown", "raw") else "raw"
    if not isinstance(source, str) or (kind != "code" and len(source) > MAX_TEXT):
        source = ""
    return Cell(kind, _clean(source))


def _clean(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").replace("\ufeff", "")


def _script(text: str) -> Document:
    """A .py file: cut where a cell or a marked answer begins, so that a fault costs that part only."""
    text = _clean(text)
    starts = sorted({0, *(found.start() for found in PERCENT.finditer(text))})
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], None], strict=True)]
    document = Document([Cell("code", piece) for piece in pieces[:MAX_CELLS] if piece.strip()])
    _limited(document)
    return document
