"""The program's start and its end: chooses screen or command, catches every error in one place, gives the exit status.

Nothing that takes time is imported before it is known what is wanted. The engine's worker is started before all other
imports, so that both run at the same time.
"""

from __future__ import annotations

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from vally_tui.cli.arguments import read_command, read_screen
from vally_tui.cli.commands import COMMANDS, Command
from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.output import Output
from vally_tui.errors import UsageError, VallyTuiError

if TYPE_CHECKING:
    from vally_tui.engine.client import Engine
    from vally_tui.triage.options import NodeSetting


def run() -> None:
    """The ``vally-tui`` script."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for; the exit status."""
    out, told = Output(sys.stdout), Diagnostics(sys.stderr)
    debug = "--debug" in arguments
    try:
        _start(arguments, out, told)
        out.flush()
    except VallyTuiError as error:
        _tell(error, debug, out, told)
    except KeyboardInterrupt:
        out.abandon()
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        out.abandon()
        return ExitStatus.READER_GONE
    except Exception as error:  # noqa: BLE001 - the one catch site: what nobody foresaw becomes a report
        _report(error, debug, out, told)
    return told.status


def _start(arguments: Sequence[str], out: Output, told: Diagnostics) -> None:
    command = COMMANDS.get(arguments[0]) if arguments else None
    if arguments and command is None:
        _refuse_mistyped(arguments[0])
    try:
        read = read_screen(arguments) if command is None else read_command(command, arguments[1:])
    except SystemExit:
        # --help and --version have printed what was asked for.
        return
    if command is None:
        _show_screen(read, out, told)
    else:
        _run(command, read, out, told)


def _refuse_mistyped(first: str) -> None:
    """Raise UsageError where the first argument is nothing that is there, but nearly a command's name."""
    if first.startswith("-") or os.path.lexists(first):
        return
    # Here, as hardly any call needs it.
    from difflib import get_close_matches

    for meant in get_close_matches(first, COMMANDS, 1, 0.7):
        raise UsageError(f"{first} is not there: did you mean {meant}?")


def _run(command: Command, arguments: Namespace, out: Output, told: Diagnostics) -> None:
    # A command ends soon and makes hardly any garbage in cycles, but many values that looking for it would visit.
    gc.set_threshold(200_000, 50, 100)
    with _engine(arguments.node_level) if command.judges(arguments) else nullcontext() as engine:
        import_module(command.module).run(arguments, engine, out, told)


def _engine(setting: NodeSetting) -> AbstractContextManager[Engine]:
    """The engine. Its worker starts before anything else is imported, so that both take their time together."""
    from vally_tui.engine.supervisor import Supervisor

    level: Literal["auto", 20, 24] = "auto" if setting == "auto" else 20 if setting == "20" else 24
    supervisor = Supervisor(level)
    supervisor.start()
    try:
        from vally_tui.engine.client import Engine

        return Engine(level, supervisor=supervisor)
    except BaseException:
        supervisor.close()
        raise


def _show_screen(arguments: Namespace, out: Output, told: Diagnostics) -> None:
    from vally_tui.cli import screen

    arguments.runs = screen.runs_or_newest(arguments.runs, told)
    obstacle = screen.obstacle(arguments.runs)
    if obstacle is None:
        status = screen.show(arguments)
        if status in (ExitStatus.INTERRUPTED, ExitStatus.HUNG_UP, ExitStatus.TERMINATED):
            told.found(ExitStatus(status))
        elif status != ExitStatus.JUDGED:
            told.found(ExitStatus.UNUSABLE)
        return
    told.note(f"{obstacle}, so this is the text report instead of the screen")
    arguments.output, arguments.require_pass = "text", False
    _run(COMMANDS["grade"], arguments, out, told)


def _tell(error: VallyTuiError, debug: bool, out: Output, told: Diagnostics) -> None:
    """End with what a person can mend; what was printed before stays."""
    told.error(str(error))
    if debug:
        told.trace(error)
    _flush(out)


def _report(error: Exception, debug: bool, out: Output, told: Diagnostics) -> None:
    """End with a bug of the program."""
    from vally_tui.cli.crash import write_report

    report = write_report(error)
    where = f"{report} says where; please report it" if report is not None else "run it again with --debug"
    told.error(f"the program has a fault ({type(error).__name__}): {where}")
    if debug:
        told.trace(error)
    _flush(out)


def _flush(out: Output) -> None:
    try:
        out.flush()
    except (VallyTuiError, BrokenPipeError):
        # There is an error to tell already.
        out.abandon()
