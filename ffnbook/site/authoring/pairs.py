"""What exists once per language: pages, message files, exercise texts, the guides of the repository."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ffnbook.messages import LANGUAGES
from ffnbook.site.authoring.faults import Fault, fault

GUIDES = {
    "README.md": "LEEME.md",
    "CONTRIBUTING.md": "CONTRIBUIR.md",
    "CODE_OF_CONDUCT.md": "CODIGO_DE_CONDUCTA.md",
    "exercises/README.md": "exercises/LEEME.md",
}


@dataclass(frozen=True)
class Pair:
    """``name`` stands for both files; ``files`` gives each language's, whether it exists or not."""

    name: str
    files: dict[str, Path]

    def missing(self) -> list[str]:
        return [lang for lang in LANGUAGES if not self.files[lang].is_file()]


def pairs(root: Path) -> dict[str, Pair]:
    """Every pair of which at least one language exists, by name, in a fixed order."""
    found: dict[str, Pair] = {}
    for lang in LANGUAGES:
        for name, files in _seen_in(root, lang):
            found.setdefault(name, Pair(name, files))
    return dict(sorted(found.items()))


def _seen_in(root: Path, lang: str):
    yield from _folders(root / "book", "*.md", lang, "book")
    yield from _folders(root / "ffnbook" / "locale", "*.toml", lang, "locale")
    for top in ("exercises/source", "solutions"):
        for path in (root / top).rglob(f"*.{lang}.md"):
            stem = path.name.removesuffix(f".{lang}.md")
            files = {other: path.with_name(f"{stem}.{other}.md") for other in LANGUAGES}
            yield path.with_name(f"{stem}.md").relative_to(root).as_posix(), files
    for english, spanish in GUIDES.items():
        files = {"en": root / english, "es": root / spanish}
        if files[lang].is_file():
            yield english, files


def _folders(base: Path, pattern: str, lang: str, prefix: str):
    for path in (base / lang).rglob(pattern):
        inside = path.relative_to(base / lang)
        yield f"{prefix}/{inside.as_posix()}", {other: base / other / inside for other in LANGUAGES}


def missing_faults(root: Path, all_pairs: dict[str, Pair]) -> list[Fault]:
    """A fault for each file that the other language lacks."""
    return [
        fault(
            next(path for path in pair.files.values() if path.is_file()).relative_to(root).as_posix(),
            1,
            "authoring.parity.missing_file",
            missing=pair.files[lang].relative_to(root).as_posix(),
        )
        for pair in all_pairs.values()
        for lang in pair.missing()
    ]


def text_of(path: Path) -> str:
    """The file's text with the line ends, trailing blanks and last empty lines that mean nothing taken off."""
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    return "\n".join(line.rstrip() for line in lines).rstrip("\n") + "\n"
