"""A terminal that is closed while the screen is shown: a quiet end with 129, no report, no worker left."""

import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
QUICKSTART = ROOT / "sample_runs" / "quickstart"
SCREEN = [sys.executable, "-m", "vally_tui", str(QUICKSTART)]
# The session's leader alone is told of the hangup; it writes down how the screen, its child, ended.
LEADER = """
import pathlib, signal, subprocess, sys
signal.signal(signal.SIGHUP, lambda *_: None)
status = subprocess.call(sys.argv[2:])
pathlib.Path(sys.argv[1]).write_text(str(status))
sys.exit(status)
"""


def start(command: list[str], home: Path) -> tuple[int, int]:
    """The process and the terminal of a command with an own home."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(ROOT)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        os.execvpe(command[0], command, environment | {"TERM": "xterm-256color", "HOME": str(home)})
    return process, terminal


def read_until(terminal: int, word: bytes) -> None:
    """Read what is shown until a word comes that is written in one piece."""
    shown, until = b"", time.monotonic() + 60
    while word not in shown:
        assert time.monotonic() < until, shown[-2000:]
        if select.select([terminal], [], [], 0.5)[0]:
            shown += os.read(terminal, 1 << 16)


def ended(process: int) -> int:
    """The exit status; a process that does not end is killed and fails the test."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(process, 9)
    os.waitpid(process, 0)
    raise AssertionError("the program went on without its terminal")


@pytest.mark.parametrize("signalled", [True, False])
def test_a_closed_terminal_is_a_quiet_end(tmp_path: Path, signalled: bool) -> None:
    home, said = tmp_path / "home", tmp_path / "status"
    home.mkdir()
    command = SCREEN if signalled else [sys.executable, "-c", LEADER, str(said), *SCREEN]
    process, terminal = start(command, home)
    read_until(terminal, b"fix-divide-by-zero")
    if not signalled:
        # Without the signal it is the next frame that meets the closed terminal.
        os.write(terminal, b"j" * 20)
    os.close(terminal)
    assert ended(process) == 129
    assert signalled or said.read_text() == "129"
    assert list(home.rglob("error-*")) == []
