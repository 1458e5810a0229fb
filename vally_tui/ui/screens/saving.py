"""What ctrl+s does: gathers the edits, opens the box that shows and writes them, and takes note of what was written."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import GraderConfig
from vally_tui.runs.model import LoadIssue
from vally_tui.runs.record_detail import read_stimulus
from vally_tui.spec.edit import Sharing
from vally_tui.spec.new_spec import new_spec_text
from vally_tui.spec.rebase import Rebase, rebase
from vally_tui.spec.save import Conflict, Saved, save, write_new
from vally_tui.triage import update
from vally_tui.triage.edit_view import effect_phrase, error_of
from vally_tui.triage.events import Changed
from vally_tui.triage.saving import SavePlan, SlotChange, changes_of, plan_save, saved_by
from vally_tui.triage.session import Session
from vally_tui.triage.spec_target import SpecFound, SpecTarget, read_target, recorded_evals
from vally_tui.triage.state import TriageState
from vally_tui.triage.views_model import Phrase, Tone, Word
from vally_tui.ui.screens.box_save import Elsewhere, Outcome, ReadAgain, SaveBox, SavedText, SaveJob
from vally_tui.ui.screens.box_save_as import SaveAsBox
from vally_tui.ui.screens.copying import copy_text, toast
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

SAVING = Handlers()
NEW_SPEC = "eval.yaml"


def nothing_to_save(screen: TriageScreen) -> str | None:
    """Why there is nothing to save."""
    return None if screen.session.state.unsaved else "save: there is no unsaved edit"


@SAVING.does("save", unless=nothing_to_save)
def save_edits(screen: TriageScreen) -> None:
    """Show the change, then write it."""
    session = screen.session
    changes = changes_of(session.board, session.state)
    if session.spec is None:
        _save_as_new(screen, session.spec_fault)
    else:
        _open_box(screen, session.spec, changes)


def _open_box(screen: TriageScreen, target: SpecTarget, changes: tuple[SlotChange, ...]) -> None:
    session = screen.session
    effects = {change.slot: _effect(session, change.slot) for change in changes if change.after is not None}

    def plan(sharing: Mapping[int, Sharing]) -> SavePlan:
        return plan_save(changes, target.document, target.shown, sharing)

    def write(made: SavePlan) -> Saved | Conflict:
        assert made.applied is not None
        return save(target.path, target.document.digest, made.applied.text)

    def reread(made: SavePlan) -> tuple[SpecTarget, Rebase]:
        now = read_target(target.path, given=target.given)
        return now, rebase(made.edits, now.document)

    box = SaveBox(screen.keymap, SaveJob(plan, write, reread), target, effects, partial(copy_text, screen.app))
    screen.app.push_screen(box, partial(_take_outcome, screen, target))


def _effect(session: Session, slot: int) -> Phrase:
    """What an edit does to the trials, or why it cannot be judged."""
    error = error_of(session.board, session.state, slot)
    if error is not None:
        return (Word("▲ ", Tone.WARN), Word(error, Tone.FAIL), Word("  nothing is judged by it", Tone.MUTED))
    return effect_phrase(session.board, session.state, slot)


def _take_outcome(screen: TriageScreen, target: SpecTarget, outcome: Outcome | None) -> None:
    match outcome:
        case SavedText(plan=plan):
            assert plan.applied is not None
            screen.session.spec = replace(target, document=plan.applied.document, read_at=time.time())
            _saved(screen, target.shown, saved_by(plan, screen.session.state))
        case ReadAgain(target=now):
            # As if it had been noticed on disk: the graders of a given spec are judged anew.
            screen.changed(screen.session.receive(SpecFound(now)))
            _open_box(screen, now, changes_of(screen.session.board, screen.session.state))
        case Elsewhere(plan=plan):
            _save_plan_as(screen, target, plan)


def _saved(screen: TriageScreen, shown: str, state: TriageState) -> None:
    """Take note of what is on disk now."""
    screen.changed(Changed.SPEC | Changed.VERDICTS)
    screen.change(state)
    toast(screen.app, f"saved {shown}")


def _save_plan_as(screen: TriageScreen, target: SpecTarget, plan: SavePlan) -> None:
    assert plan.applied is not None
    text = plan.applied.text

    def write(chosen: str) -> None:
        write_new(Path(chosen), text)

    def saved(path: str | None) -> None:
        if path is not None:
            _saved_as(screen, path, saved_by(plan, screen.session.state), given=target.given)

    why = "The spec with your edit on top of what was read, as another file."
    name = str(target.path.with_stem(f"{target.path.stem}-edited"))
    screen.app.push_screen(SaveAsBox(screen.keymap, why, name, write), saved)


def _save_as_new(screen: TriageScreen, fault: str | None) -> None:
    """No spec is at hand: the recorded stimuli with the edited graders make a new one."""
    session = screen.session
    board, state = session.board, session.state
    first: dict[str, int] = {}
    for entry in board:
        if entry.trial.stimulus is not None and entry.trial.has_trajectory:
            first.setdefault(entry.trial.stimulus, entry.trial.key)
    wanted = [
        (board.entries[key], [board.config(slot, state.edits) for slot in board.slots_of(key, state.edits)])
        for key in first.values()
    ]
    name = next((entry.trial.eval_name for entry in board if entry.trial.eval_name), "eval")

    def write(chosen: str) -> None:
        stimuli: list[tuple[Mapping[str, object], list[GraderConfig]]] = []
        for entry, graders in wanted:
            stimulus = read_stimulus(board.sources[entry.run], entry.trial)
            if isinstance(stimulus, LoadIssue):
                raise SpecEditRefused(stimulus.message)
            stimuli.append((stimulus, graders))
        write_new(Path(chosen), new_spec_text(name, stimuli))

    why = f"{fault or _not_found(session)} A new spec is made from the recorded stimuli with your graders."

    def saved(path: str | None) -> None:
        if path is not None:
            now = screen.session.state
            _saved_as(screen, path, update.mark_saved(now, now.edits), given=False)

    screen.app.push_screen(SaveAsBox(screen.keymap, why, NEW_SPEC, write), saved)


def _not_found(session: Session) -> str:
    """Why no spec is at hand, and what to do for one that the person has."""
    if not recorded_evals(entry.trial for entry in session.board):
        return "The record does not name this run's spec: with -e SPEC edits are saved to that file."
    return "The spec of this run was not found below the current directory or beside the run."


def _saved_as(screen: TriageScreen, path: str, state: TriageState, *, given: bool) -> None:
    """From now on the new file is the one that is saved to and watched."""
    screen.session.target_is(read_target(Path(path), given=given))
    assert screen.session.spec is not None
    _saved(screen, screen.session.spec.shown, state)
