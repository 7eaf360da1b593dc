"""When a page has to be run again: when its code, or anything that code imports, has changed.

jupyter-cache knows a page by its code cells and its kernelspec alone.  So the page's
fingerprint (the sources it imports, the pinned versions, Python) is written into its
kernelspec as the page is read, and a page whose fingerprint moved is read again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ffnbook.site import installed
from ffnbook.site.reading import imports
from ffnbook.site.reading.blocks import load_yaml
from ffnbook.site.reading.pages import cells_of

ROOT = Path(__file__).parents[3]
ALWAYS = ("ffnbook/lesson.py", "ffnbook/figures/svg.py")
FRONT = re.compile(r"\ufeff?---[ \t]*\n(.*?\n)---[ \t]*(?:\n|$)", re.S)
PINS = ("constraints.txt", "requirements.txt")
# What turns a run page into HTML: when this moves, every page is read again (and none is run again for it).
TOOLS = ("_config.yml", "ffnbook/site/**/*", "ffnbook/*.py", "ffnbook/exercises/*.py", "ffnbook/locale/*/*.toml", "book/references.bib", "constraints.txt")
ASSETS = {
    "ffnbook/messages.py": "ffnbook/locale/*/*.toml",
    "ffnbook/widgets": "ffnbook/widgets/*.[mc]*s",
    "ffnbook/exercises": "exercises/source/**/*",
    "ffnbook/exercises/page": "solutions/**/*",
    "ffnbook/grading": "solutions/**/*",
}


def setup(app):
    os.environ["FFNBOOK_BUILD"] = "1"
    app.add_config_value("ffnbook_tools", "", "env")
    app.connect("config-inited", private_cache, priority=200)
    app.connect("env-get-outdated", moved)
    app.connect("source-read", mark)
    app.connect("env-updated", keep)
    app.connect("env-purge-doc", forget)


def private_cache(app, config) -> None:
    """One cache per language: two builds run side by side."""
    config.ffnbook_tools = digest_of(p for pattern in TOOLS for p in ROOT.glob(pattern))
    config.nb_execution_cache_path = str(Path(app.outdir).parent / ".jupyter_cache")


def moved(app, env, added, changed, removed) -> set[str]:
    """The pages that are not what they were when they were last read, nor all they are made from.

    Sphinx asks when a file was written; one brought back from elsewhere keeps the time that it had there.
    """
    pages, files = getattr(env, "ffnbook_pages", {}), getattr(env, "ffnbook_dependencies", {})
    return {
        name
        for name in env.found_docs & pages.keys()
        if pages[name] != of_page(Path(env.doc2path(name)).read_text("utf-8-sig")) or files.get(name) != of_dependencies(env, name)
    }


def mark(app, docname: str, source: list[str]) -> None:
    if not hasattr(app.env, "ffnbook_pages"):
        app.env.ffnbook_pages = {}
    value, _ = app.env.ffnbook_pages[docname] = of_page(source[0])
    source[0] = stamped(source[0], value)


def stamped(text: str, fingerprint: str) -> str:
    """The page with its fingerprint in the kernelspec, however its front matter is written; every line stays where it was."""
    if not (found := FRONT.match(text)):
        return text
    front = load_yaml(found[1])
    front["kernelspec"] = {"name": "python3", **(front.get("kernelspec") or {}), "fingerprint": fingerprint}
    lines = json.dumps(front, default=str) + "\n" * found[1].count("\n")  # YAML reads JSON
    return f"---\n{lines}---\n{text[found.end():]}"


def keep(app, env) -> None:
    env.ffnbook_dependencies = {name: of_dependencies(env, name) for name in env.found_docs}


def forget(app, env, docname: str) -> None:
    getattr(env, "ffnbook_pages", {}).pop(docname, None)


def of_page(text: str) -> tuple[str, str]:
    """The page's fingerprint, and a hash of the page itself."""
    return fingerprint(text), hashlib.sha256("\n".join(text.splitlines()).encode()).hexdigest()


def of_dependencies(env, docname: str) -> str:
    """A hash of the files that Sphinx knows the page to be made from."""
    digest = hashlib.sha256()
    for path in sorted(Path(env.srcdir, name) for name in env.dependencies.get(docname, ())):
        digest.update(str(path).encode() + (imports.contents(path) if path.is_file() else b""))
    return digest.hexdigest()


def fingerprint(text: str) -> str:
    """A hash of all that the page's cells import from here, and of the versions they run on."""
    files = {ROOT / name for name in (*ALWAYS, *PINS)}
    code = "\n".join(cell.source for cell in cells_of(text))
    files |= imports.closure(imports.names_in(code))
    return digest_of(with_assets(files))


def digest_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256(installed.versions().encode())
    for path in sorted(set(paths)):
        digest.update(named(path))
    return digest.hexdigest()[:16]


@cache
def named(path: Path) -> bytes:
    """A file's name and contents; nothing for what is no source."""
    if not path.is_file() or "__pycache__" in path.parts:
        return b""
    return path.relative_to(ROOT).as_posix().encode() + imports.contents(path)


def with_assets(files: set[Path]) -> set[Path]:
    names = [p.relative_to(ROOT).as_posix() for p in files]
    extra = {p for start, pattern in ASSETS.items() if any(n.startswith(start) for n in names) for p in ROOT.glob(pattern)}
    return files | extra
