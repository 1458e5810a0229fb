"""The engine: answers searches with V8 in a worker process. Owns the order of things; the rest is beside it.

Rules:
- One request at a time; a newer request, from whichever thread, ends an older one that is not finished.
- A search over its limit is stopped and times out, alone. When V8 cannot be stopped, its process is ended, another is
  started, and the pass goes on behind that search. The pattern is remembered: it is not run again, with whatever limit,
  on texts of more than a quarter of that size, until it is forgiven.
- A worker that ends for any other reason is replaced without a word, and the texts are sent again. A text on which it
  ends by itself again and again is given up, as an error of the searches in it, until it has changed.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import count
from threading import RLock
from types import TracebackType
from typing import Literal, Self

from msgspec import Struct

from vally_tui.engine.frames import Frame, pack
from vally_tui.engine.killed import Killed
from vally_tui.engine.node import NodeLevel
from vally_tui.engine.passes import Batch, Pass
from vally_tui.engine.supervisor import Supervisor
from vally_tui.engine.texts import Residents
from vally_tui.errors import EngineUnavailable
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Outcome, Pattern, Search, TimeLimit

RESIDENT_BYTES = 64 << 20
"""Bytes of texts that stay in the worker; what goes beyond is sent again when it is needed."""

_POLL = 0.005
"""Seconds between two looks at ``cancelled`` and the budget."""

_CHECKED = 4096
"""Patterns of which V8's message is remembered."""

_ASKS = 3
"""How often a check of patterns is asked for when the worker ends meanwhile."""


class EngineInfo(Struct, frozen=True):
    """What runs."""

    v8: str
    """V8's version."""
    node_level: NodeLevel
    pid: int
    """The worker's process id."""
    restarts: int
    """How many workers were replaced so far."""


