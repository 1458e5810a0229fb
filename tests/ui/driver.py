"""Drives the program as a person does: opens a run, presses keys, types, and waits until the screen says something.

Nothing here sleeps for a fixed time: every wait ends with its condition, or fails at a deadline with what is on the screen.
"""

from __future__ import annotations

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.keys import _character_to_key, _get_unicode_name_from_key
from textual.pilot import Pilot

from tests.ui.strips import strips
from vally_tui.engine.client import Engine
from vally_tui.grading.model import State
from vally_tui.runs.discover import discover
from vally_tui.triage import views
from vally_tui.triage.options import ScreenOptions
from vally_tui.triage.session import Session
from vally_tui.triage.spec_target import read_target
from vally_tui.triage.standing import Standing
from vally_tui.ui.app import VallyApp
from vally_tui.ui.commands import keymap
from vally_tui.ui.config import Config
from vally_tui.ui.screens.triage import TriageScreen

SAMPLES = Path(__file__).parents[2] / "sample_runs"

DEADLINE = 15.0
"""Seconds after which a wait fails; only a broken program needs them."""
_MOMENT = 0.005


class Driver:
    """One open program."""

    def __init__(self, app: VallyApp, pilot: Pilot[int]) -> None:
        self.app = app
        self._pilot = pilot

    # What the person does

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each after the last one was worked on; a sign stands for its key."""
        for key in keys:
            self.send(key)
            await self.handled()

    def send(self, key: str) -> None:
        """Press a key and do not wait."""
        name = _character_to_key(key) if len(key) == 1 and not key.isalnum() else key
        try:
            character: str | None = unicodedata.lookup(_get_unicode_name_from_key(name))
        except KeyError:
            character = key if len(key) == 1 else None
        event = events.Key(name, character)
        event.set_sender(self.app)
        assert self.app._driver is not None
        self.app._driver.send_message(event)

    async def type(self, text: str) -> None:
        """Type a text into whatever has the focus."""
        await self.press(*text)

    async def clear_and_type(self, text: str) -> None:
        """Replace all that stands in the field with the focus."""
        await self.press("end", "ctrl+u")
        await self.type(text)

    async def paste(self, text: str) -> None:
        """Paste a text, as the terminal hands it over."""
        event = events.Paste(text)
        event.set_sender(self.app)
        assert self.app._driver is not None
        self.app._driver.send_message(event)
        await self.handled()

    async def click(self, text: str, times: int = 1) -> None:
        """Click on the first place of the screen where a text stands."""
        for y, row in enumerate(self.rows):
            x = row.find(text)
            if x >= 0:
                await self._pilot.click(offset=(x, y), times=times)
                await self.handled()
                return
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen_text}")

    async def resize(self, width: int, height: int) -> None:
        """Give the terminal another size."""
        size, driver = Size(width, height), self.app._driver
        assert isinstance(driver, HeadlessDriver)
        driver._size = size
        self.app.post_message(events.Resize(size, size))
        await self.until(lambda: self.app.screen._compositor.size == size, f"the screen is {width}x{height}")
        await self.handled()

    async def handled(self) -> None:
        """Wait until no widget has a message left."""
        for _ in range(50):
            if not await self._pilot._wait_for_screen():
                return
            await asyncio.sleep(0)
            nodes = (self.app, *self.app.screen.walk_children(with_self=True))
            waits = self._typed_waits or not self.app.is_idle or not self._is_painted
            if all(node._message_queue.empty() for node in nodes) and not waits:
                return
            await asyncio.sleep(_MOMENT if waits else 0)

    @property
    def _typed_waits(self) -> bool:
        """Whether the field holds what nobody knows yet."""
        return any(getattr(screen, "_typed_waits", False) for screen in self.app.screen_stack)

    @property
    def _is_painted(self) -> bool:
        """Whether the screen in front is laid out and painted as it was asked to be: it does so some time later."""
        screen = self.app.screen
        asked = (screen._layout_required, screen._scroll_required, screen._repaint_required, screen._dirty_widgets)
        return not any(asked)

    # What the person waits for

    async def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until something holds."""
        end = time.monotonic() + DEADLINE
        while not condition():
            if self.app._exception is not None:
                raise self.app._exception
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain until {what}; the screen:\n{self.screen_text}")
            await asyncio.sleep(_MOMENT)
            await self._pilot._wait_for_screen()

    async def see(self, *texts: str) -> None:
        """Wait until all these texts are on the screen."""
        for text in texts:
            await self.until(lambda text=text: text in self.screen_text, f"the screen shows {text!r}")

    async def see_no_more(self, text: str) -> None:
        """Wait until a text is gone from the screen."""
        await self.until(lambda: text not in self.screen_text, f"the screen shows {text!r} no more")

    async def judged(self) -> None:
        """Wait until the runs are read, every verdict is there, and matches and evidence of the trial in view."""
        await self.until(lambda: self._is_judged, "all is read and judged")
        await self.drawn()

    async def drawn(self) -> None:
        """Wait until what has come in is on the screen."""
        screen = self.triage
        await self.until(
            lambda: screen.pace.is_idle and not screen._typed_waits and self._is_painted,
            "all is drawn",
        )
        await self.handled()

    @property
    def _is_judged(self) -> bool:
        session = self.session
        return session.progress.done and all(map(self._trial_is_judged, session.board.entries)) and self._view_is_there

    def _trial_is_judged(self, key: int) -> bool:
        board, state = self.session.board, self.session.state
        if not board.entries[key].trial.has_trajectory:
            return True
        asked = ((slot, board.asked(slot, state.edits)) for slot in board.slots_of(key, state.edits))
        settled = [board.settled(key, slot, question) for slot, question in asked if question is not None]
        return all(verdict is not None and verdict.state is not State.PENDING for verdict in settled)

    @property
    def _view_is_there(self) -> bool:
        session, state = self.session, self.session.state
        document, key = session.document, state.trial
        if key is None:
            return not session.board.entries
        if document is None or document.key != session.evidence_key:
            return False
        if document.index is not None and not document.index.complete:
            return False
        return not session.board.entries[key].trial.has_trajectory or all(map(self._is_marked, self.slots))

    def _is_marked(self, slot: int) -> bool:
        board, state = self.session.board, self.session.state
        assert state.trial is not None
        asked = board.asked(slot, state.edits)
        if asked is None or board.is_refused(state.trial, slot, asked):
            return True
        found = board.in_view(state.trial, slot, state.edits)
        return found is not None and not found.stale

    # What is on the screen

    @property
    def rows(self) -> list[str]:
        """The rows of the screen."""
        return [strip.text.rstrip() for strip in strips(self.app)]

    @property
    def screen_text(self) -> str:
        """The whole screen."""
        return "\n".join(self.rows)

    def pane(self, name: str) -> str:
        """What one pane shows: trials, graders, files or diff; empty where it has no room."""
        region = self.triage.query_one(f"#{name}").region
        rows = strips(self.app)[region.y : region.bottom]
        return "\n".join(strip.crop(region.x, region.right).text.rstrip() for strip in rows)

    @property
    def title(self) -> str:
        """The first row."""
        return self.rows[0]

    @property
    def footer(self) -> str:
        """The last row."""
        return self.rows[-1]

    def looks(self, text: str) -> set[str]:
        """How the cells of the first row of the screen that holds a text are drawn there, as style texts."""
        for strip in strips(self.app):
            at = strip.text.find(text)
            if at >= 0:
                cut = strip.crop(strip.crop(0).text.find(text), at + len(text))
                return {str(segment.style) for segment in cut}
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen_text}")

    # What is selected

    @property
    def triage(self) -> TriageScreen:
        """The triage screen, also while a box is open over it."""
        return next(screen for screen in self.app.screen_stack if isinstance(screen, TriageScreen))

    @property
    def session(self) -> Session:
        """Everything that is known."""
        return self.app.session

    @property
    def pane_name(self) -> str:
        """The pane with the focus."""
        return self.triage.active_name

    @property
    def trial(self) -> tuple[str | None, int, str | None]:
        """Stimulus, number within it and model of the trial in view."""
        key = self.session.state.trial
        assert key is not None
        trial = self.session.board.entries[key].trial
        return trial.stimulus, self.session.board.numbers[key], trial.model

    @property
    def slots(self) -> tuple[int, ...]:
        """The graders of the trial in view."""
        state = self.session.state
        return self.session.board.slots_of(state.trial, state.edits) if state.trial is not None else ()

    @property
    def grader(self) -> int | None:
        """The number of the focused grader, from 1; None: none is."""
        slot = self.session.state.slot
        return None if slot is None else self.slots.index(slot) + 1

    @property
    def pattern(self) -> str:
        """The pattern of the focused grader."""
        slot = self.session.state.slot
        assert slot is not None
        return views.pattern_of(self.session.board.config(slot, self.session.state.edits))

    @property
    def result(self) -> str:
        """What the focused grader says of the trial in view."""
        session, slot, key = self.session, self.session.state.slot, self.session.state.trial
        assert slot is not None
        assert key is not None
        shown = views.shown_verdict(session.board, session.state, key, slot)
        return views.result_of(shown.verdict, session.board.asked(slot, session.state.edits))

    @property
    def tab(self) -> str:
        """The evidence in view: ``T0``, ``T1`` and so on, ``Σ``, ``output`` or ``messages``."""
        return self.session.state.tab.label

    @property
    def match(self) -> str | None:
        """The text of the current match."""
        span, document = self.triage.current_match, self.session.document
        return None if span is None or document is None else document.text[span[0] : span[1]]

    @property
    def tallies(self) -> dict[Standing, int]:
        """How many trials have which standing, without zeros."""
        return {standing: count for standing, count in self.session.board.tally.items() if count}


