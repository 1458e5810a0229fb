"""The words of the command line: options, usage, help. Imports nothing of the program that takes time."""

from __future__ import annotations

import argparse
import math
from argparse import Namespace
from collections.abc import Callable, Sequence
from typing import Never

from vally_tui import __version__
from vally_tui.cli.commands import COMMANDS, Command
from vally_tui.errors import UsageError

_RUN_HELP = "a run directory, an experiment, a folder of runs, a results.jsonl, or - for records on standard input"
_SCREEN_USAGE = "\n       ".join(
    [
        "vally-tui [RUN…] [-e SPEC] [options]",
        *(f"vally-tui {command.name} {command.usage} [options]" for command in COMMANDS.values()),
    ]
)
_COMMANDS_HELP = "commands:\n" + "\n".join(f"  {command.name:<22}{command.summary}" for command in COMMANDS.values())
_NOTES = (
    "A run that has the name of a command is given as ./NAME. `vally-tui COMMAND --help` tells a command's options."
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and leaves the exit to its caller."""

    def error(self, message: str) -> Never:
        raise UsageError(f"{message} (see {self.prog} --help)")


def read_command(command: Command, arguments: Sequence[str]) -> Namespace:
    """The arguments of a command; raises UsageError."""
    parser = _parser(
        f"vally-tui {command.name}", f"vally-tui {command.name} {command.usage} [options]", command.summary
    )
    parser.add_argument("runs", nargs="+" if command.needs_run else "*", metavar="RUN", help=_RUN_HELP)
    _add_shared(parser)
    parser.add_argument(
        "--output",
        choices=("text", "jsonl", "json"),
        default="text",
        help="text for people; jsonl: an object a line; json: one object",
    )
    command.add_arguments(parser)
    return _checked(parser.parse_intermixed_args(arguments))


def read_screen(arguments: Sequence[str]) -> Namespace:
    """The arguments of the screen; raises UsageError."""
    parser = screen_parser()
    return _checked(parser.parse_intermixed_args(arguments))


def screen_parser() -> argparse.ArgumentParser:
    """The parser of the screen's options, which also knows the usage of the whole program."""
    parser = _parser(
        "vally-tui",
        _SCREEN_USAGE,
        "Triage failed Vally evals: see what every grader matched, change its pattern, watch every verdict follow. "
        "Without a RUN the newest run below ./vally-results is opened.",
        f"{_COMMANDS_HELP}\n\n{_NOTES}",
    )
    parser.add_argument("runs", nargs="*", metavar="RUN", help=_RUN_HELP)
    _add_shared(parser)
    parser.add_argument("--theme", metavar="NAME", help="the colours of the screen, such as vally-dark or vally-light")
    return parser


def _parser(prog: str, usage: str, description: str, epilog: str | None = None) -> _Parser:
    return _Parser(
        prog=prog,
        usage=usage,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_shared(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("-e", "--eval-spec", dest="spec", metavar="SPEC", help="judge by this spec's graders, not by the recorded ones")
    add("--run-dir", metavar="DIR", help="look up recorded diff files in this folder (with one RUN)")
    add("--stimulus", action="append", default=[], metavar="NAME", help="only trials of this stimulus; can be repeated")
    add("--model", action="append", default=[], metavar="NAME", help="only trials of this model; can be repeated")
    add("--only", choices=("failed", "error", "flipped"), help="show only trials in which a grader says fail, that are "
        "in error or lack evidence, or whose verdict differs from the recorded one")  # fmt: skip
    add("--timeout", type=_positive("seconds"), metavar="SECONDS", help="time limit of a pattern on a text (default 1)")
    add("--node-level", choices=("auto", "20", "24"), default="auto",
        help="which Node's JavaScript the patterns may use (default auto: the one on this machine)")  # fmt: skip
    add("--max-diff", type=_positive("megabytes"), default=256.0, metavar="MB",
        help="refuse recorded diff files above this size (default 256)")  # fmt: skip
    add("--debug", action="store_true", help="show the traceback of an error")
    add("--version", action="version", version=f"vally-tui {__version__}")


def _positive(unit: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not (0 < number < math.inf):
            raise argparse.ArgumentTypeError(f"wants {unit} above 0, not {text!r}")
        return number

    return read


def _checked(arguments: Namespace) -> Namespace:
    if arguments.run_dir is not None and len(arguments.runs) > 1:
        raise UsageError(f"--run-dir serves one RUN, but {len(arguments.runs)} are given: give one")
    return arguments
