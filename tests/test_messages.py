"""The message catalogue: both languages whole and alike, every key asked for there, every key there asked for."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from ffnbook import messages
from ffnbook.site.authoring import catalogues
from ffnbook.site.authoring.prose import NEVER
from ffnbook.site.reading.pages import read

ROOT = Path(__file__).resolve().parents[1]
MESSAGES, FAULTS = catalogues.load(ROOT)
ASKING = frozenset("t catalogue fault show".split())  # the functions that take a key


def test_both_languages_hold_the_same_keys_and_placeholders_none_empty():
    assert [str(f) for f in FAULTS] == []


@pytest.mark.parametrize("lang", messages.LANGUAGES)
def test_every_message_can_be_filled(lang):
    """Braces that are no placeholder would break a message, or show in it, as soon as it takes a value."""
    for key, text in MESSAGES[lang].items():
        names = catalogues.placeholders(text)
        assert not names & {"key", "lang"}, f"{key} ({lang}): key and lang are arguments of t(); rename the placeholder"
        if names:
            messages.t(key, lang, **dict.fromkeys(names, 1))


def _plain(text: str) -> str:
    return re.sub(r"`[^`]*`|\$[^$]*\$|\{[^{}]*\}|\S+://\S+|\b(?:Llama|Python|GPT|NumPy)[ -]\d+(?:\.\d+)*", " ", text)


def test_decimals_are_written_as_the_language_does():
    shown = re.compile(r"(figures|widgets|pages)")
    for lang, wrong in (("es", r"\d\.\d"), ("en", r"\d,\d(?!\d\d)")):
        found = [key for key, text in MESSAGES[lang].items() if shown.match(key) and re.search(wrong, _plain(text))]
        assert found == [], f"{lang}: write the decimal mark of the language"


def test_spanish_messages_hold_no_mistranslation_of_the_subject():
    assert [key for key, text in MESSAGES["es"].items() if NEVER["es"].search(text)] == []


def sources() -> list[tuple[str, str]]:
    """(where, Python source) of the library, the exercises and the cells of the pages."""
    found = []
    for folder in ("ffnbook", "exercises", "solutions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found.append((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "book").glob("*/*.md")):
        page = read(path, ROOT, path.stem, path.parent.name)
        found += [(f"{page.path}:{cell.line}", cell.source) for cell in page.cells]
    return found


@cache
def asked() -> tuple[tuple[str, str, bool], ...]:
    """(where, key, whole) of each key in the code; of an f-string its head, which is not ``whole``."""
    found = []
    for where, source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                found.append((where, str(node.values[0].value), False))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append((where, node.value, True))
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    return (*found, *(("_toc.yml", key, True) for key in re.findall(r"caption:\s*(\S+)", toc)))


def test_every_key_that_is_asked_for_exists():
    known = MESSAGES["en"]
    groups = {key[: found.start()] for key in known for found in re.finditer(r"\.", key)}
    for where, source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and (getattr(node.func, "attr", None) or getattr(node.func, "id", "")) in ASKING:
                for arg in node.args:
                    if isinstance(arg, ast.Constant) and re.fullmatch(r"[a-z]\w*(\.\w+)+", str(arg.value)):
                        assert arg.value in known or arg.value in groups, f"{where}: no message {arg.value!r}"


@cache
def words() -> frozenset[str]:
    """Every word of the code: messages fetched as a group are used by the name of their key."""
    scripts = [p.read_text(encoding="utf-8") for pattern in ("*.mjs", "*.html") for p in (ROOT / "ffnbook").rglob(pattern)]
    return frozenset(re.findall(r"\w+", "\n".join([source for _, source in sources()] + scripts)))


def is_used(key: str) -> bool:
    for _, asked_for, whole in asked():
        if asked_for == key:
            return True
        head = asked_for + "." if whole else asked_for
        if "." in asked_for and key.startswith(head):
            if key[len(head) :].split(".")[0] in words():
                return True
    return False


def test_every_message_is_used():
    assert [key for key in MESSAGES["en"] if not is_used(key)] == [], "delete these, or use them"


def test_a_key_that_nobody_asks_for_would_be_found():
    assert not is_used("ui.quexo")
    assert not is_used("figures.quexo.alt")


def test_the_catalogue_says_what_is_missing():
    with pytest.raises(KeyError, match=r"no message 'ui.nothing' in ffnbook/locale/es/ui.toml"):
        messages.t("ui.nothing", "es")
    with pytest.raises(KeyError, match="add it under ffnbook/locale/es/"):
        messages.t("nothing.at.all", "es")
    with pytest.raises(KeyError, match=r"is a group of messages, not one: name one of"):
        messages.t("authoring.parity", "es")
    with pytest.raises(KeyError, match=r"is one message, not a group"):
        messages.catalogue("authoring.encoding", "es")


def test_a_mark_that_some_editors_put_first_is_no_part_of_the_messages(tmp_path, monkeypatch):
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "marked.toml").write_text('a = "b"', encoding="utf-8-sig")
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    assert messages.t("marked.a", "en") == "b"


def test_the_language_is_the_one_set_unless_one_is_named():
    before = messages.current()
    try:
        messages.set_language("es")
        assert messages.t("authoring.kind.section") == "sección"
        assert messages.t("authoring.kind.section", "en") == "section"
        assert messages.catalogue("authoring.kind")["section"] == "sección"
        with pytest.raises(ValueError, match="the languages are es, en; got 'fr'"):
            messages.set_language("fr")
    finally:
        messages.set_language(before)
