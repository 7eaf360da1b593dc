"""The commands ``ffnbook grade`` and ``ffnbook check``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from ffnbook import messages

PARTIAL = 3  # some submissions could not be graded
REFUSED = 2  # the command itself makes no sense
SHOWN = 20  # files not read that are named at the end; all of them are in the reports

PATHS = Annotated[list[Path], typer.Argument(help="Notebooks, .py files, zips, folders · Cuadernos, archivos .py, zips, carpetas")]
OUT = Annotated[Path, typer.Option(help="Where the results go · Dónde van los resultados")]
SET = Annotated[Path | None, typer.Option("--exercises", help="A private set of exercises · Un conjunto propio de ejercicios")]
SEED = Annotated[int, typer.Option(help="Seed of the private cases · Semilla de los casos privados")]
JOBS = Annotated[int, typer.Option(min=1, help="Processes at once · Procesos a la vez")]
LANG = Annotated[str | None, typer.Option(help="es | en: of the reports, where a submission does not say · de los informes")]
CHAPTER = Annotated[list[str] | None, typer.Option(help="Grade these chapters whole · Corrige estos capítulos enteros")]
ALSO = Annotated[list[str] | None, typer.Option(help="gradescope | classroom50")]
PUBLIC = Annotated[bool, typer.Option("--public", help="Public tests only; never final · Sólo pruebas públicas")]
DASK = Annotated[str | None, typer.Option(help="Scheduler of a Dask cluster · Planificador de un clúster Dask")]


def register(app: typer.Typer) -> None:
    app.command()(grade)
    app.command()(check)


def grade(
    paths: PATHS,
    out: OUT = Path("results"),
    exercises: SET = None,
    seed: SEED = 0,
    jobs: JOBS = os.cpu_count() or 1,
    lang: LANG = None,
    chapter: CHAPTER = None,
    also: ALSO = None,
    public: PUBLIC = False,
    dask: DASK = None,
) -> None:
    """Grade submissions, behind a sandbox · Corrige entregas, aisladas."""
    from ffnbook.grading.batch import Settings

    lang = language(lang)
    _known(paths, exercises, chapter, also, lang, private=not public)
    settings = Settings(out.resolve(), exercises and exercises.resolve(), None if public else seed, tuple(chapter or ()))
    try:
        raise typer.Exit(_grade(paths, settings, jobs, lang, tuple(also or ()), dask))
    except KeyboardInterrupt:
        _stop(messages.t("cli.grade.interrupted", lang), 130)
    except OSError as error:  # no room, no permission, a file where a folder is due
        _stop(messages.t("cli.grade.cannot_write", lang, out=settings.out, error=error.strerror or error))


def language(given: str | None) -> str:
    """The language asked for, else that of the system, else English."""
    found = messages.of_system()
    if given and given not in messages.LANGUAGES:
        _stop(_one_of("--lang", given, messages.LANGUAGES, found))
    return given or found


def _one_of(option: str, given: str, names: Iterable[str], lang: str) -> str:
    from ffnbook.exercises.say import listed

    return messages.t("cli.grade.one_of", lang, option=option, name=given, names=listed(names, lang, "or"))


def _known(paths, exercises, chapters, also, lang: str, private: bool) -> None:
    """Stop before any work where the request cannot be meant."""
    from ffnbook.exercises.say import listed
    from ffnbook.grading.reports.everything import SYSTEMS

    for path in paths:
        if not path.exists():
            _stop(messages.t("cli.grade.missing_path", lang, path=path))
    if exercises is not None and not any(exercises.rglob("exercise.toml")):
        _stop(messages.t("cli.grade.missing_set", lang, path=exercises))
    names = _usable(exercises, lang, private).chapters
    for name in chapters or ():
        if name not in names:
            _stop(messages.t("cli.grade.chapter", lang, name=name, names=listed(names, lang)))
    for name in also or ():
        if name not in SYSTEMS:
            _stop(_one_of("--also", name, SYSTEMS, lang))


def _usable(exercises: Path | None, lang: str, private: bool):
    """The set of exercises; stops with everything that keeps it from being graded, which `check` finds too."""
    from ffnbook.exercises import catalog
    from ffnbook.exercises.validate import open_set, refusals

    try:
        course = catalog.load(exercises and exercises.resolve())
    except catalog.BadSet as bad:
        root = exercises and exercises.resolve()
        _stop("\n".join([*(open_set(root, lang)[1] if root else [bad.text(lang)]), messages.t("cli.grade.bad_set", lang)]))
    found = refusals(course, lang, private)
    if found:
        lacking = private and not refusals(course, lang, private=False)  # nothing but solutions
        _stop("\n".join([*found, messages.t("cli.grade.no_solution" if lacking else "cli.grade.bad_set", lang)]))
    return course


def _grade(paths, settings, jobs: int, lang: str, systems: tuple, dask: str | None) -> int:
    from ffnbook.exercises.say import listed
    from ffnbook.grading.collect import Skipped, Source, collect
    from ffnbook.grading.reports import everything
    from ffnbook.grading.reports.words import layer_names
    from ffnbook.grading.sandbox import Sandbox
    from ffnbook.grading.when import handed_in

    sandbox = Sandbox()
    layers = sandbox.layers
    _say(messages.t("cli.grade.layers", lang, layers=layer_names(layers, lang)))
    if not sandbox.final:
        _say(messages.t("cli.grade.provisional", lang, fault=sandbox.fault))
    skipped: list[Skipped] = []
    sources = list(collect(paths, skipped))
    skipped = [one for one in skipped if not everything.is_ours(Path(one.path), settings.out)]
    if systems and not sources:  # these hand over one learner at a time, who must be told
        sources = [Source(one.name, one.path, fault="type") for one in skipped[:1]]
    if not sources:
        _say_not_read(skipped, lang)
        _stop(messages.t("cli.grade.nothing", lang, paths=listed(paths, lang)))
    settings.out.mkdir(parents=True, exist_ok=True)
    failures: list[str] = []
    names = _run(sources, settings, jobs, lang, dask, failures)
    everything.write(settings, names, lang, layers, systems, tuple(skipped), handed_in(paths))
    unread = sum(result.status != "graded" for result in _results(settings, names))
    _say(messages.t("cli.grade.done", lang, count=len(names) - unread, out=settings.out))
    if unread:
        _say(messages.t("cli.grade.partial", lang, count=unread, out=settings.out / "summary.md"))
    if failures:
        _say(messages.t("cli.grade.failed", lang, count=len(failures), why=failures[0]))
    _say_not_read(skipped, lang)
    return PARTIAL if unread or failures else 0


def _say_not_read(skipped: list, lang: str) -> None:
    """The files that are of no kind that is read: whoever handed them in must not be simply absent."""
    from ffnbook.grading.reports.words import not_read

    if skipped:
        _say(messages.t("cli.grade.not_read", lang, count=len(skipped)))
        for line in not_read(skipped, lang, SHOWN):
            _say(f"  {line}")


def _results(settings, names):
    from ffnbook.grading.batch import results

    return results(settings, names)


def _run(sources, settings, jobs: int, lang: str, dask: str | None, failures: list[str]) -> list[str]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ffnbook.grading import batch

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(messages.t("cli.grade.progress", lang), total=len(sources))
        done = lambda name: progress.advance(bar)  # noqa: E731
        if dask:
            try:
                from ffnbook.grading import cluster
            except ModuleNotFoundError:
                _stop(messages.t("cli.grade.dask", lang))
            try:
                return cluster.run(sources, settings, dask, done, failures)
            except OSError as error:  # nobody answers there
                _stop(messages.t("cli.grade.no_cluster", lang, address=dask, error=str(error)[:200]))
        return batch.run(sources, settings, jobs, done, failures)


def check(paths: PATHS, lang: LANG = None) -> None:
    """Check your own answers, or a folder of exercises · Comprueba tus respuestas, o una carpeta de ejercicios."""
    lang = language(lang)
    failed = 0
    for path in paths:
        if not path.exists():
            _stop(messages.t("cli.grade.missing_path", lang, path=path))
        is_set = path.is_dir() and any(path.rglob("exercise.toml"))
        failed += _check_set(path, lang) if is_set else _check_answers(path, lang)
    raise typer.Exit(1 if failed else 0)


def _check_set(path: Path, lang: str) -> int:
    """Whatever `grade` would refuse, and the rest that is wrong."""
    from ffnbook.exercises.validate import misnamed, open_set, problems, refusals

    exercises, found = open_set(path.resolve(), lang)
    if exercises is not None:
        every = [*refusals(exercises, lang), *misnamed(exercises, lang), *(text for exercise in exercises for text in problems(exercise, False, lang))]
        found = list(dict.fromkeys(every))
    for text in found:
        _say(text)
    _say(messages.t("cli.check.bad", lang, count=len(found)) if found else _good(exercises, lang))
    return len(found)


def _good(exercises, lang: str) -> str:
    count = len(exercises.exercises)
    return messages.t("cli.check.good_one" if count == 1 else "cli.check.good", lang, count=count)


def _check_answers(path: Path, lang: str) -> int:
    """The public tests, as check() shows them, over a file, a folder or a zip."""
    from ffnbook.exercises import catalog
    from ffnbook.exercises.report import Report
    from ffnbook.grading.collect import Skipped, collect
    from ffnbook.grading.grade import grade as grade_one
    from ffnbook.grading.reports.words import fault_text, notes, printable
    from ffnbook.grading.sandbox import Sandbox

    try:
        course, wrong = catalog.load(), 0
    except catalog.BadSet as bad:
        _stop(bad.text(lang))
    skipped: list[Skipped] = []
    sources = list(collect([path], skipped))
    _say_not_read(skipped, lang)
    if not sources:
        _stop(messages.t("cli.grade.nothing", lang, paths=path))
    with Sandbox() as sandbox:
        for source in sources:
            if len(sources) > 1:
                _say(f"\n{printable(source.name)}")
            result = grade_one(source.name, source.bytes(), course, sandbox, seed=None)
            spoken = result.lang or lang
            if result.status != "graded":
                wrong += 1
                _say(printable(messages.t("cli.check.unreadable", spoken, name=source.name, text=fault_text(result, spoken))))
            for graded in result.graded:
                wrong += graded.status != "pass"
                _say(printable(str(Report(course.find(graded.exercise), graded.verdicts, spoken))))
            for note in notes(result, spoken):
                _say(printable(note))
    return wrong


def _say(text: str) -> None:
    typer.echo(text, err=False)


def _stop(text: str, status: int = REFUSED) -> None:
    typer.echo(text, err=True)
    sys.exit(status)
