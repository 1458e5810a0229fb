"""The terminal's size is its own: it may change at any moment, to any size, whatever the environment says of it."""

import signal

from tests.faults.conftest import DEADLINE, SAMPLES, Start, judged

SMALLEST, LARGEST = (10, 3), (200, 60)


def test_the_terminal_may_change_its_size_while_the_run_is_read(start: Start) -> None:
    exported = {"COLUMNS": "40", "LINES": "12"}
    terminal = start(SAMPLES / "quickstart", columns=200, rows=60, environment=exported)
    assert terminal.wait(lambda screen: bool(screen.text.strip()), DEADLINE)

    for size in (SMALLEST, LARGEST, (80, 24), SMALLEST, LARGEST):
        terminal.resize(*size)
        terminal.pump(0.05)

    judged(terminal).settle()
    assert terminal.screen.unpainted == []
    assert max(map(len, terminal.screen.lines)) == 200
    # There and back, too quick to be noticed as two changes: what the terminal shows is cut all the same.
    terminal.screen.resize(*LARGEST)
    terminal.signal(signal.SIGWINCH)
    assert terminal.wait(lambda screen: not screen.unpainted, DEADLINE)
    terminal.resize(*SMALLEST)
    assert terminal.wait(lambda screen: not screen.unpainted, DEADLINE)
    assert terminal.screen.text.strip()
    terminal.press("q")
    assert terminal.status(DEADLINE) == 0
    assert b"could not be drawn" not in terminal.sent
