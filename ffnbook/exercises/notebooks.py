"""The learner's notebooks, one per chapter and language, made from the exercises and nothing else.

``write`` puts them in ``exercises/<lang>/<chapter>.ipynb``, and the order in which the book
places the exercises in ``exercises/source/order.toml``, which goes along where there are no
pages; ``outdated`` tells which of those on disk are not what it would write.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises import catalog
from ffnbook.exercises.catalog import Exercise
from ffnbook.exercises.say import score
from ffnbook.exercises.statement import body, choices, plain, questions
from ffnbook.messages import LANGUAGES, t

ROOT = Path(__file__).parents[2]
ADDRESS = re.compile(r"git\+https://github\.com/([\w.-]+/[\w.-]+)")
CHAPTER = re.compile(r"^\s*- file:[ \t]*(\S+)", re.MULTILINE)
PLACED = re.compile(r"^[`:]{3,}\{exercise\}[ \t]+(\S+)", re.MULTILINE)
METADATA = {
    "colab": {"provenance": [], "toc_visible": True},
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def chapters(root: Path = ROOT) -> list[str]:
    """The chapters that have exercises."""
    return _set(root).chapters


def text(chapter: str, lang: str, repository: str | None = None, root: Path = ROOT) -> str:
    """One notebook as the file holds it; ``repository`` (owner/name) is where its first cell installs from."""
    return json.dumps(notebook(chapter, lang, repository, root), ensure_ascii=False, indent=1) + "\n"


def notebook(chapter: str, lang: str, repository: str | None = None, root: Path = ROOT) -> dict:
    exercises = in_order(chapter, root)
    torch = any(exercise.kind == "torch" for exercise in exercises)
    cells = [
        _markdown("about", t("questions.notebook.about", lang, title=_title(chapter, lang, root))),
        _code("setup", _setup(lang, repository, torch)),
    ]
    for number, exercise in enumerate(exercises, 1):
        cells += _exercise(number, exercise, lang)
    cells += [
        _markdown("hand-in", t("questions.notebook.hand_in", lang)),
        _code("submit", f'submit("")  # {t("questions.notebook.name", lang)}'),
    ]
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def in_order(chapter: str, root: Path = ROOT) -> list[Exercise]:
    """The chapter's exercises as its page places them; those it does not place come last."""
    page = root / "book" / LANGUAGES[0] / f"{chapter}.md"
    placed = PLACED.findall(page.read_text(encoding="utf-8")) if page.is_file() else []
    return catalog.in_order(_set(root).chapter(chapter), {chapter: placed})


def order(root: Path = ROOT) -> str:
    """What ``order.toml`` holds: the chapters of ``_toc.yml``, each with its exercises as its page places them."""
    toc = root / "_toc.yml"
    listed = CHAPTER.findall(toc.read_text(encoding="utf-8")) if toc.is_file() else []
    known = chapters(root)
    lines = ["# The order of the exercises, as _toc.yml and the pages place them. `ffnbook notebooks` writes this file."]
    for chapter in [*(name for name in listed if name in known), *(name for name in known if name not in listed)]:
        ids = [exercise.id for exercise in in_order(chapter, root)]
        lines.append(f"{chapter} = {json.dumps(ids)}")
    return "\n".join(lines) + "\n"


def write(root: Path = ROOT, repository: str | None = None) -> list[Path]:
    """Write every notebook (and the order) that is not current; those written.  An address named before is kept."""
    written = []
    for path, due in _due(root, repository):
        if not path.is_file() or path.read_text(encoding="utf-8") != due:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(due, encoding="utf-8", newline="\n")
            written.append(path)
    for path in _strays(root):
        path.unlink()
        written.append(path)
    return written


def outdated(root: Path = ROOT) -> list[Path]:
    """The notebooks that are missing, left over, or not what the exercises say now (wherever they install from)."""
    changed = [path for path, due in _due(root) if not path.is_file() or path.read_text(encoding="utf-8") != due]
    return changed + _strays(root)


def _due(root: Path, repository: str | None = None):
    yield root / "exercises" / "source" / catalog.ORDER, order(root)
    for lang in LANGUAGES:
        for chapter in chapters(root):
            path = root / "exercises" / lang / f"{chapter}.ipynb"
            named = ADDRESS.search(path.read_text(encoding="utf-8")) if path.is_file() else None
            yield path, text(chapter, lang, repository or (named[1] if named else None), root)


def _strays(root: Path) -> list[Path]:
    known = set(chapters(root))
    return [path for lang in LANGUAGES for path in sorted((root / "exercises" / lang).glob("*.ipynb")) if path.stem not in known]


def _set(root: Path) -> catalog.Set:
    return catalog.load(root / "exercises" / "source")


def _title(chapter: str, lang: str, root: Path) -> str:
    page = root / "book" / lang / f"{chapter}.md"
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE) if page.is_file() else None
    return found[1].strip() if found else chapter


def _setup(lang: str, repository: str | None, torch: bool) -> str:
    """Install the library only where it is missing; then what every cell needs."""
    if repository:
        extra = "[torch]" if torch else ""
        remedy = f'%pip install -q "ffnbook{extra} @ git+https://github.com/{repository}"'
    else:
        remedy = f"raise ModuleNotFoundError({t('questions.notebook.missing', lang)!r})"
    return (
        f"# {t('questions.notebook.setup', lang)}\n"
        f'import importlib.util\n\nif importlib.util.find_spec("ffnbook") is None:\n    {remedy}\n\n'
        f'from ffnbook import lesson; lesson.start("{lang}")\n'
        "from ffnbook.exercises import check\n"
        "from ffnbook.grading import submit"
    )


def _exercise(number: int, exercise: Exercise, lang: str) -> list[dict]:
    points = t("questions.points", lang, points=score(exercise.total, lang))
    kind = messages.catalogue("questions.kind", lang)[exercise.kind]
    statement = f"## {number}. {exercise.title(lang)}\n\n*{kind} · {points}*\n\n{plain(body(exercise, lang), lang)}"
    if exercise.kind == "choice":
        statement += "".join(_choices(question, lang) for question in questions(exercise, lang))
    return [
        _markdown(f"{exercise.id}-text", statement),
        _code(f"{exercise.id}-answer", f"#| exercise: {exercise.id}\n{exercise.starter(lang).strip()}"),
        _code(f"{exercise.id}-check", f'check("{exercise.id}")'),
    ]


def _choices(question, lang: str) -> str:
    options = "\n".join(f"- **{letter})** {words}" for letter, words, _ in choices(question, lang))
    how = t("questions.notebook.letter", lang, name=question.name)
    return f"\n\n**{question.title}** {how}\n\n{options}"


def _markdown(identity: str, source: str) -> dict:
    return {"cell_type": "markdown", "id": identity, "metadata": {}, "source": _lines(source)}


def _code(identity: str, source: str) -> dict:
    return {"cell_type": "code", "execution_count": None, "id": identity, "metadata": {}, "outputs": [], "source": _lines(source)}


def _lines(source: str) -> list[str]:
    return source.splitlines(keepends=True)
