"""Build one language with Jupyter Book, and its edition to read offline: ``python -m ffnbook.site.one_language es OUTPUT [--wait]``.

What ``jupyter-book build`` does, without its banner and without a traceback for an author's mistake.
With ``--wait`` it loads its libraries, then builds when a line comes in, and gives up where none does.
"""

from __future__ import annotations

import atexit
import gc
import importlib.metadata
import os
import shutil
import sys
import threading
from pathlib import Path

import importlib_metadata

gc.disable()  # one build keeps nearly all that it makes; looking for garbage was an eighth of the time
# jsonschema, where it finds this package, compiles 38 grammars for a kind of address that no schema here names.
sys.modules.setdefault("rfc3987_syntax", None)
# Sphinx, MyST-NB and pybtex ask for entry points some forty times; each time, every installed package was read.
for finder in (importlib.metadata, importlib_metadata):
    finder.entry_points = finder.entry_points().select

from jupyter_book.sphinx import build_sphinx  # noqa: E402
from sphinx.util.console import nocolor  # noqa: E402

from ffnbook.messages import t  # noqa: E402
from ffnbook.site.takeaway import offline  # noqa: E402

ROOT = Path(__file__).parents[2]


def main(lang: str, output: str, wait: str = "") -> int:
    if wait:
        if not sys.stdin.readline():
            return 1
        threading.Thread(target=leave_with_parent, daemon=True).start()
    Path(output).with_suffix(".stamp").unlink(missing_ok=True)  # what it says will not be so
    pages = Path(output) / "html"
    nocolor()  # what is said here goes through a pipe: to a terminal of any kind, or a file
    status = build_sphinx(
        ROOT / "book" / lang,
        pages,
        noconfig=True,
        path_config=ROOT / "_config.yml",
        confoverrides={"external_toc_path": str(ROOT / "_toc.yml"), "latex_individualpages": False},
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if status != 0:
        return status if isinstance(status, int) else 1
    try:
        offline.write(pages, lang)
    except OSError as error:
        print(t("building.cannot_write", path=pages, error=error))
        return 1
    return 0


def leave_with_parent() -> None:
    """End where whoever waits for this build has ended, however that came about: the next build writes in this folder."""
    sys.stdin.read()
    shutil.rmtree(os.environ.get("FFNBOOK_SOCKETS", ""), ignore_errors=True)
    os._exit(1)


if __name__ == "__main__":
    status = main(*sys.argv[1:])
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # else Python puts a whole book away, object by object, which takes a quarter as long as building it
