"""The ``ffnbook`` command.  What makes the book is in ``ffnbook.site.commands``; grading is in ``ffnbook.grading.commands``."""

from __future__ import annotations

import importlib

import typer

PARTS = ("ffnbook.site.commands", "ffnbook.grading.commands")

app = typer.Typer(
    help="Inside the FFN · La FFN por dentro", no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False
)


def main() -> None:
    """Run the command, with those of its parts that are installed."""
    for part in PARTS:
        try:
            module = importlib.import_module(part)
        except ModuleNotFoundError as missing:
            if missing.name != part:
                raise
            continue
        module.register(app)
    app()


if __name__ == "__main__":
    main()
