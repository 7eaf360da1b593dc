"""The message files of both languages hold the same keys and the same placeholders, none of them empty."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from ffnbook.messages import LANGUAGES
from ffnbook.site.authoring.faults import Fault, fault

MATH = re.compile(r"\$[^$]*\$")
CODE = re.compile(r"`[^`]*`")
FEW_WORDS = 3  # fewer may be names: Google Colab
PLAIN_WORD = re.compile(r"(?<![\w{\\.`/-])[^\W\d_A-ZÁÉÍÓÚÜÑ]{2,}(?![\w}(`/-])")
AT_LINE = re.compile(r"\(at line (\d+), ")
PLACEHOLDER = re.compile(r"(?<!\{)\{(\w+)[^{}]*\}(?!\})")


def flat(table: dict, prefix: str = "") -> dict[str, str]:
    """The messages of a nested table by dotted key (those of a list by their place)."""
    found: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, list):
            value = {str(place): item for place, item in enumerate(value)}
        if isinstance(value, dict):
            found.update(flat(value, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = str(value)
    return found


def load(root: Path) -> tuple[dict[str, dict[str, str] | None], list[Fault]]:
    """All messages by language and full key (None where some cannot be read), and every fault of the files that hold them."""
    messages: dict[str, dict[str, str] | None] = {lang: {} for lang in LANGUAGES}
    unread = set()
    faults = []
    for path in sorted((root / "ffnbook" / "locale").glob("*/*.toml")):
        table = read(path, root, faults)
        messages[path.parent.name].update(flat(table or {}, f"{path.stem}."))
        unread |= {path.parent.name} if table is None else set()
    return {**messages, **dict.fromkeys(unread)}, faults or _compare(root, messages)


def read(path: Path, root: Path, faults: list[Fault]) -> dict | None:
    """What the file holds; None, and a fault at the line in question, where it is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        line = int(at[1]) if (at := AT_LINE.search(str(error))) else 1
        faults.append(fault(path.relative_to(root).as_posix(), line, "authoring.catalogue.unreadable", error=error))
    return None


def placeholders(text: str) -> set[str]:
    """The names in ``{braces}``, without the braces of TeX between dollars."""
    return set(PLACEHOLDER.findall(MATH.sub("", text)))


def is_prose(text: str) -> bool:
    """Whether the text has words of a language, and not only names, formulas and code."""
    return len(PLAIN_WORD.findall(CODE.sub("", MATH.sub("", text)))) >= FEW_WORDS


def _compare(root: Path, messages: dict[str, dict[str, str]]) -> list[Fault]:
    found = []
    for lang, other in (LANGUAGES, LANGUAGES[::-1]):
        for key in sorted(messages[lang]):
            if key not in messages[other] and _exists(root, other, key):
                found.append(_at(root, lang, key, "authoring.catalogue.missing", other=_path(other, key)))
            if not messages[lang][key].strip():
                found.append(_at(root, lang, key, "authoring.catalogue.empty"))
    one, two = LANGUAGES
    for key in sorted(messages[one].keys() & messages[two].keys()):
        mine, theirs = placeholders(messages[one][key]), placeholders(messages[two][key])
        if messages[one][key] == messages[two][key] and is_prose(messages[one][key]):
            found.append(_at(root, one, key, "authoring.catalogue.same", other=_path(two, key)))
        if mine != theirs:
            differing = ", ".join(f"{{{name}}}" for name in sorted(mine ^ theirs))
            found.append(_at(root, one, key, "authoring.catalogue.placeholders", names=differing, other=_path(two, key)))
    return found


def _path(lang: str, key: str) -> str:
    return f"ffnbook/locale/{lang}/{key.split('.')[0]}.toml"


def _exists(root: Path, lang: str, key: str) -> bool:
    return (root / _path(lang, key)).is_file()  # a missing file is reported once, as such


def _at(root: Path, lang: str, key: str, message: str, **values: object) -> Fault:
    path = _path(lang, key)
    return fault(path, line_of(root / path, key.split(".", 1)[1]), message, item=key, **values)


def line_of(path: Path, key: str) -> int:
    """The line that defines ``key`` (or the nearest group around it), 1 where it cannot be told."""
    table, best, length = "", 1, 0
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if header := re.match(r"\s*\[+([\w.\"-]+)\]+", text):
            table = here = header[1].replace('"', "")
        elif assigned := re.match(r"\s*([\w.\"-]+)\s*=", text):
            here = f"{table}.{assigned[1]}".strip(".").replace('"', "")
        else:
            continue
        if (key + ".").startswith(here + ".") and len(here) > length:
            best, length = number, len(here)
    return best
