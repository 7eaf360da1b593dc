"""What fails stops the build, whatever flags it was started with, and is named."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.errors import SphinxError

from ffnbook.messages import t
from ffnbook.site.extension import unfinished
from ffnbook.site.reading.pages import cells_of


class CellsFailed(SphinxError):
    category = "ffnbook"


def setup(app):
    app.connect("build-finished", stop)


def stop(app, exception) -> None:
    if exception:
        return
    pages = sorted(app.env.found_docs)
    failed = [f for docname in pages for f in failure(app, docname)]
    if app._warncount:
        failed += [f for docname in pages for f in complaints(app, docname)]
    unfinished.ended(app, faults=bool(failed or app._warncount))
    if failed:
        raise CellsFailed("\n" + "\n\n".join(failed))


def complaints(app, docname: str) -> list[str]:
    """What cells of a page wrote to stderr, for myst-nb says only that one did."""
    found = []
    for cell in app.env.get_doctree(docname).findall(nodes.container):
        blocks = [*cell.findall(nodes.literal_block)] if cell.get("nb_element") == "cell_code" else []
        if said := [block.astext() for block in blocks if "stderr" in block["classes"]]:
            source = next((block.astext() for block in blocks if "output" not in block["classes"]), "")  # it may be hidden
            place = place_of(Path(app.env.doc2path(docname)), source)
            found.append(t("building.cell_complained", place=place, code=source, said="".join(said).strip()))
    return found


def failure(app, docname: str) -> list[str]:
    """What to tell the author of a page whose cell failed (nothing where none did)."""
    data = NbMetadataCollector.get_exec_data(app.env, docname)
    if not data or not data.get("traceback"):
        return []
    path = Path(app.env.doc2path(docname))
    source, error = dissect(data["traceback"])
    return [t("building.cell_failed", place=place_of(path, source), code=source, error=error)]


def place_of(path: Path, source: str) -> str:
    return f"{path.parent.name}/{path.name}:{line_of(path, source)}"


def dissect(traceback: str) -> tuple[str, str]:
    """The failing cell's source and the error's own last line, out of nbclient's report."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", traceback)
    rule = r"(?m)^-{10,}$\n?"
    before, source, *after = [*re.split(rule, plain, maxsplit=2), "", ""]
    lines = [line for line in "".join(after).splitlines() if line.strip() and not re.fullmatch(rule, line)]
    if not lines:  # it did not come to an error of its own: nbclient says why above the cell
        lines = [next((line for line in before.splitlines() if line.startswith("nbclient.")), "").removeprefix("nbclient.exceptions.")]
    place = [line.strip() for line in lines if re.match(r" *File .*:\d+", line)] if re.match(r"\w*(Syntax|Indentation|Tab)Error", lines[-1]) else []
    return source.strip(), " ".join([lines[-1], *[f"({where})" for where in place[-1:]]])


def line_of(path: Path, source: str) -> int:
    """The page's line where the cell with ``source`` begins (1 where it is not found)."""
    cells = [(cell.line, cell.source.strip()) for cell in cells_of(path.read_text(encoding="utf-8"))]
    exact = [line for line, code in cells if code == source]
    alike = [line for line, code in cells if source and code.startswith(source.splitlines()[0])]  # of a long one, a part may be told
    return [*exact, *alike, 1][0]
