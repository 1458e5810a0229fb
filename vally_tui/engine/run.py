"""One run of jobs inside the worker: in order, each within its limit, reported as they finish. Owns no texts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from vally_tui.engine.buffers import Buffers
from vally_tui.engine.frames import Frame
from vally_tui.engine.shelf import Shelf
from vally_tui.engine.v8 import V8, Stopped, Stuck

_SIGN_OF_LIFE = 0.25
"""Seconds without an answer after which an empty one is sent."""

Send = Callable[[dict[str, Any], bytes], None]


async def compile_patterns(v8: V8, patterns: list[list[str]], jobs: int = 0) -> list[str | None]:
    """Begin a run of so many jobs for these patterns; gives V8's message for each pattern that it refuses."""
    messages: list[str | None] = json.loads(await v8.evaluate(f"begin({json.dumps(patterns)},{jobs})"))
    return messages


class Run:
    """The jobs of one run message."""

    def __init__(
        self, frame: Frame, v8: V8, buffers: Buffers, shelf: Shelf, send: Send, cancelled: Callable[[int], bool]
    ) -> None:
        self._frame = frame
        self._number: int = frame.header["run"]
        self._size: int = frame.header["size"]
        self._v8 = v8
        self._buffers = buffers
        self._shelf = shelf
        self._send = send
        self._is_cancelled = cancelled
        self._reported = 0
        self._said, self._since = time.monotonic(), time.process_time()
        self._place = (-1, False)

    async def complete(self) -> None:
        """Do all jobs, then say done; less when it is cancelled. Raises Stuck after saying at which job."""
        if not self._cancelled():
            await self._begin()
        while not self._cancelled() and self._buffers.finished < self._size:
            try:
                await self._go()
            except Stuck:
                self._say_stuck()
                raise
        self._send({"is": "done", "run": self._number}, b"")

    def _cancelled(self) -> bool:
        return self._is_cancelled(self._number)

    async def _begin(self) -> None:
        self._buffers.put_jobs(self._frame.body)
        messages = await compile_patterns(self._v8, self._frame.header["patterns"], self._size)
        if any(messages):
            self._send({"is": "invalid", "run": self._number, "messages": messages}, b"")

    async def _go(self) -> None:
        """Let V8 work until it is through, out of room for spans, or stopped at a job that takes too long."""
        self._place, self._since = (-1, False), time.process_time()
        try:
            await self._v8.evaluate("go()", self._overdue)
        except Stopped:
            # Between the decision and the stop V8 may have gone on to the next job, which is innocent.
            if not self._cancelled() and self._buffers.in_work == self._place[0] == self._buffers.finished:
                self._buffers.give_up(self._place[0])
        self._report_without_errors()
        if self._reported < self._buffers.finished:
            self._say(self._buffers.finished, json.loads(await self._v8.evaluate("errors()")))
        if self._buffers.finished < self._size:
            await self._v8.evaluate("drained()")

    def _overdue(self) -> bool:
        """Called at each tick: report what is finished, and judge the job in work.

        By the processor's time that this process has used: on a busy machine a search may have waited most of the seconds
        on the clock, and a verdict must not depend on what else is running.
        """
        self._report_without_errors()
        now = time.process_time()
        place = (self._buffers.in_work, self._buffers.counting)
        if place != self._place:
            self._place, self._since = place, now
        return self._cancelled() or now - self._since > self._buffers.limit(place[0])

    def _report_without_errors(self) -> None:
        """V8's messages cannot be asked for while it works, so the first error has to wait, and all behind it."""
        end = self._buffers.first_error(self._reported, self._buffers.finished)
        if end > self._reported or time.monotonic() - self._said > _SIGN_OF_LIFE:
            self._say(end, [])

    def _say(self, end: int, errors: list[list[Any]]) -> None:
        results = self._buffers.results(self._reported, end, self._shelf)
        header = {
            "is": "answers",
            "run": self._number,
            "first": self._reported,
            "jobs": end - self._reported,
            "spans": len(results.starts),
            "errors": errors,
        }
        self._send(header, results.to_bytes())
        self._reported, self._said = end, time.monotonic()

    def _say_stuck(self) -> None:
        job, counting = self._buffers.in_work, self._buffers.counting
        self._report_without_errors()
        if not self._cancelled() and self._reported == job:
            self._buffers.give_up(job)
            self._say(job + 1, [])
        self._send({"is": "stuck", "run": self._number, "job": job, "counting": counting}, b"")
