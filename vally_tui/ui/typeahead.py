"""Keys act one after the other, however fast they come: each when all is done that the one before set going.

Textual hands a key to the widget that has the focus when the key arrives. Where keys come faster than they act, as over a
slow line, from a macro or behind a long moment of work, a key would get to a field that the one before is about to leave,
or act on what is about to change.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress

from textual.app import App
from textual.events import Key, Paste
from textual.message_pump import MessagePump
from textual.widgets import Input

LONGEST = 1.0
"""Seconds that a key waits at most for what the one before set going."""
LOOK_AGAIN = 0.005
"""Seconds after which a key that is held back is tried again."""
LEAVING = ("escape", "ctrl+c")
"""Keys that nothing holds back: what was looked for is not wanted any more."""


class Typeahead:
    """The keys and pasted texts that wait, the oldest first."""

    def __init__(
        self,
        app: App[int],
        act: Callable[[Key | Paste], Awaitable[None]],
        *,
        holds_keys: Callable[[], bool],
        broken: Callable[[Exception], object],
    ) -> None:
        """``act`` hands an event to whom it is for; ``broken`` is told of an error in that.

        ``holds_keys`` says whether a thread is still looking for what the last key leads to.
        """
        self._app = app
        self._act = act
        self._holds_keys = holds_keys
        self._broken = broken
        self._waiting: deque[Key | Paste] = deque()
        self._acted: Key | Paste | None = None
        self._is_settled = True
        self._task: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits, and nothing is waited for."""
        return self._task is None

    @property
    def repeats(self) -> bool:
        """Whether the key that acted last waits to act again: the person holds it, and it comes faster than it acts."""
        last, following = self._acted, self._waiting[0] if self._waiting else None
        return isinstance(last, Key) and isinstance(following, Key) and last.key == following.key

    async def take(self, event: Key | Paste) -> None:
        """Let an event act: now, or in its turn."""
        is_text = self._takes_text(event)
        if self._task is not None or not (self._is_settled or is_text):
            self._waiting.append(event)
        else:
            self._is_settled = False
            self._acted = event
            await self._act(event)
        # What follows text may be text for the same field, which need not wait.
        if self._task is None and (self._waiting or not is_text):
            self._task = asyncio.create_task(self._work_off())

    def close(self) -> None:
        """Forget what waits."""
        if self._task is not None:
            self._task.cancel()

    async def _work_off(self) -> None:
        try:
            await self._settle()
            while self._waiting:
                event = self._waiting.popleft()
                is_text = self._takes_text(event)
                self._acted = event
                await self._act(event)
                if not (is_text and self._waiting and self._takes_text(self._waiting[0])):
                    await self._settle()
            self._is_settled = True
        except Exception as error:  # noqa: BLE001  (whatever it is, it is for whoever ends the program)
            self._broken(error)
        finally:
            self._task = None

    async def _settle(self) -> None:
        """Wait until all is done that the last event set going."""
        before: list[MessagePump] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                while True:
                    path, busy = self._path(), self._busy()
                    if path == before and not busy:
                        if self._leaves or not self._holds_keys():
                            return
                        await asyncio.sleep(LOOK_AGAIN)
                    for pump in (*busy, *path):
                        await _passed(pump)
                    before = path

    @property
    def _leaves(self) -> bool:
        return any(isinstance(event, Key) and event.key in LEAVING for event in self._waiting)

    def _path(self) -> list[MessagePump]:
        """What a key goes through now: from the widget with the focus to the app."""
        return list((self._app.focused or self._app.screen).ancestors_with_self)

    def _busy(self) -> list[MessagePump]:
        """The widgets on the screen that have messages left to work on."""
        return [node for node in self._app.screen.walk_children(with_self=True) if node.message_queue_size]

    def _takes_text(self, event: Key | Paste) -> bool:
        """Whether this is only put into the field that has the focus."""
        field = self._app.focused
        if not isinstance(field, Input):
            return False
        return isinstance(event, Paste) or field.check_consume_key(event.key, event.character)


async def _passed(pump: MessagePump) -> None:
    """Wait until a widget has worked on all messages that it has now, and on what these left to be done next."""
    passed = asyncio.Event()
    if pump.call_later(pump.call_next, passed.set):
        await passed.wait()
