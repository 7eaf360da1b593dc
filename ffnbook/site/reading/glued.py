"""The values a page's prose shows, by name: as the build kept them, or by running the page's cells here."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ffnbook.site.reading.pages import Page


def executed(path: Path) -> dict[str, str]:
    """What ``lesson.glue`` kept as myst-nb ran a page, from the file it wrote (none where nothing was kept)."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: ast.literal_eval(output["data"]["text/plain"]) for name, output in kept.items()}


def run_all(pages: list[Page], *, workers: int = 2) -> dict[str, dict[str, str]]:
    """The values of each page, run as plain Python without Jupyter: ``{name: {value name: text}}``."""
    with ProcessPoolExecutor(workers, _fresh_processes(), max_tasks_per_child=1) as pool:
        return dict(zip([p.name for p in pages], pool.map(run, pages), strict=True))


def _fresh_processes():
    """Each page has a process to itself; where that can be copied from one with the libraries loaded, it is."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["scipy.optimize", "matplotlib.backends.backend_svg", "ipywidgets", "torch"])
    return context


def run(page: Page) -> dict[str, str]:
    """Run the page's cells in this process, their figures and words unseen."""
    import matplotlib

    from ffnbook import lesson

    matplotlib.use("Agg")
    module = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            for cell in page.cells:
                exec(compile("\n" * (cell.line - 1) + cell.source, page.path, "exec"), module)
        except Exception as error:
            raise RuntimeError(f"{page.path}: {error!r}\n{said.getvalue()[-500:]}") from error
    return dict(lesson.GLUED)


