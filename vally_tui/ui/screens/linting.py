"""Lint on the screen: the box that lists all findings on the graders of the trial in view."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from vally_tui.triage.explain.configs import with_pattern
from vally_tui.ui.screens.box_lint import LintBox, Mended
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.explaining import try_config
from vally_tui.ui.screens.handlers import Handlers
from vally_tui.ui.screens.linter import LINT

if TYPE_CHECKING:
    from vally_tui.grading.model import GraderConfig
    from vally_tui.ui.screens.triage import TriageScreen

LINTING = Handlers()


def _no_trial(screen: TriageScreen) -> str | None:
    return None if screen.session.state.trial is not None else "there is no trial yet"


@LINTING.does("lint", unless=_no_trial)
def open_lint(screen: TriageScreen) -> None:
    """List what is odd about the graders of the trial in view."""
    session = screen.session
    key, edits = session.state.trial, session.state.edits
    assert key is not None
    slots = session.board.slots_of(key, edits)
    about = session.board.entries[key].trial.stimulus or "no stimulus"
    configs = [session.board.config(slot, edits) for slot in slots]
    known = screen.linter.linting.findings(session.board, key, edits)
    box = LintBox(screen.keymap, about, configs, known, copy=partial(copy_text, screen.app))
    screen.waiting_box = box
    screen.app.push_screen(box, partial(_take_choice, screen, slots, configs))
    if known is None:
        screen.linter.ask(late=False)


def take_lint(screen: TriageScreen, token: object, value: object) -> None:
    """Findings came in, also for the box that waits for them."""
    if token != LINT:
        return
    screen.linter.take(value)
    box, state = screen.waiting_box, screen.session.state
    if isinstance(box, LintBox) and state.trial is not None:
        known = screen.linter.linting.findings(screen.session.board, state.trial, state.edits)
        if known is not None:
            box.take(known)
        else:
            screen.linter.ask(late=False)


def _take_choice(
    screen: TriageScreen, slots: tuple[int, ...], configs: Sequence[GraderConfig], mended: Mended | None
) -> None:
    screen.waiting_box = None
    if mended is not None:
        try_config(screen, slots[mended.grader], with_pattern(configs[mended.grader], mended.pattern))
