"""The whole program in a pseudo-terminal, for what can only be seen from outside."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.tools.terminal import Terminal

SAMPLES = Path(__file__).parents[2] / "sample_runs"
PROGRAM = (sys.executable, "-m", "vally_tui")
DEADLINE = 120.0
"""Seconds after which a wait fails; only a broken program needs them."""

Start = Callable[..., Terminal]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts the program (or ``command``) with arguments; what still runs in the end is killed."""
    with ExitStack() as stack:

        def begin(*arguments: str | Path, command: tuple[str, ...] = PROGRAM, **options: object) -> Terminal:
            terminal = Terminal([*command, *map(str, arguments)], **options)  # type: ignore[arg-type]
            return stack.enter_context(terminal)

        yield begin


def judged(terminal: Terminal) -> Terminal:
    """The program once all of the quickstart sample is judged."""
    shown = terminal.wait(lambda screen: "6 failed" in screen.lines[0] and "…" not in screen.lines[0], DEADLINE)
    assert shown, terminal.screen.text
    return terminal


def holds(condition: Callable[[], bool], terminal: Terminal) -> bool:
    """Whether a condition holds before the deadline, while what the program writes is taken in."""
    until = time.monotonic() + DEADLINE
    while not condition() and time.monotonic() < until:
        terminal.pump(0.02)
        if terminal.ended:
            time.sleep(0.02)
    return condition()


def is_restored(terminal: Terminal) -> bool:
    """Whether the terminal is as it was: no alternate screen, no mouse reports, no bracketed paste, a cursor."""
    return not terminal.screen.modes & {"1049", "1000", "1003", "1004", "1006", "1015", "2004"}
