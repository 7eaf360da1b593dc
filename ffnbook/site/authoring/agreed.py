"""The state file of the two languages: the texts of each pair as they were last agreed.

``book/agreement.json`` holds one line per pair of files, sorted, with the texts deflated.
It keeps the texts and not their hashes, so that what has changed since can be shown in a
shallow clone and outside git as well.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

STATE = "book/agreement.json"
ENTRY = re.compile(r'^\s*"(?P<name>[^"]+)":\s*(?P<texts>\{[^{}]*\}),?\s*$')
Texts = dict[str, str]  # the text of each language


@dataclass
class State:
    """What was agreed, by pair; ``conflict`` is the line of a merge's marks, if any stand in the file."""

    entries: dict[str, Texts]
    conflict: int | None = None


def pack(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpack(packed: str) -> str:
    return zlib.decompress(base64.b64decode(packed)).decode()


def load(root: Path) -> State:
    """The state, read line by line, so that one spoilt line costs one pair and not all.

    A pair that a merge left twice, with different texts, counts as not agreed.
    """
    path = root / STATE
    state, spoilt = State({}), set()
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for number, line in enumerate(lines, 1):
        if line.startswith(("<<<<<<<", "=======", ">>>>>>>")):
            state.conflict = state.conflict or number
        elif entry := ENTRY.match(line):
            texts = _texts(entry["texts"])
            if texts is None or state.entries.get(entry["name"], texts) != texts:
                spoilt.add(entry["name"])
            state.entries[entry["name"]] = texts or {}
    for name in spoilt:
        del state.entries[name]
    return state


def _texts(packed: str) -> Texts | None:
    try:
        return {lang: unpack(value) for lang, value in json.loads(packed).items()}
    except (ValueError, zlib.error):
        return None


def save(root: Path, entries: dict[str, Texts]) -> None:
    """Write the state: one line per pair, sorted, lines of unchanged pairs kept as they were."""
    path = root / STATE
    old = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    kept = {found["name"]: found["texts"] for line in old if (found := ENTRY.match(line))}
    lines = []
    for name, texts in sorted(entries.items()):
        line = kept.get(name)
        if line is None or _texts(line) != texts:
            line = json.dumps({lang: pack(texts[lang]) for lang in sorted(texts)})
        lines.append(f"  {json.dumps(name)}: {line}")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