class Engine:
    """Fulfils grading's Matcher. Use it as a context manager, or call ``close``.

    ``node_level``: which JavaScript the patterns may use; "auto" asks ``node --version``, beside V8's start.
    ``resident_bytes``: how many bytes of texts stay in the worker. ``supervisor``: one that has started its worker
    already, at its own node level, so that V8 starts while this module and others are imported.
    """

    def __init__(
        self,
        node_level: NodeLevel | Literal["auto"] = "auto",
        *,
        resident_bytes: int = RESIDENT_BYTES,
        supervisor: Supervisor | None = None,
    ) -> None:
        self._resident_bytes = resident_bytes
        self._residents = Residents(resident_bytes)
        self._supervisor = supervisor or Supervisor(node_level)
        self._killed = Killed()
        self._runs: dict[int, Batch] = {}
        self._last_run = 0
        self._turns = count(1)
        self._turn = 0
        """The newest request."""
        self._talking = RLock()
        """Held while the worker is talked to: what it answers to one request must not be read by another's thread."""
        self._forgotten: deque[Hashable] = deque()
        self._forget_everything = False
        self._checked: dict[Pattern, str | None] = {}

    def start(self) -> None:
        """Begin to start the worker, without waiting: early, so that it is ready when the texts are."""
        self._supervisor.start()

    def close(self) -> None:
        """End the worker; from any thread. A search under way ends early."""
        self._supervisor.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def info(self) -> EngineInfo:
        """What runs; waits for a worker that is starting. Raises EngineUnavailable."""
        ready = self._supervisor.ready()
        return EngineInfo(ready.v8, ready.level, self._supervisor.pid, self._supervisor.restarts)

    @property
    def killed(self) -> frozenset[Pattern]:
        """The patterns for which the worker had to be ended, and that are not run again until they are forgiven."""
        return self._killed.patterns()

    def forget(self, keys: Iterable[Hashable]) -> None:
        """These texts have changed: they are loaded again when they are searched next. From any thread."""
        self._forgotten.extend(keys)

    def forget_all(self) -> None:
        """All texts have changed. From any thread."""
        self._forget_everything = True

    def forgive(self, pattern: Pattern) -> None:
        """Somebody asks for a pattern again that was killed: it is run once more. From any thread."""
        self._killed.forgive(pattern)

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        """For each pattern V8's whole message when it refuses it, else None; raises EngineUnavailable."""
        self._next_turn()
        with self._talking:
            ask = self._begin()
            unknown = [pattern for pattern in dict.fromkeys(patterns) if pattern not in self._checked]
            if unknown:
                if len(self._checked) + len(unknown) > _CHECKED:
                    unknown = list(dict.fromkeys(patterns))
                    self._checked = {}
                self._checked.update(zip(unknown, self._asked_messages(ask, unknown), strict=True))
            return [self._checked[pattern] for pattern in patterns]

    def _asked_messages(self, ask: int, patterns: Sequence[Pattern]) -> list[str | None]:
        """V8's answer for each pattern."""
        specs = [(pattern.kind, pattern.source, pattern.flags) for pattern in patterns]
        for _ in range(_ASKS):
            self._supervisor.ensure()
            self._supervisor.send([pack({"do": "check", "ask": ask, "patterns": specs})])
            messages = self._messages(ask)
            if messages is not None:
                return messages
        raise EngineUnavailable(f"V8's process ended {_ASKS} times while it checked patterns.")

    def _messages(self, ask: int) -> list[str | None] | None:
        """The answer to a check; None when the worker has ended instead."""
        while not self._supervisor.closed:
            frames, ended = self._exchange()
            for frame in frames:
                if frame.header["is"] == "messages" and frame.header["ask"] == ask:
                    messages: list[str | None] = frame.header["messages"]
                    return messages
            if ended:
                return None
        raise EngineUnavailable("The engine is closed.")

    def search(
        self,
        searches: Sequence[Search],
        load: Callable[[Hashable], str],
        *,
        limit: TimeLimit = FULL_LIMIT,
        budget: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[int, Answer]]:
        """Answer each search once, as ``(its index, answer)``, those first given first.

        ``load`` gives the text of a key that the worker does not hold; what it raises ends the search. After ``budget``
        seconds the rest is PENDING. When ``cancelled``, asked every few milliseconds, turns true, or a newer request
        begins, the iteration ends early. Raises EngineUnavailable.
        """
        if self._supervisor.closed:
            raise EngineUnavailable("The engine is closed.")
        plan = Pass(searches, load, limit, self._killed)
        deadline = math.inf if budget is None else time.monotonic() + budget
        self._next_turn()
        return self._answers(plan, deadline, cancelled)

    def _answers(self, plan: Pass, deadline: float, cancelled: Callable[[], bool]) -> Iterator[tuple[int, Answer]]:
        def ended() -> bool:
            return self._turn != turn or self._supervisor.closed or cancelled()

        def interrupted() -> bool:
            return ended() or time.monotonic() >= deadline

        with self._talking:
            turn = self._begin()
        try:
            while not plan.done:
                with self._talking:
                    if interrupted():
                        break
                    self._step(plan, interrupted)
                yield from plan.ready()
            if not ended():
                yield from ((index, Answer(Outcome.PENDING)) for index in plan.unanswered())
        finally:
            with self._talking:
                if plan.waits and self._turn == turn:
                    self._cancel()

    def _step(self, plan: Pass, interrupted: Callable[[], bool]) -> None:
        """Give the worker something to do, or hear what it has done."""
        if plan.wants_batch and not self._supervisor.writing:
            self._drop_forgotten(plan)
            batch = plan.next_batch(self._last_run + 1, self._residents, interrupted)
            if batch is not None:
                self._send(plan, batch)
        if plan.waits or self._supervisor.writing:
            frames, _ = self._exchange(plan, 0.0 if plan.wants_batch and not self._supervisor.writing else _POLL)
            for frame in frames:
                plan.take(frame)

    def _send(self, plan: Pass, batch: Batch) -> None:
        self._supervisor.ensure()
        self._last_run = batch.run
        self._runs[batch.run] = batch
        self._supervisor.send(plan.messages(batch, self._residents))

    def _exchange(self, plan: Pass | None = None, timeout: float = _POLL) -> tuple[list[Frame], bool]:
        """The worker's messages, and whether it has ended behind them."""
        frames, end = self._supervisor.exchange(timeout, expecting=True)
        for frame in frames:
            self._note(frame)
        if end is not None:
            self._runs.clear()
            self._residents = Residents(self._resident_bytes)
            if plan is not None:
                for frame in frames:
                    plan.take(frame)
                plan.worker_ended(end)
                frames = []
        return frames, end is not None

    def _note(self, frame: Frame) -> None:
        run: int = frame.header.get("run", 0)
        if frame.header["is"] == "done":
            self._runs.pop(run, None)
        elif frame.header["is"] == "stuck" and run in self._runs:
            batch, job = self._runs[run], frame.header["job"]
            self._killed.stuck(batch.pattern(job), batch.units[job], frame.header["counting"])

    def _next_turn(self) -> int:
        """A newer request wants to begin: an older one, in whichever thread, sees it and lets go of the worker."""
        turn = self._turn = next(self._turns)
        return turn

    def _begin(self) -> int:
        """A newer request begins: what older ones have in the worker is stopped. Its turn; the worker is its own now."""
        turn = self._next_turn()
        if self._runs:
            self._cancel()
        return turn

    def _cancel(self) -> None:
        self._supervisor.send_first(pack({"do": "cancel", "run": self._last_run}))

    def _drop_forgotten(self, plan: Pass) -> None:
        if self._forget_everything:
            self._forget_everything = False
            plan.forget_loaded()
            self._killed.forget_texts()
            self._supervisor.send(self._residents.forget_all())
        if self._forgotten:
            plan.forget_loaded()
            keys = [self._forgotten.popleft() for _ in range(len(self._forgotten))]
            for key in keys:
                self._killed.forget_text(key)
            self._supervisor.send(self._residents.forget(keys))