class Opener:
    """Opens the program with an engine that all tests share."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def program(
        self,
        *runs: str | Path,
        theme: str | None = None,
        spec: Path | None = None,
        timeout: float | None = None,
        keys: Mapping[str, object] | None = None,
    ) -> VallyApp:
        """The program with these runs (a name: of that sample), not running yet.

        ``timeout``: seconds that a pattern may take, where a run has patterns that never end; ``keys``: the person's own.
        """
        paths = tuple(str(SAMPLES / run if isinstance(run, str) else run) for run in runs)
        written = str(spec) if spec else None
        options = ScreenOptions(runs=paths, theme=theme, spec=written, node_level="20", timeout=timeout)
        # Keys of texts count from 0 in each start of the program.
        self.engine.forget_all()
        found, config = discover(options.runs, None, None), Config(keymap=keymap(keys or {}))
        return VallyApp(options, found, self.engine, config, spec and read_target(spec, given=True))

    @asynccontextmanager
    async def start(
        self,
        *runs: str | Path,
        size: tuple[int, int] = (120, 36),
        theme: str | None = None,
        spec: Path | None = None,
        timeout: float | None = None,
        keys: Mapping[str, object] | None = None,
    ) -> AsyncIterator[Driver]:
        """The program (see ``program``) as it is while it still reads its runs."""
        app = self.program(*runs, theme=theme, spec=spec, timeout=timeout, keys=keys)
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await driver.until(lambda: app.is_open, "the triage screen is open")
            yield driver

    @asynccontextmanager
    async def __call__(
        self,
        *runs: str | Path,
        size: tuple[int, int] = (120, 36),
        theme: str | None = None,
        spec: Path | None = None,
        timeout: float | None = None,
        keys: Mapping[str, object] | None = None,
    ) -> AsyncIterator[Driver]:
        """The program with these runs, all read and judged."""
        async with self.start(*runs, size=size, theme=theme, spec=spec, timeout=timeout, keys=keys) as driver:
            await driver.judged()
            yield driver
