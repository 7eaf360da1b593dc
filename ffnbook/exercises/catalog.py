"""The exercises on disk: where they are, what a folder holds, and how it is read.

The format is written down in ``exercises/README.md``.  A set is a folder of folders with
an ``exercise.toml`` each: the course's own, or a teacher's private one.  Its ``order.toml``
is the one place that says in which order they come, in every report and everywhere else.
"""

from __future__ import annotations

import difflib
import hashlib
import inspect
import math
import os
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises import answers

FIELDS = {"id", "kind", "names", "points", "time_limit", "inject", "aliases", "chapter"}
KINDS = ("function", "numeric", "choice", "torch")
ROOTS = (Path(__file__).parents[2] / "exercises" / "source", Path(__file__).parent / "source")
PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
ORDER = "order.toml"


class BadSet(ValueError):
    """A file of a set cannot be used; :meth:`text` says which one and why."""

    def __init__(self, path: Path, why: str, **facts: object):
        super().__init__(str(path))
        self.path, self.why, self.facts = path, why, facts

    def text(self, lang: str) -> str:
        return f"{self.path}: {messages.t(f'exercises.author.{self.why}', lang, **self.facts)}"

    def __str__(self) -> str:
        return self.text(messages.current())


class UnknownExercise(LookupError):
    """No exercise has this id; ``near`` holds the ids that look like it."""

    def __init__(self, name: str, near: list[str]):
        super().__init__(name)
        self.name, self.near = name, near


@dataclass(frozen=True)
class Test:
    """One point of substance: a function of ``(s, t)``, or of ``(s, t, ref, rng)`` when private."""

    name: str
    function: object
    points: Fraction
    private: bool


@dataclass(frozen=True)
class Exercise:
    """One folder; the texts and tests are read when asked for."""

    folder: Path
    chapter: str
    id: str
    kind: str
    names: tuple[str, ...]
    points: dict[str, Fraction]
    time_limit: float = 2.0
    inject: dict[str, str] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    solution_folder: Path | None = None

    @property
    def total(self) -> Fraction:
        return sum(self.points.values(), Fraction(0))

    def text(self, lang: str) -> str:
        """The statement, MyST; its first line is ``# Title``."""
        return written(self.folder / f"text.{lang}.md")

    def title(self, lang: str) -> str:
        return self.text(lang).split("\n", 1)[0].removeprefix("#").strip()

    def starter(self, lang: str) -> str:
        """What the learner's cell holds at first, its comments in their language."""
        own = self.hints.get("starter", {}).get(lang, {})
        shared = messages.catalogue("exercises.starter", lang)
        raw = written(self.folder / "starter.py")
        return PLACEHOLDER.sub(lambda found: {**shared, **own}[found[1]], raw)

    @cached_property
    def hints(self) -> dict:
        return self._toml("hints.toml")

    @cached_property
    def answers(self) -> dict:
        """For numeric and choice: per name, the right answer and the replies to others."""
        return self._toml("answers.toml")

    def _toml(self, name: str) -> dict:
        path = self.folder / name
        return _table(path) if path.is_file() else {}

    @cached_property
    def tests(self) -> tuple[Test, ...]:
        """In the order in which what is wrong should be named."""
        if self.kind in ("numeric", "choice"):
            made = answers.tests(self.kind, self.answers)
        else:
            made = _functions(self.folder / "tests.py")
        return tuple(Test(n, f, self.points.get(n, Fraction(0)), _is_private(f)) for n, f in made.items())

    @cached_property
    def digest(self) -> str:
        """A fingerprint of everything a mark depends on; line ends do not count."""
        total = hashlib.sha256()
        for path in [*sorted(self.folder.glob("*.toml")), *sorted(self.folder.glob("*.py")), self.solution or Path()]:
            if path.is_file():
                total.update(path.name.encode() + path.read_bytes().replace(b"\r\n", b"\n"))
        return total.hexdigest()[:16]

    @property
    def solution(self) -> Path | None:
        """The reference, where this installation has it."""
        path = (self.solution_folder or self.folder) / "solution.py"
        return path if path.is_file() else None


