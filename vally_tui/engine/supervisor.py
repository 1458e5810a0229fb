"""The worker's life: started, watched, replaced when it ends, given up when it cannot be started. Knows no searches."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Iterable
from typing import Literal, NamedTuple

from msgspec import Struct

from vally_tui.engine.frames import Frame
from vally_tui.engine.node import NodeLevel
from vally_tui.engine.process import WorkerProcess
from vally_tui.errors import EngineUnavailable

_START_TIME = 30.0
"""Seconds that a worker may take to be ready."""

_SILENCE = 10.0
"""Seconds without a sign of life from a worker that has something to do, after which it is taken for frozen."""

_STARTS, _KILLED_STARTS = 3, 10
"""Starts in a row that may fail; more when somebody kills the workers, which says nothing against the next one."""

_LOOK = 0.01
"""Seconds between two looks at a worker that is starting."""

_FROM_OUTSIDE = {0, -signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT}
"""Exit statuses that say nothing against the search in work; 0 is a worker whose pipe was closed."""

_INSTALL = "Install it again: python -m pip install --force-reinstall 'mini-racer>=0.14.1,<0.15'"


class Ready(Struct, frozen=True):
    """What a worker says once it is ready."""

    v8: str
    level: NodeLevel
    modifiers: bool


class End(Struct, frozen=True):
    """How a worker ended."""

    blameless: bool
    """What it was asked to do has no part in it: it was not ready yet, or V8 was stuck, which is settled already."""
    own: bool
    """It was its own doing, such as V8 out of memory; else somebody killed it."""
    message: str


class News(NamedTuple):
    """What came from the worker."""

    frames: list[Frame]
    end: End | None = None
    """The worker has ended, and another is starting in its place."""


class Supervisor:
    """Always has a worker, unless none can be started."""

    def __init__(self, level: NodeLevel | Literal["auto"]) -> None:
        self._level: NodeLevel | Literal["auto"] = level
        self._worker: WorkerProcess | None = None
        self._ready: Ready | None = None
        self._failure = ""
        """Why no worker can be started; "" as long as one may."""
        self._reason = ""
        """What the worker said of its failing."""
        self._missing = False
        self._stuck = False
        self._failed_starts = 0
        self._quiet = 0.0
        self._kept: deque[News] = deque()
        self._hands = threading.Lock()
        self.restarts = 0
        self.closed = False

    def start(self) -> None:
        """Start a worker when there is none, without waiting for it, also after earlier ones could not be started."""
        with self._hands:
            self._failure, self._failed_starts = "", 0
            self._start()

    def ensure(self) -> None:
        """Have a worker to send to, unless none can be started; ``exchange`` says so."""
        with self._hands:
            self._start()

    def _start(self) -> None:
        if self._worker is not None or self._failure or self.closed:
            return
        self._ready, self._reason, self._stuck, self._quiet = None, "", False, 0.0
        try:
            self._worker = WorkerProcess(str(self._level))
        except OSError as error:
            self._failure = f"V8's process cannot be started: {error}."

    def send(self, messages: Iterable[bytes]) -> None:
        """Queue messages; they are lost when the worker ends."""
        if self._worker is not None:
            self._worker.send(messages)

    def send_first(self, message: bytes) -> None:
        """Queue a message before the others."""
        if self._worker is not None:
            self._worker.send_first(message)

    @property
    def writing(self) -> bool:
        """Whether messages wait to be written."""
        return self._worker is not None and self._worker.writing

    def exchange(self, timeout: float, expecting: bool) -> News:
        """Write and read for at most ``timeout`` seconds.

        ``expecting``: the worker has something to do, so silence is suspicious. Raises EngineUnavailable when no worker
        can be started.
        """
        with self._hands:
            return self._kept.popleft() if self._kept else self._exchange(timeout, expecting)

    def _exchange(self, timeout: float, expecting: bool) -> News:
        if self.closed:
            return News([])
        self._start()
        if self._failure or self._worker is None:
            raise EngineUnavailable(self._failure)
        frames = self._watched(self._worker, timeout, expecting)
        for frame in frames:
            self._note(frame)
        end = self._bury(self._worker) if self._worker.ended else None
        if end is not None:
            self._start()
        if self._failure:
            raise EngineUnavailable(self._failure)
        return News(frames, end)

    def _watched(self, worker: WorkerProcess, timeout: float, expecting: bool) -> list[Frame]:
        written, before = worker.written, time.monotonic()
        frames = worker.exchange(timeout)
        if frames or not expecting or worker.written != written:
            self._quiet = 0.0
        else:
            self._quiet += time.monotonic() - before
        if self._quiet > (_SILENCE if self._ready else _START_TIME):
            worker.kill()
        return frames

    def _note(self, frame: Frame) -> None:
        match frame.header["is"]:
            case "ready":
                header = frame.header
                self._ready = Ready(header["v8"], header["level"], header["modifiers"])
                self._failed_starts = 0
                self._level = self._ready.level
                if self._ready.modifiers is (self._ready.level == 20):
                    self._failure = (
                        f"V8 {self._ready.v8} does not follow the rules of Node {self._ready.level}. {_INSTALL}"
                    )
            case "failed":
                self._reason = frame.header["message"].partition("\n")[0]
                self._missing = frame.header["missing"]
            case "stuck":
                self._stuck = True

    def _bury(self, worker: WorkerProcess) -> End:
        status = worker.dispose()
        reason = self._reason or worker.last_words() or f"exit status {status}"
        self._worker = None
        self.restarts += 1
        own = status not in _FROM_OUTSIDE
        if self._ready is None:
            self._count_failed_start(reason, _STARTS if own else _KILLED_STARTS)
        return End(self._stuck or self._ready is None, own, f"V8's process ended while it searched ({reason})")

    def _count_failed_start(self, reason: str, allowed: int) -> None:
        self._failed_starts += 1
        if self._missing:
            self._failure = (
                f"V8 cannot be used, since the package mini-racer is missing or broken: {reason}. {_INSTALL}"
            )
        elif self._failed_starts >= allowed:
            self._failure = (
                f"V8's process ended {self._failed_starts} times while it was starting: {reason}. {_INSTALL}"
            )

    def ready(self) -> Ready:
        """What the worker says of itself, waiting for it if it is still starting; raises EngineUnavailable."""
        while self._ready is None:
            if self.closed:
                raise EngineUnavailable("The engine is closed.")
            with self._hands:
                # A search under way gets its messages later.
                self._kept.append(self._exchange(_LOOK, expecting=True))
        return self._ready

    @property
    def pid(self) -> int:
        """The worker's process id; 0 when there is none."""
        return self._worker.pid if self._worker is not None else 0

    def close(self) -> None:
        """End the worker, from any thread; nothing is started any more."""
        self.closed = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        with self._hands:
            if self._worker is not None:
                self._worker.dispose()
                self._worker = None
