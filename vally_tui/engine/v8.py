"""V8 inside the worker: one evaluation at a time, stopped when it is overdue. Knows nothing of jobs or messages.

What mini-racer 0.14 asks for, each point reproduced on Linux:
- Only evaluations, and only one in flight; any synchronous call beside a running one blocks the loop for ever, so
  ``box`` and ``tidy`` refuse.
- A cancellation that arrives as its evaluation ends can stop the next one: the probe after each stop takes that
  blow, and code is evaluated once more when it was stopped by nobody. So all code given here can run twice.
- A string with a lone surrogate neither goes in nor comes out as a string: in as an ASCII literal in the code, out
  as ASCII JSON.
- The memory of a buffer belongs to JavaScript: the globals of match.js hold it for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

TICK = 0.005
"""How often, in seconds, a running evaluation is looked at."""

GRACE = 0.25
"""How long, in seconds, V8 may take to stop after it was told to."""


class Stuck(Exception):
    """V8 did not stop within the grace; only the end of the process helps."""


class Stopped(Exception):
    """The evaluation was overdue and V8 has stopped it."""


class Racer(Protocol):
    """The part of mini-racer that is used."""

    async def eval_cancelable(self, code: str) -> Any:
        """Evaluate a script; cancelling the task terminates it."""
        ...

    def low_memory_notification(self) -> None:
        """Collect garbage now."""
        ...


class V8:
    """The engine with match.js loaded."""

    def __init__(self, racer: Racer, terminated: type[Exception]) -> None:
        self._racer = racer
        self._terminated = terminated
        self._in_flight = False
        self._box: Any = None

    async def load(self, script: str) -> None:
        """Evaluate match.js, once, before anything else."""
        await self.evaluate(script + "\n0")
        self._box = await self.evaluate("BOX")

    async def buffer(self, name: str) -> memoryview:
        """The bytes of a typed array that match.js keeps in a global; they are shared, not copied."""
        return memoryview(await self.evaluate(f"{name}.buffer")).cast("B")

    def box(self, text: str) -> None:
        """Hand a string over as ``BOX.text``; it must have no lone surrogate."""
        self._refuse_beside_another()
        self._box["text"] = text

    def tidy(self) -> None:
        """Collect garbage; a few milliseconds."""
        self._refuse_beside_another()
        self._racer.low_memory_notification()

    async def evaluate(self, code: str, overdue: Callable[[], bool] = lambda: False) -> Any:
        """The value of a script; raises Stopped when ``overdue`` said so and V8 stopped, Stuck when it did not."""
        with self._flight():
            try:
                return await self._watched(code, overdue)
            except self._terminated:
                return await self._watched(code, overdue)

    async def _watched(self, code: str, overdue: Callable[[], bool]) -> Any:
        task = asyncio.ensure_future(self._racer.eval_cancelable(code))
        while not task.done():
            await asyncio.wait({task}, timeout=TICK)
            if not task.done() and overdue():
                await self._stop(task)
                raise Stopped
        return task.result()

    async def _stop(self, task: asyncio.Future[Any]) -> None:
        task.cancel()
        with suppress(asyncio.CancelledError, self._terminated):
            await task
        for _ in range(2):
            try:
                await asyncio.wait_for(self._racer.eval_cancelable("0"), GRACE)
            except self._terminated:
                continue
            except TimeoutError:
                raise Stuck from None
            return

    @contextmanager
    def _flight(self) -> Iterator[None]:
        self._refuse_beside_another()
        self._in_flight = True
        try:
            yield
        finally:
            self._in_flight = False

    def _refuse_beside_another(self) -> None:
        if self._in_flight:
            raise RuntimeError("something is being evaluated already")
