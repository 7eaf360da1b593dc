"""The ``ffnbook`` command.  What makes the book is in ``ffnbook.site.commands``; grading is in ``ffnbook.grading.commands``."""

from __future__ import annotations

import importlib
import re
import sys

import typer

from ffnbook import messages

PARTS = ("ffnbook.site.commands", "ffnbook.grading.commands")

WRONG = {"MissingParameter": "missing", "BadParameter": "value", "NoSuchOption": "option", "BadOptionUsage": "nothing"}

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
    try:
        sys.exit(app(standalone_mode=False))
    except typer.Abort:
        sys.exit(1)
    except Exception as error:
        # by name: from one version to the next typer takes these classes from different places
        kinds = {kind.__name__ for kind in type(error).__mro__}
        if "UsageError" not in kinds:
            raise
        typer.echo(_misused(error, kinds), err=True)
        sys.exit(2)


def _misused(error: Exception, kinds: set[str]) -> str:
    """What is wrong with the command as it was given, and what next, in the language of whoever gave it."""
    if "NoArgsIsHelpError" in kinds:
        return error.message
    lang, param = messages.of_system(), getattr(error, "param", None)
    option = getattr(error, "option_name", None) or (max(param.opts, key=len) if param else "")
    why = next((why for kind, why in WRONG.items() if kind in kinds), "")
    if not why:  # plain errors, told apart by their text alone
        found = re.match(r"No such command '(?P<command>.+)'|.*extra argument.* \((?P<extra>.+)\)", error.message)
        why, option = (found.lastgroup, found[found.lastgroup]) if found else ("other", "")
    text = messages.t(f"cli.usage.{why}", lang, option=option, text=error.message)
    return f"{text} {messages.t('cli.usage.help', lang, command=error.ctx.command_path if error.ctx else 'ffnbook')}"


if __name__ == "__main__":
    main()
