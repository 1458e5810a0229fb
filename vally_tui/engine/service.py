"""What the worker does with each message. Owns the order of work, no process matters and no matching.

Messages in; ``cancel`` alone overtakes, the others are handled in their order:
    pack    texts behind each other in the body: slots, units of each, wide (some character is above U+00FF), lone (some
            surrogate stands alone)
    part    a slice of a large text: index, wide, lone
    join    the slices so far are a text: slot, wide
    drop    texts that are not needed any more: slots
    check   ask, patterns -> messages
    run     run (a number that grows), patterns, size; in the body the jobs -> answers…, done
    cancel  run: this run and all before it are not wanted any more
Messages out: ready; for a run invalid, answers (an empty one is a sign of life), done; messages for a check; stuck and
failed, after which the process ends.
"""

from __future__ import annotations

from vally_tui.engine.buffers import Buffers
from vally_tui.engine.frames import Frame
from vally_tui.engine.run import Run, Send, compile_patterns
from vally_tui.engine.shelf import Shelf
from vally_tui.engine.v8 import V8


class Service:
    """Handles one message after the other."""

    def __init__(self, v8: V8, buffers: Buffers, send: Send) -> None:
        self._v8 = v8
        self._buffers = buffers
        self._send = send
        self._shelf = Shelf(v8)
        self._cancelled = -1

    def cancel(self, run: int) -> None:
        """Stop this run and all before it at the next tick."""
        self._cancelled = max(self._cancelled, run)

    async def handle(self, frame: Frame) -> None:
        """Do what one message asks for; raises Stuck, after saying so, when V8 could not be stopped."""
        match frame.header["do"]:
            case "pack":
                await self._shelf.pack(frame)
            case "part":
                await self._shelf.part(frame)
            case "join":
                await self._shelf.join(frame.header)
            case "drop":
                await self._shelf.drop(frame.header)
            case "check":
                messages = await compile_patterns(self._v8, frame.header["patterns"])
                self._send({"is": "messages", "ask": frame.header["ask"], "messages": messages}, b"")
            case "run":
                run = Run(frame, self._v8, self._buffers, self._shelf, self._send, lambda n: n <= self._cancelled)
                await run.complete()
