"""The worker as a process: started, written to and read from without ever blocking, ended. Knows no message's meaning."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from vally_tui.engine.frames import Frame, Splitter

_LAST_WORDS = 4096
"""Bytes kept of what the worker writes to standard error."""

_OWN_END = 0.5
"""Seconds that a worker which has closed its pipes gets to end by itself."""

_READ = 1 << 20

_WRITE = 1 << 20
"""Bytes written before the caller gets to look at other things; a worker that keeps up would take them for ever."""

# The package is found where this process found it, also when it is not installed; nothing else there gets in the way
# of the standard library.
_START = (
    "import sys; path = sys.argv.pop(1); sys.path.insert(0, path); import vally_tui; sys.path.remove(path); "
    "import vally_tui.engine.worker as worker; worker.main()"
)


class WorkerProcess:
    """One process. Raises OSError when it cannot be started."""

    def __init__(self, node_level: str) -> None:
        package = str(Path(__file__).resolve().parents[2])
        # A session of its own: ctrl+c, ctrl+z and a closed terminal reach the program, which ends its worker itself.
        self._process = subprocess.Popen(
            [sys.executable or "python3", "-P", "-c", _START, package, node_level],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        self._in, self._out, self._err = stdin.fileno(), stdout.fileno(), stderr.fileno()
        for fd in (self._in, self._out, self._err):
            os.set_blocking(fd, False)
        _widen(self._in)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._splitter = Splitter()
        self._current = memoryview(b"")
        self._waiting: deque[Iterator[bytes]] = deque()
        self._last_words = b""
        self.written = 0
        """Bytes written so far."""
        self.ended = False
        """Whether the worker's output has ended or nothing can be written to it any more."""

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def writing(self) -> bool:
        """Whether some message is not written yet."""
        return bool(self._current or self._waiting)

    def send(self, messages: Iterable[bytes]) -> None:
        """Queue messages; they are made and written while ``exchange`` runs."""
        self._waiting.append(iter(messages))

    def send_first(self, message: bytes) -> None:
        """Queue a message before all others that are not begun."""
        self._waiting.appendleft(iter((message,)))

    def exchange(self, timeout: float) -> list[Frame]:
        """Write and read what is possible, waiting at most ``timeout`` seconds for something to be possible."""
        self._fill()
        if self._current and not self.ended:
            self._poll.register(self._in, select.POLLOUT)
        try:
            ready = dict(self._poll.poll(timeout * 1000))
        finally:
            if self._current and not self.ended:
                self._poll.unregister(self._in)
        if self._in in ready:
            self._write()
        if self._err in ready:
            self._hear()
        return self._read() if self._out in ready else []

    def _fill(self) -> None:
        while not self._current and self._waiting:
            message = next(self._waiting[0], None)
            if message is None:
                self._waiting.popleft()
            else:
                self._current = memoryview(message)

    def _write(self) -> None:
        left = _WRITE
        try:
            while self._current and left > 0:
                written = os.write(self._in, self._current)
                left -= written
                self.written += written
                self._current = self._current[written:]
                self._fill()
        except BlockingIOError:
            return
        except OSError:
            # Nobody reads any more. The messages are lost, and so is the worker; what it has said is still read.
            self._current = memoryview(b"")
            self._waiting.clear()
            self.kill()

    def _hear(self) -> None:
        try:
            words = os.read(self._err, _READ)
        except BlockingIOError:
            return
        if not words:
            self._poll.unregister(self._err)
        self._last_words = (self._last_words + words)[-_LAST_WORDS:]

    def _read(self) -> list[Frame]:
        try:
            data = os.read(self._out, _READ)
        except BlockingIOError:
            return []
        if not data:
            self.ended = True
            self._poll.unregister(self._out)
        return list(self._splitter.feed(data))

    def kill(self) -> None:
        """End the process now; from any thread."""
        self._process.kill()

    def dispose(self) -> int:
        """End the process if it has not, and give back its exit status (negative: the signal that ended it)."""
        with suppress(subprocess.TimeoutExpired):
            # A worker whose pipes have ended is about to end by itself; its own status says why.
            self._process.wait(_OWN_END if self.ended else 0)
        self._process.kill()
        status = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        return status

    def last_words(self) -> str:
        """The last line that the worker wrote to standard error; "" when it wrote none."""
        lines = self._last_words.decode("utf-8", "replace").strip().split("\n")
        return lines[-1].strip()


def _widen(pipe: int) -> None:
    """Let a pipe hold as much as one slice of a text, where the system can (Linux): fewer changes between processes."""
    with suppress(AttributeError, OSError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _WRITE)
