"""Every sentence a reader, learner or teacher sees, by key and language.

The texts live in ``ffnbook/locale/<lang>/<file>.toml``, one file per subject.  A key is
the file's stem followed by the dotted path inside it: ``figures.activations.curves.alt``.
"""

from __future__ import annotations

import locale
import os
import tomllib
from functools import cache
from pathlib import Path

LANGUAGES = ("es", "en")
LOCALE = Path(__file__).with_name("locale")
_current = "en"


class Unreadable(ValueError):
    """A file of messages is no TOML.  Says which and where, in no language: the words for it may be in that very file."""


def set_language(lang: str) -> None:
    """Make ``lang`` the language of every call that does not name one."""
    global _current
    if lang not in LANGUAGES:
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}; got {lang!r}")
    _current = lang


def current() -> str:
    """The language set last (English until one is set)."""
    return _current


def of_system() -> str:
    """The language of whoever is at this machine: Spanish, or English for all others; ``FFNBOOK_LANG`` overrides it."""
    system = os.environ.get("FFNBOOK_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return "es" if system.lower().startswith(("es", "spanish")) else "en"


@cache
def _load(lang: str, stem: str) -> dict:
    path = LOCALE / lang / f"{stem}.toml"
    if not path.is_file():
        raise KeyError(f"no messages file {stem}.toml for {lang}: add it under ffnbook/locale/{lang}/")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))  # some editors begin a file with a mark
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"ffnbook/locale/{lang}/{stem}.toml: {error}") from error


def catalogue(key: str, lang: str | None = None) -> dict:
    """The messages under ``key`` as a (nested) dict, for example all strings of one widget."""
    found = _find(key, lang or _current)
    if not isinstance(found, dict):
        raise KeyError(f"{key} is one message, not a group: use t()")
    return found


def t(key: str, lang: str | None = None, **values: object) -> str:
    """The message under ``key``, with ``values`` in its ``{placeholders}``."""
    found = _find(key, lang or _current)
    if not isinstance(found, str):
        raise KeyError(f"{key} is a group of messages, not one: name one of {', '.join(found)}")
    return found.format(**values) if values else found


def _find(key: str, lang: str) -> dict | str:
    stem, *path = key.split(".")
    found = _load(lang, stem)
    for step in path:
        if not isinstance(found, dict) or step not in found:
            raise KeyError(f"no message {key!r} in ffnbook/locale/{lang}/{stem}.toml")
        found = found[step]
    return found
