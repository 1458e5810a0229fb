"""The child process: starts V8, reads messages from standard input, writes messages to standard output.

The only importer of mini-racer. Ends when standard input ends, and then at once, whatever V8 is doing.
Usage: ``python -m vally_tui.engine.worker auto|20|24``.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from vally_tui.engine.buffers import Buffers
from vally_tui.engine.frames import Frame, Splitter, pack
from vally_tui.engine.node import NEWEST, NodeLevel, NodeQuestion
from vally_tui.engine.service import Service
from vally_tui.engine.v8 import V8, Stuck

if TYPE_CHECKING:
    from py_mini_racer import MiniRacer

_OLDER_V8_FLAGS = ("--no-js-regexp-modifiers", "--no-js-regexp-duplicate-named-groups")
"""What makes this V8 accept exactly what Node 20 and 22 accept."""

_MEMORY_LIMIT = 1 << 30
"""Bytes of V8's heap at which an evaluation fails; above about 1.5 GB V8 would abort the process."""

_READ_AHEAD = 8 << 20
"""Bytes of messages that may wait; the client's writing stops when there are more."""

_EXIT_FAILED, _EXIT_STUCK = 70, 75


class Outbox:
    """Messages out of this process."""

    def __init__(self) -> None:
        self._fd = os.dup(1)
        # Whatever prints must not end up between the messages.
        os.dup2(2, 1)

    def send(self, header: dict[str, Any], body: bytes = b"") -> None:
        """Write a message; when nobody reads any more, the process ends."""
        data = memoryview(pack(header, body))
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError:
            os._exit(0)


class Inbox:
    """Messages into this process, read by a thread of their own, so that a cancellation overtakes the others."""

    def __init__(self, cancel: Callable[[int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._cancel = cancel
        self._frames: asyncio.Queue[Frame] = asyncio.Queue()
        self._waiting = 0
        self._room = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self) -> Frame:
        """The next message but a cancellation."""
        frame = await self._frames.get()
        with self._room:
            self._waiting -= len(frame.body)
            self._room.notify()
        return frame

    def _read(self) -> None:
        splitter = Splitter()
        try:
            while data := os.read(0, 1 << 20):
                for frame in splitter.feed(data):
                    self._pass_on(frame)
        finally:
            # The client is gone or has closed this worker; V8 may be busy for hours and is not asked.
            os._exit(0)

    def _pass_on(self, frame: Frame) -> None:
        if frame.header["do"] == "cancel":
            self._loop.call_soon_threadsafe(self._cancel, frame.header["run"])
            return
        with self._room:
            self._room.wait_for(lambda: self._waiting < _READ_AHEAD)
            self._waiting += len(frame.body)
        self._loop.call_soon_threadsafe(self._frames.put_nowait, frame)


def main() -> NoReturn:
    """Serve until standard input ends or V8 fails."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    outbox = Outbox()
    wanted = sys.argv[1]
    question = NodeQuestion() if wanted == "auto" else None
    try:
        import py_mini_racer  # noqa: F401
    except (ImportError, OSError) as error:
        outbox.send({"is": "failed", "missing": True, "message": str(error)})
        os._exit(_EXIT_FAILED)
    level: NodeLevel = question.answer() if question else 20 if wanted == "20" else NEWEST
    asyncio.run(_serve(outbox, level))
    os._exit(_EXIT_FAILED)


async def _serve(outbox: Outbox, level: NodeLevel) -> None:
    from py_mini_racer._dll import init_mini_racer
    from py_mini_racer._exc import MiniRacerBaseException
    from py_mini_racer._mini_racer import mini_racer

    try:
        init_mini_racer(flags=("--single-threaded", *(_OLDER_V8_FLAGS if level == 20 else ())))
        # This loop is the worker's own, and nothing else runs on it: mini-racer takes over the loop it is made in.
        with mini_racer() as racer:
            await _answer(racer, outbox, level)
    except (MiniRacerBaseException, OSError) as error:
        outbox.send({"is": "failed", "missing": False, "message": str(error)})
        os._exit(_EXIT_FAILED)


async def _answer(racer: MiniRacer, outbox: Outbox, level: NodeLevel) -> NoReturn:
    """Handle messages for ever. Every way out ends the process here: leaving mini-racer's context would wait for V8."""
    from py_mini_racer._exc import JSTerminatedException, MiniRacerBaseException

    try:
        racer.set_hard_memory_limit(_MEMORY_LIMIT)
        v8 = V8(racer, JSTerminatedException)
        await v8.load((Path(__file__).parent / "match.js").read_text(encoding="utf-8"))
        service = Service(v8, await Buffers.open(v8), outbox.send)
        inbox = Inbox(service.cancel)
        modifiers = await v8.evaluate("begin([['regex','(?i:a)','']],0)") == "[null]"
        outbox.send({"is": "ready", "v8": racer.v8_version, "level": level, "modifiers": modifiers})
        while True:
            await service.handle(await inbox.next())
    except Stuck:
        os._exit(_EXIT_STUCK)
    except MiniRacerBaseException as error:
        outbox.send({"is": "failed", "missing": False, "message": str(error)})
    except BaseException:  # noqa: BLE001 - a bug of the worker: its traceback goes to the client, which keeps the end of it
        traceback.print_exc()
    finally:
        os._exit(_EXIT_FAILED)


if __name__ == "__main__":
    main()
