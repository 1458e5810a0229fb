"""Lint on the screen: marks on the graders of the trial in view, and the box that lists all findings."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vally_tui.triage.explain.configs import with_pattern
from vally_tui.triage.linting import SHORT, LintDone, Linting
from vally_tui.triage.session import Session
from vally_tui.triage.views_model import GraderRow, Tone, Word
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.screens.box_lint import LintBox, Mended
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.explaining import try_config
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

LINTING = Handlers()
LINT = "lint"


class Linter:
    """What the screen knows of the graders in view: asked for when all is judged."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.linting = Linting()
        self._waits = False

    def look(self) -> None:
        """Look at the graders of the trial in view, once all is judged; not while one of them is typed."""
        session = self._session
        if session.progress.done and not session.is_judging and session.state.typing_slot is None:
            self.ask(late=True)

    def ask(self, *, late: bool) -> None:
        """Look at the graders of the trial in view."""
        session = self._session
        key = session.state.trial
        if key is None or (self._waits and late):
            return
        job = self.linting.job(session.board, key, session.state.edits)
        if job is not None:
            self._waits = True
            session.service.ask(LINT, job, late=late)

    def take(self, value: object) -> None:
        """A job is done."""
        self._waits = False
        if isinstance(value, LintDone):
            self.linting.take(value)

    def marked(self, rows: list[GraderRow], slots: tuple[int, ...]) -> list[GraderRow]:
        """The rows with a mark where a grader cannot be right; one that has another notice keeps that."""
        session = self._session
        key = session.state.trial
        if key is None:
            return rows
        marks = self.linting.marks(session.board, key, session.state.edits)
        made = []
        for row, slot in zip(rows, slots, strict=True):
            mark = marks.get(slot)
            if mark is not None and not row.notice:
                row = replace(row, notice=(Word(f"{LOOK} {SHORT[mark.check]}", Tone.WARN),))
                if slot == session.state.slot and not row.finding:
                    row = replace(row, finding=(Word(f"{LOOK} {mark.sentence}", Tone.WARN),))
            made.append(row)
        return made


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
    screen.app.push_screen(box, partial(_take_choice, screen, slots))
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


def _take_choice(screen: TriageScreen, slots: tuple[int, ...], mended: Mended | None) -> None:
    screen.waiting_box = None
    if mended is not None:
        session, slot = screen.session, slots[mended.grader]
        config = session.board.config(slot, session.state.edits)
        try_config(screen, slot, with_pattern(config, mended.pattern))
