"""The folder ``live/`` of the site: our scripts, their texts, the parts of others and Python itself.

Both languages share it; nothing of it is loaded before the reader asks to run a page.
"""

from __future__ import annotations

import gzip
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from ffnbook.messages import LANGUAGES, catalogue
from ffnbook.site import address
from ffnbook.site.live import browser_python, vendor

SCRIPTS = Path(__file__).with_name("static")
FETCHED = ("pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip")  # by the page, on behalf of Python
IMPORTED = ("thebe-lite/thebe-lite.min.js", "worker.js", "pyodide/pyodide.js", "pyodide/pyodide.asm.js")
ALWAYS_LOADED = ("live.css", "thebe/index.js", "thebe/thebe.css", "anywidget/index.js")
GZIPPED = (".js", ".mjs", ".css", ".json")  # by any host; what is compressed already goes as it is


def write(site: Path, say: Callable[[str], None] = print) -> None:
    """Write ``live/`` into the joined site; what has to be fetched for it is said."""
    live = site / "live"
    shutil.copytree(SCRIPTS, live)
    items = vendor.load()
    vendor.install(live, vendor.Store(say), items)
    lock = browser_python.write(live / "pyodide", items, live / "thebe-lite" / "pypi")
    front_end_of_anywidget(live, lock)
    for lang in LANGUAGES:
        (live / f"{lang}.json").write_text(json.dumps(catalogue("live.page", lang), ensure_ascii=False), encoding="utf-8")
    (live / "files.json").write_text(json.dumps(files(live, lock)), encoding="utf-8")


def front_end_of_anywidget(live: Path, lock: dict) -> None:
    """What draws an anywidget in a page, from the same wheel as its Python."""
    (live / "anywidget").mkdir()
    with zipfile.ZipFile(live / "pyodide" / lock["packages"]["anywidget"]["file_name"]) as wheel:
        (live / "anywidget" / "index.js").write_bytes(wheel.read("anywidget/nbextension/index.js"))


def files(live: Path, lock: dict) -> dict:
    """What the scripts need to know: what there is, how big it is, where Binder finds the book."""
    size = lambda path: transferred(live / path)  # noqa: E731
    wheels = {
        name: {"file": package["file_name"], "size": size(f"pyodide/{package['file_name']}"), "needs": package["depends"]}
        for name, package in lock["packages"].items()
    }
    return {
        "interface": sum(size(path) for path in ALWAYS_LOADED), "core": FETCHED,
        "fetched": sum(size(path) for path in FETCHED), "imported": sum(size(path) for path in IMPORTED),
        "packages": wheels, "start": browser_python.START, "ours": browser_python.OURS_NEED, "binder": {"binderUrl": "https://mybinder.org", "repo": address.repository(), "ref": "HEAD"},
    }  # fmt: skip


def transferred(path: Path) -> int:
    """The bytes that a host sends for a file."""
    data = path.read_bytes()
    return len(gzip.compress(data, 6)) if path.suffix in GZIPPED else len(data)
