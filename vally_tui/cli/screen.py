"""Starts the screen: where it can be shown, and what it is started with. Imports Textual only when it is shown."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import BinaryIO

from vally_tui.cli.arguments import screen_parser
from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.options import screen_options
from vally_tui.errors import UsageError
from vally_tui.runs.discover import STDIN, newest_run_below

RESULTS_FOLDER = "vally-results"
"""Where Vally writes its runs, in the current directory."""
TERMINAL = "/dev/tty"


def runs_or_newest(runs: list[str], told: Diagnostics) -> list[str]:
    """The RUN arguments, or the newest run below ``./vally-results``; else tells the usage and raises UsageError."""
    if runs:
        return runs
    newest = newest_run_below(Path(RESULTS_FOLDER))
    if newest is None:
        told.usage(screen_parser().format_usage())
        raise UsageError(f"no RUN is given, and there is none below ./{RESULTS_FOLDER}")
    return [str(newest)]


def obstacle(runs: list[str]) -> str | None:
    """Why the screen cannot be shown, as a clause; None where it can."""
    for name, stream in (("output", sys.stdout), ("error", sys.stderr)):
        if stream is None or not stream.isatty():
            return f"standard {name} is no terminal"
    if os.environ.get("TERM") == "dumb":
        return "the terminal is a dumb one (TERM)"
    if STDIN in runs:
        return None if os.access(TERMINAL, os.R_OK | os.W_OK) else f"{TERMINAL} cannot be opened for the keys"
    return None if sys.stdin is not None and sys.stdin.isatty() else "standard input is no terminal"


def show(arguments: Namespace) -> int:
    """Show the screen until it is closed; its exit status."""
    records = _take_standard_input() if STDIN in arguments.runs else None
    _ask_terminal_for_its_size()
    # Importing Textual takes longer than all else; no command waits for it.
    from vally_tui.ui.app import run_screen

    status = run_screen(screen_options(arguments, records))
    if status == ExitStatus.HUNG_UP:
        _let_terminal_go()
    return status


def _ask_terminal_for_its_size() -> None:
    """Forget what the environment says of it: a shell that exports it is wrong once the window has another size."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


def _let_terminal_go() -> None:
    """Let what is still to be written go nowhere: the end of the process would fail on it, with another exit status."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for number in (1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)


def _take_standard_input() -> BinaryIO:
    """The records that are piped in; from here on standard input is the terminal, for the keys."""
    records = os.fdopen(os.dup(0), "rb")
    terminal = os.open(TERMINAL, os.O_RDWR)
    os.dup2(terminal, 0)
    os.close(terminal)
    return records