def written(path: Path) -> str:
    """What its author wrote, without the mark that some editors put first."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadSet(path, "missing", file=path.name) from None


def _table(path: Path, **options: object) -> dict:
    try:
        return tomllib.loads(written(path), **options)
    except BadSet:
        raise
    except (OSError, ValueError) as error:
        raise BadSet(path, "not_toml", text=error) from None


def _functions(path: Path) -> dict:
    namespace: dict = {"__name__": f"tests of {path.parent.name}", "__file__": str(path)}
    exec(compile(written(path), str(path), "exec"), namespace)
    return {
        name: value
        for name, value in namespace.items()
        if inspect.isfunction(value) and value.__code__.co_filename == str(path) and not name.startswith("_")
    }


def _is_private(function: object) -> bool:
    return bool({"ref", "rng"} & set(inspect.signature(function).parameters))


def read(folder: Path, root: Path) -> Exercise:
    """The exercise in ``folder``, a descendant of the set ``root``."""
    path = folder / "exercise.toml"
    data = _table(path, parse_float=Fraction)
    unknown = sorted(set(data) - FIELDS)
    if unknown:
        raise BadSet(path, "unknown_field", names=", ".join(unknown))
    if data.get("kind") not in KINDS or not {"id", "names", "points"} <= set(data):
        raise BadSet(path, "fields", kinds=", ".join(KINDS))
    if not _texts(data["names"]) or not all(map(str.isidentifier, data["names"])):
        raise BadSet(path, "names")
    others = [data["id"], data.get("chapter", "-"), *(data["inject"].values() if isinstance(data.get("inject"), dict) else ())]
    if not _texts(others) or not _texts(data.get("aliases", ["-"])):
        raise BadSet(path, "texts")
    try:
        return Exercise(
            folder=folder,
            chapter=data.get("chapter", folder.parent.name),
            id=data["id"],
            kind=data["kind"],
            names=tuple(data["names"]),
            points={name: Fraction(value) for name, value in data["points"].items()},
            time_limit=_seconds(data.get("time_limit", 2)),
            inject=data.get("inject", {}),
            aliases=tuple(data.get("aliases", ())),
            solution_folder=_solution_folder(folder, root),
        )
    except (TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise BadSet(path, "not_toml", text=error) from None


def _texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, str) and item for item in value)


def _seconds(value: object) -> float:
    seconds = float(value)
    if not 0 < seconds < math.inf:
        raise ValueError(f"time_limit = {seconds}")
    return seconds


def _solution_folder(folder: Path, root: Path) -> Path | None:
    inside = folder.relative_to(root)
    places = (folder, root / "solutions" / inside, root.parent.parent / "solutions" / inside)
    return next((place for place in places if (place / "solution.py").is_file()), None)


def declared_order(root: Path) -> dict[str, list[str]]:
    """Chapter → ids, as the set's ``order.toml`` lists them; nothing where there is none."""
    path = root / ORDER
    order = _table(path) if path.is_file() else {}
    for chapter, ids in order.items():
        if not (isinstance(ids, list) and all(isinstance(name, str) for name in ids)):
            raise BadSet(path, "order", name=chapter)
    return order


def in_order(exercises: Iterable[Exercise], order: dict[str, list[str]]) -> list[Exercise]:
    """As ``order`` says; what it does not name comes last, by the names of chapters and folders."""
    chapters = list(order)

    def place(exercise: Exercise) -> tuple:
        ids = order.get(exercise.chapter, [])
        chapter = chapters.index(exercise.chapter) if exercise.chapter in order else len(chapters)
        return chapter, exercise.chapter, ids.index(exercise.id) if exercise.id in ids else len(ids), exercise.folder.as_posix()

    return sorted(exercises, key=place)


class Set:
    """All exercises under one root, in the order that its ``order.toml`` declares (else that of their names)."""

    def __init__(self, root: Path):
        self.root = root
        found = [read(path.parent, root) for path in sorted(root.rglob("exercise.toml"))]
        self.exercises = tuple(in_order(found, declared_order(root)))
        self._by_id = {name: ex for ex in self.exercises for name in (*ex.aliases, ex.id)}

    def __iter__(self):
        return iter(self.exercises)

    def find(self, name: str) -> Exercise:
        """The exercise with this id, or whose id was this in an earlier version."""
        found = self._by_id.get(name) or self._by_id.get(name.strip().lower().replace("_", "-"))
        if found is None:
            raise UnknownExercise(name, difflib.get_close_matches(name, self._by_id, 3))
        return found

    @property
    def chapters(self) -> list[str]:
        """Their names, in order."""
        return list(dict.fromkeys(exercise.chapter for exercise in self.exercises))

    def chapter(self, name: str) -> list[Exercise]:
        return [exercise for exercise in self.exercises if exercise.chapter == name]

    @cached_property
    def digest(self) -> str:
        total = hashlib.sha256("".join(f"{ex.id}{ex.digest}" for ex in self.exercises).encode())
        return total.hexdigest()[:16]


@cache
def load(root: Path | None = None) -> Set:
    """The set under ``root``; the course's own by default (or ``FFNBOOK_EXERCISES``)."""
    given = os.environ.get("FFNBOOK_EXERCISES")
    places = (root,) if root else (Path(given),) if given else ROOTS
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise BadSet(places[0], "nowhere")
    return Set(found.resolve())
