"""How long the book takes to build: from nothing, after one sentence, with nothing changed; ours and stock."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from ffnbook.site.inputs import INPUTS, ONLY_CHECKED

ROOT = Path(__file__).resolve().parents[1]
LANGUAGES = ("es", "en")
SOURCES = (*INPUTS, *ONLY_CHECKED)
BUDGETS = {"cold": 1.0, "one sentence changed": 0.3, "one changed in each language": 0.3, "nothing changed": 0.3}
CHANGED = {"one sentence changed": ["es"], "one changed in each language": LANGUAGES}
OURS = "import sys; from ffnbook.site.build import build; sys.exit(build(lambda line: print(line, file=sys.stderr)))"
STOCK_CONFIG = """\
title: Stock
execute: {execute_notebooks: cache, timeout: 300}
bibtex_bibfiles: [references.bib]
parse: {myst_enable_extensions: [amsmath, attrs_inline, colon_fence, deflist, dollarmath, smartquotes, substitution]}
sphinx: {config: {language: LANG, suppress_warnings: [myst, bibtex]}}
"""
PAGE, EDITED = "width-and-parameters.md", "exact-form.md"
SENTENCE = {"es": "\nUna frase nueva, sin más.\n", "en": "\nOne new sentence, that is all.\n"}


class Books:
    """Copies of the book to be built and changed: ours as it is, and its chapters for a stock Jupyter Book."""

    def __init__(self, scratch: Path):
        self.ours, self.stock = scratch / "ours", scratch / "stock"

    @cached_property
    def made(self) -> bool:
        for name in filter(lambda name: (ROOT / name).exists(), SOURCES):
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            (self.ours / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, self.ours / name)
        for lang in LANGUAGES:
            shutil.copytree(ROOT / "book" / lang, self.stock / lang)
            shutil.copy2(ROOT / "book" / "references.bib", self.stock / lang)
            (self.stock / lang / "_config.yml").write_text(STOCK_CONFIG.replace("LANG", lang), encoding="utf-8")
            shutil.copy2(ROOT / "_toc.yml", self.stock / lang)
            for page in (self.stock / lang).glob("*.md"):
                page.write_text(plain(page.read_text(encoding="utf-8")), encoding="utf-8")
        return True

    def build_ours(self) -> float:
        return timed([sys.executable, "-c", OURS], self.ours, {"FFNBOOK_LIVE": "0"})

    def build_stock(self) -> float:
        program = Path(sys.executable).with_name("jupyter-book")
        flags = [["build", str(self.stock / lang), "--quiet"] for lang in LANGUAGES]
        return sum(timed([str(program), *each], self.ours, {"FFNBOOK_BUILD": "1"}) for each in flags)

    def edit(self, languages: Iterable[str]) -> None:
        """Add one sentence to one page in these languages; ours agreed."""
        for lang in languages:
            for page in (self.ours / "book" / lang / EDITED, self.stock / lang / EDITED):
                page.write_text(page.read_text(encoding="utf-8") + SENTENCE[lang], encoding="utf-8")
        timed([sys.executable, "-m", "ffnbook", "parity", "--agree"], self.ours, {})

    def site(self) -> Path:
        """Our site, built where it is not yet."""
        if self.made and not (self.ours / "_build" / "site" / "index.html").is_file():
            self.build_ours()
        return self.ours / "_build" / "site"

    def stock_site(self, lang: str) -> Path:
        if self.made and not (self.stock / lang / "_build" / "html").is_dir():
            self.build_stock()
        return self.stock / lang / "_build" / "html"


def plain(text: str) -> str:
    """A page without what only our extension knows."""
    text = re.sub(r"\{given\}`([^`]*)`", r"\1", text)
    text = re.sub(r"^```\{(predict|exercise|solution|exercise-progress|answers-kept)\}.*$", r"```{note}\n\1", text, flags=re.M)
    return re.sub(r"^tags: \[solution\]", "tags: [hide-input]", text, flags=re.M)


def timed(command: list[str], where: Path, extra: dict[str, str]) -> float:
    environment = {**os.environ, "PYTHONPATH": str(where), **extra}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what pip installed is compiled already, so ours may be as well
    began = time.monotonic()
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - began


def measure(books: Books) -> Iterator[tuple]:
    """(what, value, budget, kept, remark) for each kind of build."""
    assert books.made
    for what, budget in BUDGETS.items():
        pairs = []
        for _ in range(1 if what == "cold" else 3):  # the others take seconds: the middle one of three
            if what in CHANGED:
                books.edit(CHANGED[what])
            pairs.append((books.build_stock(), books.build_ours()))
        stock, ours = sorted(pairs, key=lambda pair: pair[1] / pair[0])[len(pairs) // 2]
        ratio = ours / stock
        yield f"build, {what}: ratio to two stock builds", f"{ratio:.2f}", budget, ratio <= budget, f"{ours:.1f} s to {stock:.1f} s"
