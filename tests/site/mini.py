"""A book of three tiny pages with its own copy of the tools, to be built, broken and built again."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Tests that a shell started with & do not hear Ctrl+C, and neither would what they start.
HEARS = None if sys.platform == "win32" else partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
COPIED = ("ffnbook", "_config.yml", "requirements.txt", "constraints.txt", "book/references.bib")
TOC = "format: jb-book\nroot: index\nparts:\n  - caption: parts.sublayer\n    chapters:\n      - file: answer\n      - file: bibliography\n"
HEADER = """\
---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
description: @one@.
run: [pyodide]
---
"""
START = """
```{code-cell} ipython3
:tags: [remove-cell]
from ffnbook import lesson; lesson.start("@lang@")
```
"""
INDEX = HEADER + "(index)=\n# @two@\n" + START + "\n@see@ [@one@](#answer-part), {cite}`vaswani2017`.\n"
ANSWER = (
    HEADER
    + "(answer)=\n# @one@\n"
    + START
    + """
```{code-cell} ipython3
:tags: [remove-cell]
import os
from pathlib import Path

from ffnbook import small

lesson.glue("answer", small.ANSWER)
with Path(os.environ["RUNS"]).open("a", encoding="utf-8") as runs:
    print(file=runs)
```

(answer-part)=
## @part@

@see@ {glue:text}`answer` $x = 0.5$.

```{code-cell} ipython3
2 + 2
```
"""
)
BIBLIOGRAPHY = HEADER + "(bibliography)=\n# @sources@\n\n```{bibliography}\n```\n"
WORDS = {
    "es": {"one": "Uno", "two": "Dos", "see": "Mira", "part": "Parte", "sources": "Fuentes"},
    "en": {"one": "One", "two": "Two", "see": "See", "part": "Part", "sources": "Sources"},
}
SOURCES = {"index": INDEX, "answer": ANSWER, "bibliography": BIBLIOGRAPHY}


class MiniBook:
    """The book under ``root``, sound until a test edits it; :meth:`restore` makes it sound again, its caches kept."""

    def __init__(self, root: Path):
        self.root, self.runs, self.out = root, root / "runs.log", root / "_build"
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, root / name, **({"ignore": shutil.ignore_patterns("__pycache__")} if copy is shutil.copytree else {}))
        self.restore()

    def restore(self) -> None:
        shutil.rmtree(self.root / "book" / "es", ignore_errors=True)
        shutil.rmtree(self.root / "book" / "en", ignore_errors=True)
        self.write("_toc.yml", TOC)
        self.write("ffnbook/small.py", "ANSWER = 41\n")
        self.write("ffnbook/other.py", "UNRELATED = 1\n")
        for lang, words in WORDS.items():
            for name, text in SOURCES.items():
                self.write(f"book/{lang}/{name}.md", re.sub(r"@(\w+)@", lambda m: {"lang": lang, **words}[m[1]], text))  # noqa: B023

    def write(self, path: str, text: str) -> None:
        full = self.root / path
        if not full.is_file() or full.read_text(encoding="utf-8") != text:
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> int:
        """Replace ``old`` and return the line it began on."""
        text = self.read(path)
        assert old in text
        self.write(path, text.replace(old, new))
        return text[: text.index(old)].count("\n") + 1

    def html(self, name: str, lang: str = "es") -> str:
        return (self.out / lang / "html" / f"{name}.html").read_text(encoding="utf-8")

    def runs_so_far(self) -> int:
        return self.runs.read_text(encoding="utf-8").count("\n") if self.runs.is_file() else 0

    def python(self, *arguments: str, **environment: str) -> tuple[int, str]:
        """The status and the words of a Python that sees this copy of the tools, and no other."""
        process = self.start(*arguments, **environment)
        said, _ = process.communicate(timeout=300)
        return process.returncode, said

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen:
        """The same, still at work, in a process group of its own."""
        env = {**os.environ, "PYTHONPATH": str(self.root), "RUNS": str(self.runs), "FFNBOOK_LIVE": "0", "NO_COLOR": "1", **environment}
        env.pop("FFNBOOK_BUILD", None)
        return subprocess.Popen(
            [sys.executable, *arguments], cwd=self.root, env=env, text=True, encoding="utf-8",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=HEARS,
        )  # fmt: skip

    def at_work(self) -> list[str]:
        """The processes of a build, which name files of this book: its languages, and with ``TMPDIR`` in it its kernels."""
        listed = subprocess.run(["ps", "-Awwo", "args"], capture_output=True, text=True).stdout.splitlines()
        return [line for line in listed if f"{self.root}/" in line and "defunct" not in line]

    def build(self, lang: str = "es", out: str = "", **environment: str) -> tuple[int, str]:
        """One language, as ``ffnbook build`` runs it."""
        return self.python("-m", "ffnbook.site.one_language", lang, str(self.out / (out or lang)), **environment)

    def build_all(self, **environment: str) -> tuple[int, str]:
        """The whole site."""
        program = "import sys; from ffnbook.site.build import build; sys.exit(build(print))"
        return self.python("-c", program, **environment)

    def agree(self) -> None:
        status, said = self.python("-m", "ffnbook", "parity", "--agree")
        assert status == 0, said
