"""The commands of ``ffnbook`` that make the book: ``build``, ``serve``, ``vendor``, ``parity``, ``notebooks``."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Annotated

import typer

from ffnbook import messages

LIVE = Annotated[bool, typer.Option("--live/--no-live", help="With “Run this page” · Con «Ejecutar esta página».")]
PORT = Annotated[int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1 · Puerto en 127.0.0.1.")]


def register(app: typer.Typer) -> None:
    for command in (build, serve, vendor, parity, notebooks):
        app.command()(for_author(command))


def for_author(command: Callable) -> Callable:
    """The command, in the language of whoever gives it; Ctrl-C is no fault."""

    @wraps(command)
    def spoken(*args, **kwargs):
        messages.set_language(messages.of_system())
        try:
            return command(*args, **kwargs)
        except messages.Unreadable as error:
            typer.echo(error, err=True)
            raise typer.Exit(1) from None
        except KeyboardInterrupt:
            typer.echo(messages.t("building.interrupted"), err=True)
            raise typer.Exit(130) from None

    return spoken


def build(live: LIVE = True) -> None:
    """Build the whole site into _build/site · Construye el sitio en _build/site."""
    from ffnbook.site.build import build as run

    _with_live(live)
    raise typer.Exit(run(typer.echo))


def _with_live(wanted: bool) -> None:
    if not wanted:
        os.environ["FFNBOOK_LIVE"] = "0"


def vendor() -> None:
    """Fetch what “Run this page” sends to the browser · Trae lo que «Ejecutar esta página» envía al navegador."""
    from ffnbook.site.live.vendor import fetch_all

    raise typer.Exit(fetch_all(typer.echo))


def serve(port: PORT = 8000, once: bool = False, live: LIVE = True) -> None:
    """Build, serve and rebuild on every change · Construye, sirve y reconstruye."""
    from ffnbook.site.serve import serve as run

    _with_live(live)
    raise typer.Exit(run(typer.echo, port, live=not once))


def parity(
    pages: Annotated[list[str] | None, typer.Argument(help="With --agree: which pages; all if none · Qué páginas.")] = None,
    agree: Annotated[bool, typer.Option("--agree", help="Both languages now say the same · Ambas dicen lo mismo.")] = False,
) -> None:
    """Compare the two languages, and check the sources · Compara los dos idiomas y revisa las fuentes."""
    from ffnbook.site.authoring.sources import run

    raise typer.Exit(run(["--agree", *(pages or [])] if agree else []))


def notebooks(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if any is not current · No escribe nada.")] = False,
) -> None:
    """Write the learner's notebooks, exercises/es and exercises/en · Escribe los cuadernos de ejercicios."""
    from ffnbook.exercises import catalog
    from ffnbook.exercises import notebooks as learners
    from ffnbook.messages import t
    from ffnbook.site import address

    try:
        changed = learners.outdated() if check else learners.write(repository=address.repository())
    except catalog.BadSet as bad:
        typer.echo(bad, err=True)
        raise typer.Exit(1) from None
    for path in changed:
        shown = path.relative_to(learners.ROOT).as_posix()
        typer.echo(t("questions.notebooks.outdated" if check else "questions.notebooks.written", path=shown), err=check)
    if not changed:
        typer.echo(t("questions.notebooks.current"))
    raise typer.Exit(1 if check and changed else 0)
