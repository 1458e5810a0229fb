"""The terminal's size is its own: it may change at any moment, to any size, whatever the environment says of it."""

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
    terminal.resize(*SMALLEST)
    assert terminal.wait(lambda screen: not screen.unpainted, DEADLINE)
    assert terminal.screen.text.strip()
    terminal.press("q")
    assert terminal.status(DEADLINE) == 0
