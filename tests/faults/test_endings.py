"""However the program ends: the terminal is given back, the worker ends, unsaved edits are kept, and its status says why."""

import os
import signal
from pathlib import Path

import pytest

from tests.faults.conftest import DEADLINE, PROGRAM, SAMPLES, Start, holds, is_restored, judged
from tests.tools.terminal import Terminal, is_alive

BROKEN = """
import sys
from vally_tui.ui.screens import triage
from vally_tui.cli.main import main

def break_(screen):
    evidence = "SECRET EVIDENCE"
    raise RuntimeError(evidence)

real = triage.TriageScreen.__init__
def init(self, *arguments, **options):
    real(self, *arguments, **options)
    self.handlers.deeds["diff.wrap"] = break_
triage.TriageScreen.__init__ = init
sys.exit(main(sys.argv[1:]))
"""
THREAD_BREAKS = BROKEN.replace("raise ", "import threading; threading.Thread(target=go).start()  # ").replace(
    "def break_", 'def go():\n    raise RuntimeError("SECRET EVIDENCE")\n\ndef break_'
)

READER_BREAKS = """
import sys
from vally_tui.cli.main import main
from vally_tui.ui.keyboard import Keyboard

real = Keyboard.process_message
def process(keyboard, message):
    if getattr(message, "key", "") == "w":
        evidence = "SECRET EVIDENCE"
        raise RuntimeError(evidence)
    real(keyboard, message)
Keyboard.process_message = process
sys.exit(main(sys.argv[1:]))
"""


def gone(pids: list[int], terminal: Terminal) -> bool:
    """Whether none of these processes runs after a moment."""
    return holds(lambda: not any(map(is_alive, pids)), terminal)


def journals(terminal: Terminal) -> list[Path]:
    """The files in which unsaved edits are kept."""
    return list(terminal.home.rglob("journal/*.json"))


def edited(terminal: Terminal) -> Terminal:
    """The program with the pattern of the failing grader changed, kept in the journal, not saved."""
    judged(terminal).press("e")
    assert terminal.wait_for("keep the edit", DEADLINE), terminal.screen.text
    terminal.press("x")
    assert terminal.wait_for("1 unsaved", DEADLINE), terminal.screen.text
    assert holds(lambda: bool(journals(terminal)), terminal)
    return terminal


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_ends_the_program_and_gives_the_terminal_back(start: Start, number: int, status: int) -> None:
    terminal = judged(start(SAMPLES / "quickstart"))
    workers = terminal.children()
    assert workers

    terminal.signal(number)

    assert terminal.status(DEADLINE) == status
    assert is_restored(terminal)
    assert gone(workers, terminal)
    assert "Traceback" not in terminal.screen.text


def test_a_signal_while_the_program_starts_ends_it_too(start: Start) -> None:
    terminal = start(SAMPLES / "quickstart")
    assert terminal.wait(lambda screen: bool(screen.text.strip()), DEADLINE)

    terminal.signal(signal.SIGTERM)

    assert terminal.status(DEADLINE) == 143
    assert is_restored(terminal)


def test_a_closed_terminal_ends_program_and_worker(start: Start) -> None:
    terminal = judged(start(SAMPLES / "quickstart"))
    workers = terminal.children()

    terminal.hang_up()

    assert terminal.status(DEADLINE) == 129
    assert gone(workers, terminal)
    assert list(terminal.home.rglob("error-*")) == []


@pytest.mark.parametrize("ending", ["SIGKILL", "SIGTERM", "closed terminal"])
def test_unsaved_edits_outlive_every_ending_and_are_offered_again(start: Start, ending: str) -> None:
    terminal = edited(start(SAMPLES / "quickstart"))
    workers = terminal.children()

    terminal.hang_up() if ending == "closed terminal" else terminal.signal(getattr(signal, ending))

    assert terminal.status(DEADLINE) is not None
    assert gone(workers, terminal)
    (journal,) = journals(terminal)
    assert journal.stat().st_mode & 0o777 == 0o600
    assert journal.parent.stat().st_mode & 0o777 == 0o700
    again = start(SAMPLES / "quickstart", environment={"HOME": str(terminal.home)})
    assert again.wait_for("Unsaved edits", DEADLINE), again.screen.text


def test_the_program_stops_and_goes_on_as_the_shell_wants(start: Start) -> None:
    terminal = judged(start(SAMPLES / "quickstart"))

    terminal.press("ctrl+z")
    assert holds(lambda: is_stopped(terminal.pid) and is_restored(terminal), terminal)
    terminal.signal(signal.SIGCONT)

    assert terminal.wait(lambda screen: "1049" in screen.modes and "6 failed" in screen.lines[0], DEADLINE)
    terminal.press("q")
    assert terminal.status(DEADLINE) == 0


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.parametrize(
    "code", [BROKEN, THREAD_BREAKS, READER_BREAKS], ids=["in a key", "in a thread", "in reading keys"]
)
def test_a_fault_of_the_program_ends_with_a_report_that_quotes_no_evidence(start: Start, code: str) -> None:
    terminal = edited(start(SAMPLES / "quickstart", command=(PROGRAM[0], "-c", code)))
    workers = terminal.children()
    terminal.press("escape")
    assert terminal.wait(lambda screen: "keep the edit" not in screen.text, DEADLINE)

    terminal.press("w")

    assert terminal.status(DEADLINE) == 2
    assert is_restored(terminal)
    assert gone(workers, terminal)
    assert b"the program has a fault (RuntimeError)" in terminal.sent
    (report,) = terminal.home.rglob("error-*.txt")
    said = report.read_text()
    assert "RuntimeError" in said
    assert "SECRET EVIDENCE" not in said
    assert b"SECRET EVIDENCE" not in terminal.sent
    assert report.stat().st_mode & 0o777 == 0o600
    assert journals(terminal)


def test_bytes_that_are_no_text_are_keys_like_others(start: Start) -> None:
    terminal = judged(start(SAMPLES / "quickstart"))
    terminal.press("e")
    assert terminal.wait_for("keep the edit", DEADLINE)
    terminal.settle()

    terminal.write(b"caf\xe9\x1b[200~\xffpasted\x1b[201~")

    assert terminal.wait_for("caf\ufffd\ufffdpasted", DEADLINE), terminal.screen.text
    assert not terminal.ended


def test_a_worker_that_is_killed_time_and_again_is_replaced(start: Start) -> None:
    terminal = judged(start(SAMPLES / "quickstart"))
    terminal.press("e")
    assert terminal.wait_for("keep the edit", DEADLINE)
    for character in "xyz":
        for worker in terminal.children():
            os.kill(worker, signal.SIGKILL)
        terminal.press(character)
        terminal.settle(0.3)

    assert terminal.wait(lambda screen: "now fail" in screen.text and " waiting" not in screen.text, DEADLINE)
    assert not terminal.ended
