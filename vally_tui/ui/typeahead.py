"""Keys and clicks act one after the other, however fast they come: each when all is done that the one before set going.

Textual hands a key to the widget that has the focus when the key arrives. Where keys come faster than they act, as over a
slow line, from a macro or behind a long moment of work, a key would get to a field that the one before is about to leave,
or act on what is about to change.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.events import Key, MouseDown, MouseUp, Paste
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.widgets import Input

LONGEST = 1.0
"""Seconds that a key waits at most for what the one before set going."""
LONGEST_LOOK = 5.0
"""Seconds that it waits at most where acting too soon does harm: enter would do nothing, and what follows be text."""
LOOK_AGAIN = 0.005
"""Seconds after which a key that is held back is tried again."""
LEAVING = ("escape", "ctrl+c")
"""Keys that what is still looked for does not hold back: it is not wanted any more.

What came before them acts first, unless it has waited for longer than ``LONGEST``: then it is not wanted, either.
"""
Turn = Key | Paste | MouseDown | MouseUp
"""What acts in its turn."""


class Typeahead:
    """The keys, pasted texts and clicks that wait, the oldest first."""

    def __init__(
        self,
        app: App[int],
        act: Callable[[Turn], Awaitable[None]],
        *,
        holds_keys: Callable[[Turn | None], float],
        broken: Callable[[Exception], object],
    ) -> None:
        """``act`` hands an event to whom it is for; ``broken`` is told of an error in that.

        ``holds_keys`` says for how many seconds the next event (None: whatever may come) may wait for what a thread is
        still looking for; 0: it does not.
        """
        self._app = app
        self._act = act
        self._holds_keys = holds_keys
        self._broken = broken
        self._waiting: deque[Turn] = deque()
        self._acted: Turn | None = None
        self._is_settled = False
        self._held_since: float | None = None
        """Since when (the loop's time) events wait for what is looked for now; None: nothing is."""
        self._led: list[MessagePump] = []
        """What the last event that settled left for the next one to go through."""
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

    async def take(self, event: Turn) -> None:
        """Let an event act: now, or in its turn."""
        is_text = self._takes_text(event)
        if _leaves(event) and self._held_longer_than(LONGEST):
            self._waiting.clear()
        if self._task is not None or not (self._is_settled or is_text):
            self._waiting.append(event)
        else:
            self._is_settled = False
            await self._let_act(event, is_text=is_text)
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
                await self._let_act(event, is_text=is_text)
                if not (is_text and self._waiting and self._takes_text(self._waiting[0])):
                    await self._settle()
            self._is_settled = True
        except Exception as error:  # noqa: BLE001  (whatever it is, it is for whoever ends the program)
            self._broken(error)
        finally:
            self._task = None

    async def _let_act(self, event: Turn, *, is_text: bool) -> None:
        self._acted = event
        if is_text:
            # Other text is looked for.
            self._held_since = None
        await self._act(event)

    async def _settle(self) -> None:
        """Wait until all is done that the last event set going."""
        before: list[MessagePump] = []
        led = self._led
        try:
            async with asyncio.timeout(LONGEST) as limit:
                while True:
                    path, busy, holds = self._path(), self._busy(), self._holds_for()
                    if holds:
                        limit.reschedule(_now() + holds)
                    if path == before and not busy:
                        if not holds:
                            return
                        # Once it is found, what that sets going is waited for as well.
                        before = []
                        await asyncio.sleep(LOOK_AGAIN)
                        continue
                    for pump in (*busy, *path):
                        await _passed(pump)
                    before = path
                    if path != led:
                        # What has opened does not know its size before it is laid out, such as how long a page is.
                        await _laid_out(self._app.screen)
                        led = path
        except TimeoutError:
            pass  # The next event acts all the same.
        finally:
            self._led = self._path()

    def _holds_for(self) -> float:
        """Seconds for which events may still wait for what a thread is looking for; 0: the next one does not.

        Neither does a click, which is for what is seen.
        """
        following = self._waiting[0] if self._waiting else None
        longest = self._holds_keys(following)
        if not longest:
            self._held_since = None
            return 0
        if _leaves(following) or isinstance(following, MouseDown | MouseUp):
            return 0
        now = _now()
        self._held_since = self._held_since or now
        return max(self._held_since + longest - now, 0)

    def _held_longer_than(self, seconds: float) -> bool:
        return self._holds_for() > 0 and self._held_since is not None and _now() - self._held_since > seconds

    def _path(self) -> list[MessagePump]:
        """What a key goes through now: from the widget with the focus to the app."""
        return list((self._app.focused or self._app.screen).ancestors_with_self)

    def _busy(self) -> list[MessagePump]:
        """The widgets on the screen that have messages left to work on."""
        return [node for node in self._app.screen.walk_children(with_self=True) if node.message_queue_size]

    def _takes_text(self, event: Turn) -> bool:
        """Whether this is only put into the field that has the focus."""
        field = self._app.focused
        if isinstance(event, Paste):
            return isinstance(field, Input)
        return isinstance(event, Key) and field is not None and field.check_consume_key(event.key, event.character)


def _leaves(event: Turn | None) -> bool:
    return isinstance(event, Key) and event.key in LEAVING


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _laid_out(screen: Screen[object]) -> None:
    """Wait until a screen is laid out and painted as it was asked to be."""
    painted = asyncio.Event()
    if screen.call_after_refresh(painted.set):
        await painted.wait()


async def _passed(pump: MessagePump) -> None:
    """Wait until a widget has worked on all messages that it has now, and on what these left to be done next."""
    passed = asyncio.Event()
    if pump.call_later(pump.call_next, passed.set):
        await passed.wait()
