"""The commands by name: one file each, imported when its command is given. To add one, write its file and name it here.

A command's file has ``run(arguments, engine, out, told)``: the read arguments, the engine (whose worker is already
starting), standard output and standard error. It raises VallyTuiError for what ends it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple


def _nothing(parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def _always(arguments: argparse.Namespace) -> bool:
    return True


def _grade_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--require-pass", action="store_true", help="exit with 1 unless every grader and every trial has passed"
    )


def _explain_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--trial", type=int, metavar="N", help="only trials of this index, from 0")
    parser.add_argument("--grader", required=True, metavar="K", help="the grader: its place, from 1, or its name")


def _lint_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--strict", action="store_true", help="exit with 1 if there is an error or a warning")


class Command(NamedTuple):
    """What is known of a command without importing it."""

    name: str
    usage: str
    """Its arguments in the usage line."""
    summary: str
    module: str
    needs_run: bool = True
    """Whether at least one RUN has to be given."""
    judges: Callable[[argparse.Namespace], bool] = _always
    """Whether it needs the engine, for these arguments."""
    add_arguments: Callable[[argparse.ArgumentParser], None] = _nothing
    """Adds the options that only this command has."""


COMMANDS = {
    command.name: command
    for command in (
        Command(
            "grade",
            "RUN… [-e SPEC]",
            "judge the run again, print every verdict, exit",
            "vally_tui.cli.commands.grade",
            add_arguments=_grade_options,
        ),
        Command(
            "files",
            "RUN…",
            "list the files that each trial's diff changes",
            "vally_tui.cli.commands.files",
            judges=lambda arguments: arguments.only is not None,
        ),
        Command(
            "explain",
            "RUN… --stimulus S [--trial N] --grader K",
            "say why a grader passes or fails, and what would change that",
            "vally_tui.cli.commands.explain",
            add_arguments=_explain_options,
        ),
        Command(
            "lint",
            "[RUN…] [-e SPEC]",
            "list graders that cannot be right",
            "vally_tui.cli.commands.lint",
            needs_run=False,
            add_arguments=_lint_options,
        ),
    )
}
