"""What is wrong with an exercise's folder, in sentences for its author.

``refusals`` is what keeps a set from being graded; ``problems`` begins with the same, so
that a set in which ``ffnbook check`` finds nothing is one that ``ffnbook grade`` takes.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from ffnbook import messages
from ffnbook.exercises.catalog import ORDER, PLACEHOLDER, BadSet, Exercise, Set, declared_order, read, written
from ffnbook.exercises.judge import STATUSES
from ffnbook.exercises.run import Verdict, overall, reference, run
from ffnbook.exercises.say import listed, say, what
from ffnbook.exercises.subject import Local
from ffnbook.messages import LANGUAGES

MINIMUM_WRONG = 3
SEED = 20_260_101
HEADER = re.compile(r"^# (status|points|mistake): *(\S+)$", re.MULTILINE)


def open_set(root: Path, lang: str) -> tuple[Set | None, list[str]]:
    """The set under ``root``, or none and every file that keeps it from being read."""
    found = []
    for path in sorted(root.rglob("exercise.toml")):
        try:
            read(path.parent, root)
        except BadSet as bad:
            found.append(bad.text(lang))
    try:
        declared_order(root)
    except BadSet as bad:
        found.append(bad.text(lang))
    return (None, found) if found else (Set(root), [])


def refusals(exercises: Set, lang: str, private: bool = True) -> list[str]:
    """What keeps this set from being graded (its ``private`` cases too); none where it can be."""
    count = Counter(name for exercise in exercises for name in {exercise.id, *exercise.aliases})
    twice = sorted(name for name, times in count.items() if times > 1)
    found = [_author("twice", lang, names=listed(twice, lang))] if twice else []
    for exercise in exercises:
        found += [_where(exercise, text) for text in _ungradable(exercise, lang, private)]
    return found


def misnamed(exercises: Set, lang: str) -> list[str]:
    """What ``order.toml`` names and the set does not hold: a slip there puts an exercise last, without a word."""
    there = {(exercise.chapter, exercise.id) for exercise in exercises}
    order = declared_order(exercises.root)
    lost = [f"{chapter}/{name}" for chapter, ids in order.items() for name in ids if (chapter, name) not in there]
    return [f"{exercises.root / ORDER}: {_author('misnamed', lang, names=listed(lost, lang))}"] if lost else []


def problems(exercise: Exercise, solution_needed: bool = True, lang: str = "en") -> list[str]:
    """Every problem of one exercise; none for a good one.  Those that keep it from being graded come first."""
    found = list(_ungradable(exercise, lang)) or [*_texts(exercise, lang), *_starter(exercise, lang)]
    if not found and (solution_needed or exercise.solution):
        found = list(_solution(exercise, solution_needed, lang))
    return [_where(exercise, text) for text in found]


def _author(key: str, lang: str, **facts: object) -> str:
    return messages.t(f"exercises.author.{key}", lang, **facts)


def _where(exercise: Exercise, text: str) -> str:
    return f"{exercise.chapter}/{exercise.id}: {text}"


def _ungradable(exercise: Exercise, lang: str, private: bool = True) -> Iterator[str]:
    """The folder has what the grader needs, and what it runs can be run."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", exercise.id) or exercise.folder.name != exercise.id:
        yield _author("id", lang, name=exercise.id)
    own = "answers.toml" if exercise.kind in ("numeric", "choice") else "tests.py"
    for name in ("text.es.md", "text.en.md", "starter.py", own):
        if not (exercise.folder / name).is_file():
            yield _author("missing", lang, file=name)
            return
    try:
        exercise.hints, exercise.title("es"), exercise.title("en"), exercise.starter("en")
        names = [test.name for test in exercise.tests]
    except BadSet as bad:
        yield _author("broken", lang, error=bad.path.name, text=bad.facts["text"])
        return
    except (Exception, SystemExit) as error:  # a file of the author's that is no TOML, no Python, no UTF-8, or asks for a word there is not
        yield _author("broken", lang, error=type(error).__name__, text=error)
        return
    if set(names) != set(exercise.points):
        yield _author("points", lang, points=listed(sorted(exercise.points), lang), tests=listed(names, lang))
    if any(value <= 0 for value in exercise.points.values()):
        yield _author("positive", lang)
    if exercise.kind == "choice":
        yield from (_author("right", lang, name=name) for name, entry in exercise.answers.items() if not _has_right(entry))
    hidden = [test.name for test in exercise.tests if test.private]
    broken = list(_no_reference(exercise, hidden, lang)) if hidden and private else []
    yield from broken
    if exercise.kind == "function" and exercise.solution and not broken:  # torch takes seconds, which `check` has
        yield from _solution_fails(exercise, private, lang)


def _has_right(entry: dict) -> bool:
    return entry.get("right") in entry.get("choices", {})


def _no_reference(exercise: Exercise, hidden: list[str], lang: str) -> Iterator[str]:
    if exercise.solution is None:
        yield _author("no_solution", lang, names=listed(hidden, lang))
        return
    try:
        if exercise.kind == "torch":  # importing it takes seconds, which `check` has and `grade` need not spend
            compile(written(exercise.solution), str(exercise.solution), "exec")
        else:
            reference(exercise)
    except (Exception, SystemExit) as error:
        yield _author("solution_broken", lang, error=type(error).__name__, text=error)


