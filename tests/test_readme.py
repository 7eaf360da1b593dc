"""README and its kin: short, true, and the same in both languages."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from ffnbook import __version__, cli

ROOT = Path(__file__).parents[1]
TWINS = [("README.md", "LEEME.md"), ("CONTRIBUTING.md", "CONTRIBUIR.md"), ("CODE_OF_CONDUCT.md", "CODIGO_DE_CONDUCTA.md"), ("exercises/README.md", "exercises/LEEME.md")]
TRANSLATED = {name: other for pair in TWINS for name, other in (pair, pair[::-1])}
READMES = TWINS[0]
ALL = [name for pair in TWINS for name in pair]
FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.M | re.S)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, *languages: str) -> list[str]:
    return [body for _, language, body in FENCE.findall(text(name)) if language in languages]


def prose(name: str) -> str:
    return FENCE.sub("", text(name))


def headings(name: str) -> list[tuple[int, str]]:
    return [(len(marks), title) for marks, title in re.findall(r"^(#+) (.+)$", prose(name), re.M)]


def anchors(name: str) -> set[str]:
    """The ids GitHub makes from headings."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for _, title in headings(name)}


def links(name: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"(`+).*?\1", "", prose(name)))


def without_comments(code: str) -> list[str]:
    return [line.split("  #")[0].rstrip() for line in code.splitlines()]


@pytest.mark.parametrize("name", READMES)
def test_short(name):
    assert len(text(name).splitlines()) <= 80


@pytest.mark.parametrize("name", READMES)
def test_opens_with_what_it_is_a_picture_and_two_commands(name):
    opening, first = prose(name).split("\n## ")[:2]
    assert re.search(r"\n!\[[^\]]{30,}\]\(docs/screenshot-", opening)
    assert "`make book`" in first and "`make test`" in first
    assert [line.split("  ")[0] for line in blocks(name, "sh")[0].splitlines()] == ["make book", "make test"]


@pytest.mark.parametrize(("en", "es"), TWINS)
def test_twins_have_the_same_sections(en, es):
    assert [level for level, _ in headings(en)] == [level for level, _ in headings(es)]


@pytest.mark.parametrize(("en", "es"), TWINS)
def test_twins_have_the_same_commands(en, es):
    kinds = ("sh", "powershell", "python")
    assert [without_comments(b) for b in blocks(en, *kinds)] == [without_comments(b) for b in blocks(es, *kinds)]


@pytest.mark.parametrize(("en", "es"), TWINS)
def test_twins_have_the_same_links(en, es):
    def targets(name: str) -> list[str]:
        return sorted(re.sub(r"screenshot-(en|es)", "screenshot", link.split("#")[0]) for link in links(name))

    def translated(link: str) -> str:
        folder = Path(es).parent
        path = (folder / link).as_posix()
        there = TRANSLATED.get(path) or (path.startswith("book/es/") and path.replace("book/es/", "book/en/"))
        return Path(there).relative_to(folder).as_posix() if there else link

    assert targets(en) == sorted(translated(link) for link in targets(es))


@pytest.mark.parametrize("name", ALL)
def test_links_are_relative_and_lead_somewhere(name):
    for link in links(name):
        path, _, anchor = link.partition("#")
        assert not re.match(r"\w+:", path), f"{link}: link relatively"
        target = (ROOT / name).parent / path if path else ROOT / name
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.relative_to(ROOT).as_posix()), link


@pytest.mark.parametrize("name", ALL)
def test_no_badges_and_no_made_up_owners(name):
    assert not re.search(r"badge|shields\.io|github\.com/|<owner>|your-?(user)?name", text(name), re.I)


@pytest.mark.parametrize("name", READMES)
def test_the_example_gives_the_output_shown(name):
    (code,), (output,) = blocks(name, "python"), blocks(name, "text")
    assert len([line for line in code.splitlines() if line.strip()]) <= 6
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", cwd=ROOT)
    assert (done.stdout, done.stderr) == (output, "")


@pytest.fixture(scope="module")
def commands() -> set[str]:
    app = typer.Typer()
    for part in cli.PARTS:
        importlib.import_module(part).register(app)
    return {c.name or c.callback.__name__ for c in app.registered_commands}


@pytest.mark.parametrize("name", ALL)
def test_commands_named_exist(name, commands):
    targets = re.findall(r"^(\w+):", text("Makefile"), re.M)
    code = "\n".join([*re.findall(r"`([^`\n]+)`", prose(name)), *blocks(name, "sh", "powershell")])
    assert set(re.findall(r"^make (\w+)", code, re.M)) <= set(targets)
    assert set(re.findall(r"^(?:\S*[/\\])?ffnbook (\w+)", code, re.M)) <= commands
    for path in re.findall(r"\b(?:tools|tests)/[\w/]+(?:\.py)?", code):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "CONTRIBUIR.md"])
def test_the_guide_names_every_command_of_who_writes(name):
    said = set(re.findall(r"^ffnbook (\w+)", "\n".join(blocks(name, "sh")), re.M))
    assert {"serve", "parity", "build", "check", "notebooks"} <= said


@pytest.mark.parametrize("lang", ["en", "es"])
def test_screenshots_are_light(lang):
    picture = (ROOT / f"docs/screenshot-{lang}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) <= 150_000


def test_the_citation_names_this_version():
    assert re.search(r"^version: (\S+)$", text("CITATION.cff"), re.M)[1] == __version__


def test_licenses_say_what_they_cover():
    assert text("LICENSE").startswith("MIT License")
    words = text("LICENSE-text")
    for part in ("CC BY 4.0", "MIT", "OFL 1.1", "book/", "exercises/", "solutions/", "ffnbook/locale", "ffnbook/site/extension/theme/static/fonts"):
        assert part in words
    fonts = ROOT / "ffnbook/site/extension/theme/static/fonts"
    assert {p.stem.split("-")[0] for p in fonts.glob("*.woff2")} == {p.stem.split("-")[1] for p in fonts.glob("LICENSE-*.txt")}
