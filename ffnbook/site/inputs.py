"""The files that the site, or one language of it, is made from, and one hash that says whether any has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ffnbook.messages import LANGUAGES
from ffnbook.site import address, installed, live
from ffnbook.site.authoring import pairs

INPUTS = ("book", "ffnbook", "exercises", "solutions", "_config.yml", "_toc.yml", "requirements.txt", "constraints.txt")
ONLY_CHECKED = ("book/agreement.json", *pairs.GUIDES, *pairs.GUIDES.values())  # no page is made of these


def read_inputs(root: Path) -> dict[Path, bytes]:
    """A hash of every file that the site is made from, by its path under ``root``."""
    files = sorted({path for name in (*INPUTS, *ONLY_CHECKED) for path in files_under(root / name)})
    return {path.relative_to(root): hashlib.sha256(path.read_bytes()).digest() for path in files}


def digest(inputs: dict[Path, bytes], lang: str | None = None) -> str:
    """One hash of them all, or of what one language is made from; of the address it is made for; of what is installed."""
    made = hashlib.sha256(f"{address.site_url()} {address.repository()} {live.wanted()} {installed.versions()}".encode())
    for path, contents in inputs.items():
        if not lang or not (path.as_posix() in ONLY_CHECKED or is_of_another(path, lang)):
            made.update(path.as_posix().encode() + contents)
    return made.hexdigest()


def is_of_another(path: Path, lang: str) -> bool:
    """Whether a file is read for other languages alone: their pages, and their exercise notebooks."""
    return path.parts[0] in ("book", "exercises") and path.parts[1] in LANGUAGES and path.parts[1] != lang


def files_under(path: Path):
    if path.is_file():
        return [path]
    return [p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