def _solution_fails(exercise: Exercise, private: bool, lang: str) -> Iterator[str]:
    """Whatever the solution does not earn, nobody can: a slip in it or in the tests would cost everyone marks."""
    try:
        verdicts = grade(exercise, written(exercise.solution), private)
    except (Exception, SystemExit) as error:
        yield _author("solution_broken", lang, error=type(error).__name__, text=error)
        return
    for v in verdicts:
        if v.status != "pass":
            yield _author("solution_fails", lang, test=v.test, status=v.status, facts=_told(v, lang))


def _told(verdict: Verdict, lang: str) -> str:
    return verdict.facts.get("stumbled") or what(verdict, lang)


def _texts(exercise: Exercise, lang: str) -> Iterator[str]:
    for other in LANGUAGES:
        if not exercise.text(other).startswith("# "):
            yield _author("title", lang, file=f"text.{other}.md")
        entries = exercise.answers if exercise.kind in ("numeric", "choice") else exercise.hints
        for test in exercise.tests:
            entry = entries.get(test.name, {})
            if exercise.kind in ("function", "torch") and not {"title", "hint"} <= set(entry.get(other, {})):
                yield _author("hints", lang, group=f"[{test.name}.{other}]")
            yield from _replies(exercise.kind, test.name, entry, other, lang)
    yield from _same_keys(exercise.hints, "hints.toml", lang)


def _replies(kind: str, name: str, entry: dict, other: str, lang: str) -> Iterator[str]:
    if kind == "choice":
        for letter, choice in entry.get("choices", {}).items():
            if not {"text", "reply"} <= set(choice.get(other, {})):
                yield _author("choice", lang, group=f"{name}.choices.{letter}.{other}")
    if kind == "numeric":
        if "value" not in entry or (isinstance(entry["value"], float) and not {"atol", "rtol"} & set(entry)):
            yield _author("value", lang, name=name)
        if any(other not in entry.get(part, {}) for part in ("right", "hint")) or any(other not in m for m in entry.get("mistake", [])):
            yield _author("replies", lang, name=name, other=other)


def _same_keys(hints: dict, file: str, lang: str) -> Iterator[str]:
    for group, entry in hints.items():
        es, en = (_keys(entry.get(other, {})) for other in LANGUAGES)
        if es != en:
            yield _author("differs", lang, file=file, group=f"[{group}]", names=listed(sorted(es ^ en), lang))


def _keys(table: dict, prefix: str = "") -> set[str]:
    inner = (_keys(value, f"{prefix}{key}.") if isinstance(value, dict) else {prefix + key} for key, value in table.items())
    return set().union(*inner)


def _starter(exercise: Exercise, lang: str) -> Iterator[str]:
    try:
        sources = [exercise.starter(other) for other in LANGUAGES]
        same = len({ast.dump(ast.parse(source)) for source in sources}) == 1
        verdicts = grade(exercise, sources[0])
    except (Exception, SystemExit) as error:
        yield _author("starter_broken", lang, error=type(error).__name__, text=error)
        return
    if not same or PLACEHOLDER.search(sources[0]):
        yield _author("starter", lang)
    if any(v.status != "unanswered" for v in verdicts):
        yield _author("starter_earns", lang, got=listed(dict.fromkeys(v.status for v in verdicts), lang))


def _solution(exercise: Exercise, wrong_needed: bool, lang: str) -> Iterator[str]:
    if exercise.solution is None:
        yield _author("missing", lang, file="solution.py")
        return
    yield from _solution_fails(exercise, True, lang)
    folder = exercise.solution.parent
    if wrong_needed:
        missing = [f"explain.{other}.md" for other in LANGUAGES if not (folder / f"explain.{other}.md").is_file()]
        yield from (_author("missing", lang, file=name) for name in missing)
    wrong = sorted(folder.glob("wrong/*.py"))
    if wrong_needed and len(wrong) < MINIMUM_WRONG:
        yield _author("few_wrong", lang, count=len(wrong), least=MINIMUM_WRONG)
    for path in wrong:
        yield from _wrong(exercise, path, lang)


def _wrong(exercise: Exercise, path: Path, lang: str) -> Iterator[str]:
    source = written(path)
    due = dict(HEADER.findall(source))
    if due.get("status") not in STATUSES or due["status"] == "pass":
        yield _author("wrong_header", lang, file=f"wrong/{path.name}", statuses=listed(STATUSES[1:], lang, "or"))
        return
    if due["status"] in ("timeout", "memory", "crash"):
        return  # would take this process along: the grader's tests run these in the sandbox
    verdicts = grade(exercise, source)
    points = sum((v.points for v in verdicts), Fraction(0))
    first = next((v for v in verdicts if v.status != "pass"), None)
    earned = overall(verdicts), str(points), str(first and first.facts.get("mistake"))
    for name, got in zip(("status", "points", "mistake"), earned, strict=True):
        same = Fraction(due[name]) == points if name == "points" and name in due else due.get(name, got) == got
        if not same:
            yield _author("wrong_earns", lang, file=f"wrong/{path.name}", name=name, got=got, due=due[name])
            break
    for other in LANGUAGES:
        say(exercise, first, other) if first else None


def grade(exercise: Exercise, source: str, private: bool = True) -> list[Verdict]:
    """Run a source we trust in this process, by default with the private tests."""
    namespace = {name: __import__(module, fromlist=["_"]) for name, module in exercise.inject.items()}
    with contextlib.redirect_stdout(None):  # what it prints is not for who reads the problems
        exec(compile(source, f"<{exercise.id}>", "exec"), namespace)
        return run(exercise, Local(namespace), seed=SEED if private else None)
