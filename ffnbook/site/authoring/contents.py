"""The table of contents and the pages are the same book: each page in one line of ``_toc.yml``, each line a page."""

from __future__ import annotations

from pathlib import Path

import yaml

from ffnbook.site.authoring.faults import Fault, fault

TOC, CONFIG = "_toc.yml", "_config.yml"
Entry = tuple[str, int]  # what a line says, and which it is


def check(root: Path, names: set[str], messages: dict[str, str] | None) -> list[Fault]:
    """The faults of the table of contents of the pages ``names``; its captions are keys of ``messages`` (None: not known)."""
    found: list[Fault] = []
    tree = _read(root, TOC, found)
    _read(root, CONFIG, found)
    if tree is None:
        return found
    listed = [(name.removesuffix(".md"), line) for name, line in values(tree, ("root", "file"))]
    known = {name for name, _ in listed}
    found += [fault(TOC, line, "authoring.contents.no_page", name=name) for name, line in listed if name not in names]
    found += [fault(TOC, line, "authoring.contents.twice", name=name) for at, (name, line) in enumerate(listed) if name in dict(listed[:at])]
    found += [fault(TOC, line, "authoring.contents.caption", name=key) for key, line in values(tree, ("caption",)) if messages is not None and key not in messages]
    return found + [fault(TOC, 1, "authoring.contents.left_out", name=name) for name in names - known]


def _read(root: Path, name: str, found: list[Fault]) -> yaml.Node | None:
    """What the file says; nothing where it is not there, or (a fault) no YAML."""
    try:
        return yaml.compose((root / name).read_text(encoding="utf-8-sig")) if (root / name).is_file() else None
    except UnicodeDecodeError as error:
        found.append(fault(name, 1, "authoring.encoding", error=error))
    except yaml.YAMLError as error:
        line = error.problem_mark.line + 1 if getattr(error, "problem_mark", None) else 1
        found.append(fault(name, line, "authoring.contents.unreadable", error=getattr(error, "problem", None) or error))
    return None


def values(node: yaml.Node | None, keys: tuple[str, ...]) -> list[Entry]:
    """What the tree says under these keys, from top to bottom."""
    if isinstance(node, yaml.SequenceNode):
        return [entry for child in node.value for entry in values(child, keys)]
    if not isinstance(node, yaml.MappingNode):
        return []
    return [
        entry
        for key, value in node.value
        for entry in ([(str(value.value), value.start_mark.line + 1)] if key.value in keys else values(value, keys))
    ]
