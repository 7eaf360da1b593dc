"""One submission → its result: a status and exact points for every exercise."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

import ffnbook
from ffnbook.exercises.catalog import Exercise, Set, UnknownExercise
from ffnbook.exercises.judge import Fault
from ffnbook.exercises.run import Verdict, overall, run
from ffnbook.grading import cells as cell_tools
from ffnbook.grading.cells import Piece
from ffnbook.grading.reading import Document, read
from ffnbook.grading.sandbox import Sandbox
from ffnbook.grading.session import Limits, Session
from ffnbook.messages import LANGUAGES

NEEDS = {"torch": "torch", "matplotlib": "matplotlib.pyplot", "pyplot": "matplotlib.pyplot"}
WORDS = re.compile(r"\b(" + "|".join(NEEDS) + r")\b")
FORMAT = 2
SEPARATOR = "\n"  # between the names in a note
MOST_NAMES, LONGEST_NAME = 12, 60  # that a note holds: whoever made the file chose them


@dataclass(frozen=True)
class Graded:
    """One exercise of one submission."""

    exercise: str
    status: str
    verdicts: tuple[Verdict, ...]

    @property
    def points(self) -> Fraction:
        return sum((v.points for v in self.verdicts), Fraction(0))

    @property
    def max(self) -> Fraction:
        return sum((v.max for v in self.verdicts), Fraction(0))


@dataclass
class Result:
    """What is known about one submission; everything in it is plain and safe to store."""

    name: str
    status: str = "graded"  # or unreadable
    learner: str = ""
    lang: str = ""
    version: str = ""
    graded: list[Graded] = field(default_factory=list)
    facts: dict = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    output: str = ""
    sha256: str = ""
    layers: list[str] = field(default_factory=list)
    final: bool = False

    @property
    def points(self) -> Fraction:
        return sum((g.points for g in self.graded), Fraction(0))

    @property
    def max(self) -> Fraction:
        return sum((g.max for g in self.graded), Fraction(0))

    def plain(self) -> dict:
        """As JSON; :func:`from_plain` turns it back."""
        exercises = [{"exercise": g.exercise, "status": g.status, "tests": [v.plain() for v in g.verdicts]} for g in self.graded]
        rest = {key: value for key, value in vars(self).items() if key != "graded"}
        return {"format": FORMAT, "ffnbook": ffnbook.__version__, **rest, "exercises": exercises}

    @classmethod
    def from_plain(cls, data: dict) -> Result:
        graded = [
            Graded(e["exercise"], e["status"], tuple(Verdict.from_plain(v) for v in e["tests"])) for e in data["exercises"]
        ]
        rest = {key: value for key, value in data.items() if key not in ("format", "ffnbook", "exercises")}
        return cls(graded=graded, **rest)


def grade(
    name: str,
    data: bytes | Fault,
    exercises: Set,
    sandbox: Sandbox,
    *,
    seed: int | None = 0,
    chapters: tuple[str, ...] = (),
    limits: Limits = Limits(),
) -> Result:
    """Grade one submission; never raises for anything that is in it.

    ``data`` is the file's bytes, or why it has none.  Without a ``seed`` only the public
    tests run.  ``chapters`` fixes which exercises count; else those of the chapters that
    the submission has something of.
    """
    result = Result(name, final=sandbox.final and seed is not None)
    try:
        if isinstance(data, Fault):
            raise data
        result.sha256 = hashlib.sha256(data).hexdigest()
        document = read(name, data)
        _about(result, document)
        _grade(result, document, exercises, sandbox, seed, chapters, limits)
    except Fault as fault:
        result.status, result.facts = fault.status, fault.facts
    result.layers = sandbox.layers  # now: one that cannot be built is found missing when it is needed
    return result


def _about(result: Result, document: Document) -> None:
    about = document.about
    result.learner = str(about.get("learner", ""))[:200]
    result.version = str(about.get("version", ""))[:40]
    if about.get("lang") in LANGUAGES:
        result.lang = about["lang"]
    else:
        said = re.search(r"""lesson\.start\(\s*["'](\w\w)["']""", "\n".join(cell.source for cell in document.cells))
        result.lang = said[1] if said and said[1] in LANGUAGES else ""
    if result.version and result.version != ffnbook.__version__:
        result.notes.append("version")


def _grade(result, document, exercises, sandbox, seed, chapters, limits) -> None:
    wanted = {name for exercise in exercises for name in exercise.names}
    found = cell_tools.pieces(document, wanted, _blanks(exercises))
    chosen, strangers = choose(exercises, found, document, chapters)
    unknown = [" ".join(name.split())[:LONGEST_NAME] for name in strangers[:MOST_NAMES]]
    result.notes += sorted(set(document.notes)) + (["unknown:" + SEPARATOR.join(unknown)] if unknown else [])
    inject = {key: module for exercise in chosen for key, module in exercise.inject.items()}
    sources = cell_tools.runnable(found, wanted)
    session = Session(sandbox, sources, inject, modules(sources, chosen), limits)
    try:
        for exercise in chosen:
            verdicts = _exercise(exercise, found, session, seed)
            result.graded.append(Graded(exercise.id, overall(verdicts), tuple(verdicts)))
        result.output = session.output
    finally:
        session.close()
    if any(graded.status == "syntax" for graded in result.graded) and document.python > sys.version_info[:2]:
        result.notes.append(f"python:{'.'.join(map(str, document.python))}")
    if "input(" in "\n".join(sources):
        result.notes.append("input")


@cache
def _blanks(exercises: Set) -> frozenset[str]:
    return cell_tools.blanks(exercise.starter("en") for exercise in exercises)


def modules(sources: list[str], chosen: list[Exercise]) -> list[str]:
    """What to have imported before the learner's code runs."""
    words = {word for source in sources for word in WORDS.findall(source)}
    return sorted({"scipy.special", *(NEEDS[word] for word in words)})


def choose(exercises: Set, found: list[Piece], document: Document, chapters: tuple[str, ...]) -> tuple[list[Exercise], list[str]]:
    """The exercises that count, and the marked ones that this set does not know.

    A mark adds to what is found and hides nothing: an answer in a cell without one counts by
    the names it defines, as it does where no cell is marked.
    """
    listed = document.about.get("exercises")
    known, strangers = answered(exercises, found, listed if isinstance(listed, list) else [])
    touched = chapters or {exercise.chapter for exercise in known}
    chosen = [exercise for exercise in exercises if exercise.chapter in touched]
    if not chosen:
        raise Fault("unreadable", why="no_exercises")
    return chosen, strangers


def answered(exercises: Set, found: list[Piece], listed: Iterable = ()) -> tuple[list[Exercise], list[str]]:
    """The exercises that cells are marked with or answer without a mark, and the marks (or ``listed``) that are of no exercise."""
    known, strangers = [], set()
    for name in [*(name for piece in found for name in piece.markers), *(name for name in listed if isinstance(name, str))]:
        try:
            known.append(exercises.find(name))
        except UnknownExercise:
            strangers.add(name)
    unmarked = cell_tools.defined(found)
    # beside marks, one name of several (a helper called factor) is no answer yet, and would count a whole chapter as missing
    enough = 0.5 if known else 0.0
    known += [exercise for exercise in exercises if len(unmarked & set(exercise.names)) > enough * len(exercise.names)]
    return known, sorted(strangers)


def _exercise(exercise: Exercise, found: list[Piece], session: Session, seed: int | None) -> list[Verdict]:
    session.begin(exercise.time_limit)
    mine = [(i, p) for i, p in enumerate(found) if p.binds & set(exercise.names) or exercise.id in p.markers]
    fault = _before(exercise, mine, found)
    subject = Refusing(fault) if fault else Explaining(session, mine, found)
    return run(exercise, subject, seed=seed)


def _before(exercise: Exercise, mine: list[tuple[int, Piece]], found: list[Piece]) -> Fault | None:
    """What the cells alone say: nothing there, an untouched starter, a syntax error."""
    name = exercise.names[0]
    good = [piece for _, piece in mine if piece.tree is not None and piece.binds & set(exercise.names)]
    if not good:
        bad = next((piece.syntax for _, piece in reversed(mine) if piece.syntax), None)
        if bad:
            return Fault("syntax", name=name, **bad)
        # a function may define another, and exec() anything: where the name is written down somewhere, run it and see
        return None if any(name in piece.source for piece in found) else Fault("missing", name=name)
    return Fault("unanswered", name=name) if all(piece.stub for piece in good) else None


class Refusing:
    """The subject of an exercise that cannot be run: every test earns the same fault."""

    last = result = None
    warnings = changed = ()

    def __init__(self, fault: Fault):
        self._refusal = fault

    def __getattr__(self, name: str):
        return self._refuse

    def value(self, name: str):
        self._refuse(name=name)  # of several questions, the one that is asked

    def _refuse(self, *_, **facts):
        named = {"name": facts["name"]} if self._refusal.status == "missing" and "name" in facts else {}
        raise Fault(self._refusal.status, **self._refusal.facts | named)


class Explaining:
    """A session that, where a name is missing, says what kept its cell from defining it."""

    def __init__(self, session: Session, mine: list[tuple[int, Piece]], found: list[Piece]):
        self._session, self._mine, self._found = session, mine, found

    def __getattr__(self, name: str):
        if name in ("last", "result", "warnings", "changed"):
            return getattr(self._session, name)
        method = getattr(self._session, name)
        return lambda *args, **kwargs: self._try(method, *args, **kwargs)

    def value(self, name: str) -> object:
        return self._try(self._session.value, name)

    def _try(self, method, *args, **kwargs) -> object:
        try:
            return method(*args, **kwargs)
        except Fault as fault:
            raise self._explained(fault) from None

    def _explained(self, fault: Fault) -> Fault:
        name = fault.facts.get("name")
        if fault.status == "missing":
            return self._cause(name) or fault
        needs = fault.facts.get("needs")
        if fault.status == "raised" and fault.facts.get("error") == "NameError" and needs:
            absent = self._absent(needs)
            if absent:
                return absent
            return Fault("raised", **{**fault.facts, "why": "variable"})
        return fault

    def _absent(self, name: str) -> Fault | None:
        """Why an import that would have brought ``name`` did not: it is there for the learner, and not here."""
        errors = (self._session.errors.get(index) for index, piece in enumerate(self._found) if name in piece.binds)
        return next((Fault(error.status, **error.facts) for error in errors if error and error.status == "environment"), None)

    def _cause(self, name: str) -> Fault | None:
        for index, piece in reversed(self._mine):
            if name not in piece.binds:
                continue
            stopped, error = self._session.stopped.get(index), self._session.errors.get(index)
            if stopped is not None:
                why = "cell" if stopped.status == "timeout" else stopped.facts.get("why")
                return Fault(stopped.status, **{**stopped.facts, "name": name, **({"why": why} if why else {})})
            if error is not None:
                why = "variable" if error.facts.get("needs") else "cell"
                status = error.status if error.status in ("environment", "memory") else "missing"
                return Fault(status, **{**error.facts, "name": name, "why": why})
        return None
