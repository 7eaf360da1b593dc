"""All reports of a batch, from its stored results."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from ffnbook.exercises import catalog
from ffnbook.grading.batch import Settings, label, results
from ffnbook.grading.collect import Skipped
from ffnbook.grading.reports import junit, page, plain, summary, table

PAGES = "learners"
SYSTEMS = {"gradescope": (plain.gradescope, "results.json"), "classroom50": (plain.classroom50, "result.json")}
TABLES = ("grades.csv", "grades.json", "junit.xml", "summary.md", *(single for _, single in SYSTEMS.values()))


def is_ours(path: Path, out: Path) -> bool:
    """Whether a file lies where a batch with this ``out`` puts what it writes, in a folder that is graded, perhaps."""
    folder = path.parent.resolve()
    if folder == out:
        return path.name in TABLES
    return folder.parent == out and folder.name in (PAGES, "results", *SYSTEMS) and path.suffix in (".html", ".json")


def write(
    settings: Settings,
    names: list[str],
    lang: str,
    layers: list[str],
    systems: tuple[str, ...] = (),
    skipped: tuple[Skipped, ...] = (),
    handed_in: str = "",
) -> None:
    """CSV, JSON, JUnit, a summary, a page per submission, and what other systems want; nothing of an earlier batch stays."""
    exercises = catalog.load(settings.exercises)
    out = settings.out
    called, seen = _survey(settings, names)
    labels, columns = stems(called), [exercise.id for exercise in exercises if exercise.id in seen]
    pages = [f"{PAGES}/{stem}.html" for stem in labels]
    table.write(out / "grades.csv", results(settings, names), columns, pages)
    plain.write_json(out / "grades.json", results(settings, names), lang, pages, skipped)
    junit.write(out / "junit.xml", results(settings, names), exercises, lang)
    summary.write(out / "summary.md", results(settings, names), exercises, lang, layers, skipped)
    written = set()
    for stem, name, result in zip(labels, pages, results(settings, names), strict=True):
        page.write(out / name, result, exercises, lang)
        written.add(out / name)
        for system in systems:
            make, single = SYSTEMS[system]
            target = out / single if len(names) == 1 else out / system / f"{stem}.json"
            plain.write_one(target, make(result, exercises, result.lang or lang, handed_in))
            written.add(target)
    _tidy(out, written)


def _survey(settings: Settings, names: list[str]) -> tuple[list[str], set[str]]:
    """What the submissions are called, and which exercises were graded in any of them."""
    called: list[str] = []
    seen: set[str] = set()
    for result in results(settings, names):
        called.append(result.name)
        seen.update(graded.exercise for graded in result.graded)
    return called, seen


def stems(names: list[str]) -> list[str]:
    """A file name per submission: its own, and where two would share one (``Ana`` and ``ana`` do on some disks) a few digits more."""
    made = [label(name) for name in names]
    count = Counter(stem.casefold() for stem in made)
    return [
        stem if count[stem.casefold()] == 1 else f"{stem}-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}"
        for stem, name in zip(made, names, strict=True)
    ]


def _tidy(out: Path, written: set[Path]) -> None:
    """Take away what an earlier batch wrote here and this one did not: it would pass for current.

    Only files that are ours by what is in them; their results stay in ``results/``, so nothing is lost.
    """
    found = [(path, page.is_ours) for path in (out / PAGES).glob("*.html")]
    for system, (_, single) in SYSTEMS.items():
        found += [(path, plain.is_ours) for path in [*(out / system).glob("*.json"), out / single]]
    for path, is_ours in found:
        if path not in written and path.is_file() and is_ours(path):
            path.unlink()
    for folder in SYSTEMS:
        if (out / folder).is_dir() and not any((out / folder).iterdir()):
            (out / folder).rmdir()
