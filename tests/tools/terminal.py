"""Runs a program in a real pseudo-terminal, as a person's terminal would: keys go in, frames come out with their times.

The terminal answers the question for synchronised output, so that Textual marks the end of each frame. Used by the
benchmark and by the tests on faults.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.tools.screen_text import ScreenText

FRAME_END = b"\x1b[?2026l"
_SYNC_QUESTION, _SYNC_ANSWER = b"\x1b[?2026$p", b"\x1b[?2026;2$y"

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "down": "\x1b[B",
    "up": "\x1b[A",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "backspace": "\x7f",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}
"""Key -> what a terminal sends; any other key is its own character."""

ROOT = Path(__file__).resolve().parents[2]


class Terminal:
    """One program in one pseudo-terminal; a context manager that kills it in the end."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 120,
        rows: int = 40,
        environment: Mapping[str, str | None] | None = None,
        folder: Path = ROOT,
    ) -> None:
        """``environment``: what is set beside a plain colour terminal's; None takes a variable away."""
        self._screen = ScreenText(columns, rows)
        self._unread = bytearray()
        """What has come since somebody looked at the screen. A program does not wait for its terminal to understand it."""
        self.sent = bytearray()
        """Everything the program has written."""
        self.ended = False
        """Whether nothing can come any more."""
        self.frame_at = 0.0
        """When the last whole frame had come (``time.perf_counter``)."""
        self.byte_at = 0.0
        self.frames = 0
        self._tail = b""
        self._status: int | None = None
        self._answered = False
        self.home = Path(tempfile.mkdtemp(prefix="vally-tui-home-"))
        """The program's home, empty at first, so that it finds no configuration and no journal of anybody."""
        given = {**os.environ, **_terminal(self.home), **(environment or {})}
        variables = {name: value for name, value in given.items() if value is not None}
        self.started_at = time.perf_counter()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            _become(command, variables, folder, columns, rows)
        self._set_size(columns, rows)
        os.set_blocking(self.fd, False)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def screen(self) -> ScreenText:
        """What is on the screen now."""
        if self._unread:
            self._screen.feed(bytes(self._unread))
            self._unread.clear()
        return self._screen

    # What the person does

    def press(self, *keys: str) -> None:
        """Send keys, by name or as their own characters."""
        self.write("".join(KEYS.get(key, key) for key in keys).encode())

    def write(self, data: bytes) -> None:
        """Send bytes."""
        while data:
            with suppress(BlockingIOError):
                data = data[os.write(self.fd, data) :]

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(columns, rows)
        self._set_size(columns, rows)

    def signal(self, number: int) -> None:
        """Send a signal to the program alone."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        os.close(self.fd)
        self.fd = -1
        self.ended = True

    # What comes

    def pump(self, timeout: float) -> bytes:
        """Take in what has come, waiting at most so many seconds for it."""
        if self.ended:
            return b""
        if not select.select([self.fd], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.fd, 1 << 20)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        now = time.perf_counter()
        if not data:
            self.ended = True
            return b""
        self.byte_at = now
        self._take(data, now)
        return data

    def _take(self, data: bytes, now: float) -> None:
        self.sent += data
        seen = self._tail + data
        self._tail = seen[-len(FRAME_END) + 1 :]
        frames = seen.count(FRAME_END)
        if frames:
            self.frames += frames
            self.frame_at = now
        if not self._answered and _SYNC_QUESTION in self.sent:
            self._answered = True
            self.write(_SYNC_ANSWER)
        self._unread += data

    def wait(self, condition: Callable[[ScreenText], bool], timeout: float = 30.0) -> float | None:
        """Until the screen is so; the moment (``perf_counter``) at which its bytes had come, None when time is up."""
        until = time.perf_counter() + timeout
        if condition(self.screen):
            return self.byte_at
        while time.perf_counter() < until and not self.ended:
            if self.pump(0.02) and condition(self.screen):
                return self.byte_at
        return None

    def wait_for(self, text: str, timeout: float = 30.0) -> float | None:
        """As ``wait``, for a text on the screen."""
        return self.wait(lambda screen: text in screen.text, timeout)

    def settle(self, quiet: float = 0.3, timeout: float = 30.0) -> bool:
        """Until nothing has come for a while; whether that was so before time was up."""
        until = time.perf_counter() + timeout
        last = time.perf_counter()
        while time.perf_counter() < until and not self.ended:
            if self.pump(0.02):
                last = time.perf_counter()
            elif time.perf_counter() - last > quiet:
                return True
        return self.ended

    def frame_after(self, key: str, timeout: float = 5.0) -> float | None:
        """Press a key; seconds until the next whole frame has come, None where none came."""
        while self.pump(0.0):
            pass
        before, pressed = self.frames, time.perf_counter()
        self.press(key)
        while time.perf_counter() - pressed < timeout and not self.ended:
            self.pump(0.005)
            if self.frames > before:
                return self.frame_at - pressed
        return None

    # The process

    def status(self, timeout: float = 10.0) -> int | None:
        """The exit status once the program has ended (negative: the signal); None while it runs still."""
        until = time.perf_counter() + timeout
        while self._status is None and time.perf_counter() < until:
            if not self.ended:
                self.pump(0.01)
            else:
                time.sleep(0.01)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
                while self.fd >= 0 and self.pump(0.0):
                    pass
        return self._status

    def cpu(self) -> float:
        """Milliseconds that the program's main thread has worked so far, whatever else keeps the machine busy (Linux)."""
        with suppress(OSError, ValueError):
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[0]) / 1e6
        return 0.0

    def children(self) -> list[int]:
        """The processes that the program has started, by id."""
        return children_of(self.pid)

    def close(self) -> None:
        """Kill the program and give everything back."""
        if self._status is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(self.pid, 0)
            self._status = -signal.SIGKILL
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        shutil.rmtree(self.home, ignore_errors=True)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _terminal(home: Path) -> dict[str, str | None]:
    """The variables of a plain colour terminal; None takes one away."""
    return {
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "NO_COLOR": None,
        # They would say more than the terminal itself about its size.
        "COLUMNS": None,
        "LINES": None,
        # As installed: what was compiled once is not compiled again.
        "PYTHONDONTWRITEBYTECODE": None,
        "PYTHONPATH": str(ROOT),
        "HOME": str(home),
        "XDG_STATE_HOME": None,
        "XDG_CONFIG_HOME": None,
    }


def _become(command: Sequence[str], variables: Mapping[str, str], folder: Path, columns: int, rows: int) -> None:
    """In the child: be the program; never comes back."""
    try:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.chdir(folder)
        os.execvpe(command[0], command, dict(variables))
    finally:
        os._exit(127)


def children_of(pid: int) -> list[int]:
    """Ids of a process's children (Linux)."""
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += [int(child) for child in (task / "children").read_text().split()]
    return children


def is_alive(pid: int) -> bool:
    """Whether a process runs: it is there and no zombie (Linux)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def megabytes_of(pid: int, field: str = "VmRSS") -> float:
    """Memory of a process as the system counts it (Linux); 0 where it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().split("\n"):
            if line.startswith(field + ":"):
                return int(line.split()[1]) / 1024
    return 0.0
