"""The program on the screen: starts engine, session and triage screen, and ends them again whatever happens.

The first frame shows only what can be shown before the greater part of the program is imported.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import os
import signal
import sys
import termios
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

from textual.app import App, ComposeResult
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Event, Key, MouseEvent
from textual.widgets import Static

from vally_tui.engine.client import Engine
from vally_tui.errors import RunUnreadable
from vally_tui.grading.pattern import FULL_LIMIT, TimeLimit
from vally_tui.runs.discover import Discovery, discover
from vally_tui.runs.model import Trial
from vally_tui.triage.options import ScreenOptions
from vally_tui.ui.commands import BY_ID, Keymap, key_sign
from vally_tui.ui.config import Config, read_config
from vally_tui.ui.keyboard import Keyboard
from vally_tui.ui.messages import Broken, News
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.themes import THEMES, variable_defaults
from vally_tui.ui.typeahead import LONGEST_LOOK, Turn, Typeahead
from vally_tui.ui.widgets.layout import COLUMN_CLASSES, ROW_CLASSES

if TYPE_CHECKING:
    from vally_tui.triage.events import Event as Found
    from vally_tui.triage.session import Session
    from vally_tui.triage.spec_target import SpecTarget
    from vally_tui.ui.screens.triage import TriageScreen

DEFAULT_THEME = "vally-dark"
NO_KEY = "no_key"
"""No keyboard has it: where a command has no key Textual would leave it the declared one."""
_THEME_WAYS = (("theme.next", "shows the next one"), ("palette", "lists them all"))
YOUNG = (10_000, 50)
"""Values that are made before Python looks for garbage among the newest, and how often before it looks further."""
NEVER = 1_000_000_000
TIDY_EVERY = 20.0
"""Seconds without a key after which garbage is looked for among all values."""
WRITER = "textual-output"
"""The name of the thread with which Textual writes to the terminal."""
HUNG_UP = 128 + signal.SIGHUP
TURN = 0.001
"""Seconds that a thread may work while the one of the screen has something to do."""


class VallyApp(App[int]):
    """Owns the session's life and hands its news to the screen."""

    CSS_PATH = "app.tcss"
    TITLE = "vally-tui"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = COLUMN_CLASSES
    VERTICAL_BREAKPOINTS = ROW_CLASSES

    def __init__(
        self,
        options: ScreenOptions,
        discovery: Discovery,
        engine: Engine,
        config: Config,
        spec: SpecTarget | None = None,
    ) -> None:
        """``spec``: the one that was given; None: the recorded graders are judged."""
        # Textual sends greys under NO_COLOR unless it is told to leave colours to the terminal from the start.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.options = options
        self.config = config
        self._discovery, self._engine, self._spec = discovery, engine, spec
        self._session: Session | None = None
        self._triage: TriageScreen | None = None
        self._found: deque[Found] = deque()
        """What threads have found and nobody has taken in yet, the oldest first."""
        self._typeahead = Typeahead(
            self,
            super().on_event,
            holds_keys=self._holds_keys,
            broken=lambda error: self.post_message(Broken(error)),
        )
        self._touched_at = time.monotonic()
        self._is_opening = True
        """Whether the runs are read and judged for the first time."""
        self._run_name = _run_name(discovery)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._theme()

    @property
    def session(self) -> Session:
        """What is open; there from the second frame on."""
        assert self._session is not None
        return self._session

    @property
    def is_open(self) -> bool:
        """Whether the triage screen is there."""
        return self._triage is not None

    def _holds_keys(self, following: Turn | None) -> float:
        """Seconds for which the next key may wait for what is still looked for, such as the screen itself."""
        return LONGEST_LOOK if self._triage is None else self._triage.holds_keys(following)

    def get_driver_class(self) -> type[Driver]:
        """Ours in the place of Textual's own for terminals."""
        found = super().get_driver_class()
        return Keyboard if found is LinuxDriver else found

    def compose(self) -> ComposeResult:
        """The skeleton."""
        yield Static(inert(self._run_name), id="skeleton", markup=False)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Every variable of ours, for themes that do not know them."""
        return variable_defaults(self.current_theme)

    def on_mount(self) -> None:
        """Show the skeleton, then all the rest."""
        self.animation_level = "none"
        self.set_keymap(_chosen_keys(self.config.keymap))
        self._end_on_signals()
        sys.setswitchinterval(TURN)
        gc.set_threshold(*YOUNG, NEVER)
        self.set_interval(TIDY_EVERY, self._tidy)
        threading.excepthook = self._thread_broke
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """Begin to read, and open the triage screen."""
        # Imported here, as it takes longer than all that the first frame needs.
        from vally_tui.triage.session import Session

        options = self.options
        self._session = Session(
            self._discovery.sources,
            self._engine,
            self._post,
            spec=self._spec,
            issues=self._discovery.issues,
            limit=FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte),
            max_bytes=options.max_diff,
            only=_wanted(options),
        )
        self._session.start()
        from vally_tui.ui.screens.triage import TriageScreen

        # What was read during the import is in the screen's first picture.
        while self._found:
            self._take_in(self._found.popleft())
        faults = (*self._theme_faults(), *self.config.faults)
        self._triage = TriageScreen(
            self.session,
            self.config.keymap,
            run_name=self._run_name,
            faults=faults,
            key_repeats=lambda: self._typeahead.repeats,
        )
        self.push_screen(self._triage)

    def on_resize(self) -> None:
        """Paint all anew, also where the size is as before: it was another for a moment, and what was shown is cut."""
        self.refresh()

    def on_unmount(self) -> None:
        """End the threads."""
        threading.excepthook = threading.__excepthook__
        self._typeahead.close()
        if self._session is not None:
            self._session.close()

    def on_news(self, message: News) -> None:
        """Take in what a thread has found."""
        message.stop()
        if self._found:
            self._take_in(self._found.popleft())

    def _take_in(self, found: Found) -> None:
        changed = self.session.receive(found)
        if self._is_opening:
            # What comes in now stays, and it is much: no search for garbage is to look at it again.
            gc.freeze()
            self._is_opening = not self.session.progress.done or self.session.is_judging
        if self._triage is not None:
            self._triage.changed(changed)

    def on_broken(self, message: Broken) -> None:
        """End as an error of the screen's own thread does: without that thread nothing comes any more."""
        message.stop()
        raise message.error

    async def on_event(self, event: Event) -> None:
        """Notes when the person did something last; keys and clicks wait for each other."""
        if isinstance(event, Key | MouseEvent):
            self._touched_at = time.monotonic()
        if isinstance(event, Turn) and not event.is_forwarded:
            await self._typeahead.take(event)
        else:
            await super().on_event(event)

    @property
    def is_idle(self) -> bool:
        """Whether no key or click waits, and all is done that the last one set going."""
        return self._typeahead.is_idle

    def _tidy(self) -> None:
        """Look for garbage among all that is not known to stay, when nobody waits: over a large run it takes a while."""
        if time.monotonic() - self._touched_at > TIDY_EVERY:
            gc.collect()
            gc.freeze()

    async def action_quit(self) -> None:
        """Textual's own key for quitting asks as ours does: there may be unsaved edits."""
        self.action_help_quit()

    def action_help_quit(self) -> None:
        """ctrl+c where no text is selected asks as well: Textual would only name its key for quitting."""
        if self._triage is not None:
            self._triage.action_command("quit")
        else:
            self.exit(0)

    def copy_to_clipboard(self, text: str) -> None:
        """Textual copies selected text with this, which is done, and said, as every copying is."""
        from vally_tui.ui.screens.copying import copy_text, well_formed

        self._clipboard = well_formed(text)
        copy_text(self, text, "the selected text")

    def _post(self, event: Found) -> None:
        self._found.append(event)
        self.post_message(News())

    def _thread_broke(self, broken: threading.ExceptHookArgs) -> None:
        if broken.thread is not None and broken.thread.name == WRITER and isinstance(broken.exc_value, OSError):
            # Nothing can be written to the terminal any more: it was closed.
            self.call_later(self.exit, HUNG_UP)
            _swallow(broken.thread)
        elif broken.exc_value is not None:
            self.post_message(Broken(broken.exc_value))

    def _handle_exception(self, error: Exception) -> None:
        """End; ``run_screen`` raises the error again. Textual's own traceback would print every local value: evidence."""
        self._return_code = 1
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    @property
    def fault(self) -> Exception | None:
        """The error that nobody foresaw and that ended the program."""
        return self._exception

    def _theme(self) -> str:
        wanted = self._wanted_theme
        return wanted if wanted in self.available_themes else DEFAULT_THEME

    @property
    def _wanted_theme(self) -> str:
        return self.options.theme or self.config.theme or DEFAULT_THEME

    def _theme_faults(self) -> tuple[str, ...]:
        """What is said of a theme that there is not."""
        wanted = self._wanted_theme
        if wanted in self.available_themes:
            return ()
        keys = self.config.keymap.keys
        ways = [f"{key_sign(keys[command][0])} {does}" for command, does in _THEME_WAYS if keys[command]]
        return (f"{wanted} is no theme{': ' if ways else ''}{', '.join(ways)}",)

    def _end_on_signals(self) -> None:
        """Without this the terminal stays in the alternate screen when the program is asked to end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self.exit, 128 + number)


def run_screen(options: ScreenOptions) -> int:
    """Open the screen and stay until the person leaves it; the exit status.

    Raises RunUnreadable when no RUN can be read, SpecUnreadable for ``--eval-spec``, EngineUnavailable never: without V8
    everything is shown but nothing is judged again.
    """
    with Engine("auto" if options.node_level == "auto" else 20 if options.node_level == "20" else 24) as engine:
        engine.start()
        discovery = discover(options.runs, options.run_dir, options.records)
        try:
            if not discovery.sources:
                raise discovery.errors[0] if discovery.errors else RunUnreadable("no run was given")
            app = VallyApp(options, discovery, engine, read_config(), _given_spec(options))
            return _status_of(app)
        finally:
            discovery.close()


def _status_of(app: VallyApp) -> int:
    """Run the screen to its end. A terminal that is closed meanwhile is no fault, whatever fails on it first."""
    try:
        status = app.run()
        if app.fault is not None:
            raise app.fault
    except OSError as error:
        if error.errno == errno.EIO and _terminal_is_gone():
            return HUNG_UP
        raise
    return status or app.return_code or 0


def _swallow(writer: threading.Thread) -> None:
    """Take what a broken writer is still given, in its own thread: else the screen waits for room in its full queue."""
    waiting = getattr(writer, "_queue", None)
    while isinstance(waiting, Queue) and waiting.get() is not None:
        pass


def _terminal_is_gone() -> bool:
    """Whether the terminal that Textual writes to was closed."""
    try:
        termios.tcgetattr(2)
    except termios.error as error:
        return bool(error.args) and error.args[0] == errno.EIO
    return False


def _chosen_keys(chosen: Keymap) -> dict[str, str]:
    """The commands whose keys are not the declared ones, as Textual takes them."""
    return {
        command: ",".join({",": "comma"}.get(key, key) for key in keys) or NO_KEY
        for command, keys in chosen.keys.items()
        if keys != BY_ID[command].keys
    }


def _given_spec(options: ScreenOptions) -> SpecTarget | None:
    if options.spec is None:
        return None
    from vally_tui.triage.spec_target import read_target

    return read_target(Path(options.spec), given=True)


def _wanted(options: ScreenOptions) -> Callable[[Trial], bool] | None:
    """Which trials are taken at all."""
    if not options.stimuli and not options.models:
        return None
    stimuli, models = frozenset(options.stimuli), frozenset(options.models)
    return lambda trial: (not stimuli or trial.stimulus in stimuli) and (not models or trial.model in models)


def _run_name(discovery: Discovery) -> str:
    names = [source.name for source in discovery.sources]
    return names[0] if len(names) == 1 else f"{len(names)} runs"
