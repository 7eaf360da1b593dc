"""The table of contents and the pages are the same book: each page in one line of ``_toc.yml``, each line a page."""

from __future__ import annotations

from pathlib import Path

import yaml

from ffnbook.site.authoring.faults import Fault, fault

TOC = "_toc.yml"
Entry = tuple[str, int]  # what a line says, and which it is


def check(root: Path, names: set[str], messages: dict[str, str] | None) -> list[Fault]:
    """The faults of the table of contents of the pages ``names``; its captions are keys of ``messages`` (None: not known)."""
    if not (root / TOC).is_file():
        return []
    try:
        tree = yaml.compose((root / TOC).read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        return [fault(TOC, 1, "authoring.encoding", error=error)]
    except yaml.YAMLError as error:
        line = error.problem_mark.line + 1 if getattr(error, "problem_mark", None) else 1
        return [fault(TOC, line, "authoring.contents.unreadable", error=getattr(error, "problem", None) or error)]
    listed = [(name.removesuffix(".md"), line) for name, line in values(tree, ("root", "file"))]
    known = {name for name, _ in listed}
    found = [fault(TOC, line, "authoring.contents.no_page", name=name) for name, line in listed if name not in names]
    found += [fault(TOC, line, "authoring.contents.twice", name=name) for at, (name, line) in enumerate(listed) if name in dict(listed[:at])]
    found += [fault(TOC, line, "authoring.contents.caption", name=key) for key, line in values(tree, ("caption",)) if messages is not None and key not in messages]
    return found + [fault(TOC, 1, "authoring.contents.left_out", name=name) for name in names - known]


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
