"""Many submissions: one result file each, written at once or not at all.

A result's file is named after everything a mark depends on, so a batch that was killed
goes on where it stopped, and grading again writes the same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

import numpy as np

from ffnbook.exercises import catalog
from ffnbook.grading.bwrap import bubblewrap_fault, stage
from ffnbook.grading.collect import Source
from ffnbook.grading.grade import FORMAT, Result, grade
from ffnbook.grading.reading import unreadable
from ffnbook.grading.sandbox import Sandbox, kept

PACKAGE = Path(__file__).parents[1]
ATTEMPTS = 2  # at starting a sandbox


@dataclass(frozen=True)
class Settings:
    """What all submissions of a batch have in common."""

    out: Path
    exercises: Path | None = None
    seed: int | None = 0
    chapters: tuple[str, ...] = ()
    walls: str = "best"

    @property
    def folder(self) -> Path:
        return self.out / "results"

    def key(self, source: Source) -> Path:
        """The result file of a submission: its name, content, exercises, seed, and what grades it."""
        data = source.bytes()
        content = hashlib.sha256(data if isinstance(data, bytes) else repr(data.facts).encode()).hexdigest()
        digest = catalog.load(self.exercises).digest
        final = self.walls == "best" and not bubblewrap_fault()  # provisional marks must not pass for final ones
        parts = [source.name, content, digest, self.seed, self.chapters, final, FORMAT, grader()]
        fingerprint = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
        return self.folder / f"{label(source.name)}-{fingerprint}.json"


@cache
def grader() -> str:
    """A hash of what marks are given with, this package and NumPy: after a repair of either, what it had marked is marked again."""
    made = hashlib.sha256(np.__version__.encode())
    for path in sorted(path for pattern in ("*.py", "exercises/**/*.py", "grading/**/*.py") for path in PACKAGE.glob(pattern)):
        made.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes().replace(b"\r\n", b"\n"))
    return made.hexdigest()


def label(name: str) -> str:
    """A submission's name as (part of) a file's, which has room for 255 bytes."""
    return re.sub(r"[^\w.-]+", "_", name)[-60:].encode()[-120:].decode(errors="ignore")


class NotGraded(RuntimeError):
    """The grader, not the submission, is at fault; nothing was stored, so the next run tries again."""


def one(source: Source, settings: Settings) -> str:
    """Grade one submission and store its result; the name of its file."""
    target = settings.key(source)
    if stored(target) is None:
        exercises = catalog.load(settings.exercises)
        for _ in range(ATTEMPTS):
            sandbox = kept(settings.walls)
            result = _safely(source, exercises, sandbox, settings)
            fault = grader_fault(result)
            if not fault:
                break
            sandbox.close()
            kept.cache_clear()
        else:
            raise NotGraded(fault)
        store(result, target)
    return target.name


def _safely(source: Source, exercises: catalog.Set, sandbox: Sandbox, settings: Settings) -> Result:
    """The result; where the grader itself stumbles over a submission, that costs this one only and is written down."""
    try:
        return grade(source.name, source.bytes(), exercises, sandbox, seed=settings.seed, chapters=settings.chapters)
    except OSError as error:  # a process or a pipe of ours: no fault of the file's
        raise NotGraded(str(error)) from error
    except Exception as error:
        fault = unreadable("killed", text=f"{type(error).__name__}: {error}"[:200])
        return Result(source.name, fault.status, facts=fault.facts)


def grader_fault(result: Result) -> str:
    """Why the grader could not do its work; empty when it could."""
    faults = (v.facts for g in result.graded for v in g.verdicts if v.facts.get("why") == "grader")
    return next((str(facts.get("text") or "?") for facts in faults), "")


def store(result: Result, target: Path) -> None:
    """Write a result so that a kill leaves either all of it or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.{os.getpid()}")
    # halves of characters, which JSON and file names may hold, are no UTF-8: a question mark stands for each
    try:
        part.write_bytes(json.dumps(result.plain(), ensure_ascii=False, indent=1).encode("utf-8", "replace"))
        os.replace(part, target)
    except OSError:  # no room left, nearly always: none is to be taken by halves
        part.unlink(missing_ok=True)
        raise


def stored(path: Path) -> Result | None:
    """The result in a file; none where there is no whole one, as after a power cut."""
    try:
        return Result.from_plain(json.loads(path.read_text(encoding="utf-8")))
    except (FileNotFoundError, ValueError, LookupError, TypeError, AttributeError):
        return None


def run(
    sources: Iterable[Source],
    settings: Settings,
    jobs: int,
    done: Callable[[str], None] = lambda name: None,
    failures: list[str] | None = None,
) -> list[str]:
    """Grade all; the names of the result files, in the order of the sources.

    What the grader fails at is left out, and ``failures`` told why.
    """
    settings.folder.mkdir(parents=True, exist_ok=True)
    names: dict[int, str] = {}
    for index, name in _local(enumerate(sources), settings, max(1, jobs)):
        done(str(name))
        if isinstance(name, str):
            names[index] = name
        elif failures is not None:
            failures.append(str(name))
    for leftover in settings.folder.glob(".*.json.*"):
        leftover.unlink(missing_ok=True)  # halves of results from a batch that was killed
    return [names[index] for index in sorted(names)]


def _local(sources: Iterator[tuple[int, Source]], settings: Settings, jobs: int) -> Iterator[tuple[int, str | NotGraded]]:
    """A pool that never holds more than a few submissions, and outlives a worker's death."""
    waiting: dict[Future, tuple[int, Source]] = {}
    pool = _pool(jobs)
    try:
        while True:
            for item in islice(sources, 2 * jobs - len(waiting)):
                waiting[_submit(pool, item[1], settings)] = item
            if not waiting:
                return
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            if any(isinstance(future.exception(), BrokenProcessPool) for future in finished):
                pool.shutdown(cancel_futures=True)
                for index, source in sorted(waiting.values(), key=lambda item: item[0]):
                    yield index, _alone(source, settings)
                waiting.clear()
                pool = _pool(jobs)
                continue
            for future in finished:
                yield waiting.pop(future)[0], _name(future)
    finally:
        pool.shutdown(cancel_futures=True)


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_grader)


def _end_with_grader() -> None:
    """A pool's processes hold both ends of their queue, so the grader's sudden death goes unnoticed there: watch for it."""
    Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    parent_process().join()
    if stage.cache_info().currsize:
        shutil.rmtree(stage(), ignore_errors=True)
    os._exit(1)  # and with this process go its sandboxes


def _submit(pool: ProcessPoolExecutor, source: Source, settings: Settings) -> Future:
    """The work under way; in a pool that broke a moment ago, failed at once as the rest of it."""
    try:
        return pool.submit(one, source, settings)
    except BrokenProcessPool as error:
        failed: Future = Future()
        failed.set_exception(error)
        return failed


def _name(future: Future) -> str | NotGraded:
    """The result's file, or why the grader failed."""
    failure = future.exception()
    return failure if isinstance(failure, NotGraded) else future.result()


def _alone(source: Source, settings: Settings) -> str | NotGraded:
    """A submission that was there when a worker died: by itself, to see whether it is the one."""
    with _pool(1) as pool:
        future = pool.submit(one, source, settings)
        if not isinstance(future.exception(), BrokenProcessPool):
            return _name(future)
    fault = unreadable("killed")
    target = settings.key(source)
    store(Result(source.name, fault.status, facts=fault.facts), target)
    return target.name


def results(settings: Settings, names: list[str]) -> Iterator[Result]:
    """The stored results, one at a time."""
    for name in names:
        yield stored(settings.folder / name)
