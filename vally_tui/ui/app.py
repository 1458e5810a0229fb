"""The program on the screen: starts engine, session and triage screen, and ends them again whatever happens."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

from textual.app import App

from vally_tui.engine.client import Engine
from vally_tui.errors import RunUnreadable
from vally_tui.grading.pattern import FULL_LIMIT, TimeLimit
from vally_tui.runs.discover import Discovery, discover
from vally_tui.runs.model import Trial
from vally_tui.triage.options import ScreenOptions
from vally_tui.triage.session import Event, Session
from vally_tui.triage.spec_target import read_target
from vally_tui.ui.commands import BY_ID, Keymap
from vally_tui.ui.config import Config, read_config
from vally_tui.ui.messages import News
from vally_tui.ui.render.themes import THEMES, variable_defaults
from vally_tui.ui.screens.triage import TriageScreen
from vally_tui.ui.widgets.layout import COLUMN_CLASSES, ROW_CLASSES

DEFAULT_THEME = "vally-dark"
NO_KEY = "no_key"
"""No keyboard has it: where a command has no key Textual would leave it the declared one."""


class VallyApp(App[int]):
    """Owns the session's life and hands its news to the screen."""

    CSS_PATH = "app.tcss"
    TITLE = "vally-tui"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = COLUMN_CLASSES
    VERTICAL_BREAKPOINTS = ROW_CLASSES

    def __init__(self, options: ScreenOptions, discovery: Discovery, engine: Engine, config: Config) -> None:
        # Textual sends greys under NO_COLOR unless it is told to leave colours to the terminal from the start.
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.options = options
        self.config = config
        self.session = Session(
            discovery.sources,
            engine,
            self._post,
            spec=read_target(Path(options.spec), given=True) if options.spec is not None else None,
            issues=discovery.issues,
            limit=FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte),
            max_bytes=options.max_diff,
            only=_wanted(options),
        )
        self._run_name = _run_name(discovery)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Every variable of ours, for themes that do not know them."""
        return variable_defaults(self.current_theme)

    def on_mount(self) -> None:
        """Open the triage screen and begin."""
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self._theme()
        self.animation_level = "none"
        self.set_keymap(_chosen_keys(self.config.keymap))
        self._end_on_signals()
        self.push_screen(
            TriageScreen(
                self.session,
                self.config.keymap,
                run_name=self._run_name,
                faults=self.config.faults,
            )
        )
        self.session.start()

    def on_unmount(self) -> None:
        """End the threads."""
        self.session.close()

    def on_news(self, message: News) -> None:
        """Take in what a thread has found."""
        message.stop()
        changed = self.session.receive(message.event)
        for screen in self.screen_stack:
            if isinstance(screen, TriageScreen):
                screen.changed(changed)

    async def action_quit(self) -> None:
        """Textual's own key for quitting asks as ours does: there may be unsaved edits."""
        for screen in self.screen_stack:
            if isinstance(screen, TriageScreen):
                screen.action_command("quit")
                return
        self.exit(0)

    def _post(self, event: Event) -> None:
        self.post_message(News(event))

    def _theme(self) -> str:
        wanted = self.options.theme or self.config.theme or DEFAULT_THEME
        return wanted if wanted in self.available_themes else DEFAULT_THEME

    def _end_on_signals(self) -> None:
        """Without this the terminal stays in the alternate screen when the program is asked to end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
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
            app = VallyApp(options, discovery, engine, read_config())
            return app.run() or app.return_code or 0
        finally:
            discovery.close()


def _chosen_keys(chosen: Keymap) -> dict[str, str]:
    """The commands whose keys are not the declared ones, as Textual takes them."""
    return {
        command: ",".join({",": "comma"}.get(key, key) for key in keys) or NO_KEY
        for command, keys in chosen.keys.items()
        if keys != BY_ID[command].keys
    }


def _wanted(options: ScreenOptions) -> Callable[[Trial], bool] | None:
    """Which trials are taken at all."""
    if not options.stimuli and not options.models:
        return None
    stimuli, models = frozenset(options.stimuli), frozenset(options.models)
    return lambda trial: (not stimuli or trial.stimulus in stimuli) and (not models or trial.model in models)


def _run_name(discovery: Discovery) -> str:
    names = [source.name for source in discovery.sources]
    return names[0] if len(names) == 1 else f"{len(names)} runs"
