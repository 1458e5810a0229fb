"""Editing graders: the field in place, toggles, undo and redo, adding and removing. What an edit means is triage's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vally_tui.grading.graders import Subject, subject_of
from vally_tui.grading.model import GraderConfig
from vally_tui.triage import config_edit, update
from vally_tui.triage.edit_view import flag_keys, toggled
from vally_tui.ui.screens.handlers import Handlers, Refusal

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

EDITING = Handlers()

NEW_TYPES = {
    Subject.DIFF: "diff-contains",
    Subject.OUTPUT: "output-matches",
    Subject.TRANSCRIPT: "transcript-matches",
}
"""What a grader that is added asks of the text in view."""


def _config(screen: TriageScreen) -> GraderConfig | None:
    slot = screen.session.state.slot
    return None if slot is None else screen.session.board.config(slot, screen.session.state.edits)


def no_grader(screen: TriageScreen) -> str | None:
    """Why there is no grader to edit."""
    if screen.session.state.slot is None:
        return "no grader is focused: press its number first"
    return None


def no_field(screen: TriageScreen) -> str | None:
    """Why the focused grader has nothing to type."""
    config = _config(screen)
    if config is None:
        return no_grader(screen)
    if config_edit.text_key(config) is not None:
        return None
    return f"{config.type} has no pattern; E edits its whole config"


def not_judged(screen: TriageScreen) -> str | None:
    """Why the focused grader's type cannot be judged again."""
    config = _config(screen)
    if config is None:
        return no_grader(screen)
    return None if config_edit.next_type(config) else f"{config.type} is not judged again; E edits its whole config"


def no_turn(screen: TriageScreen) -> str | None:
    """Why the focused grader cannot look at one turn."""
    config = _config(screen)
    if config is None or subject_of(config.type) is Subject.DIFF:
        return not_judged(screen)
    return f"{config.type} is judged again for the whole run only"


@EDITING.does("edit.pattern", unless=no_field)
def edit_pattern(screen: TriageScreen) -> None:
    """Open the field under the focused grader."""
    slot = screen.session.state.slot
    assert slot is not None
    screen.chosen_flag = None
    screen.make_room("graders")
    screen.graders.set_editing(True)
    screen.change(update.open_field(screen.session.state, slot))
    screen.open_field()


def leave_field(screen: TriageScreen, *, elsewhere: bool = False) -> None:
    """Close the field and keep the edit; ``elsewhere``: the focus stays where it went."""
    screen.field.close()
    screen.graders.set_editing(False)
    screen.chosen_flag = None
    screen.change(update.close_field(screen.session.state))
    if not elsewhere:
        screen.graders.focus()


def field_is_lost(screen: TriageScreen) -> bool:
    """Whether the grader of the open field is none of the trial in view any more, such as after an undo."""
    session, state = screen.session, screen.session.state
    if state.typing_slot is None:
        return True
    return state.trial is not None and state.typing_slot not in session.board.slots_of(state.trial, state.edits)


def typed(screen: TriageScreen, text: str) -> None:
    """The field holds another text."""
    slot = screen.session.state.typing_slot
    if slot is None:
        return
    board, state = screen.session.board, screen.session.state
    config = config_edit.with_field_text(board.config(slot, state.edits), text)
    screen.follow_matches()
    screen.change(update.edit_slot(state, board, slot, config))


def walk_flags(screen: TriageScreen, step: int) -> None:
    """Choose the next toggle, or (step 0) turn the chosen one; beyond the last one is the field again."""
    if step == 0:
        turn_flag(screen)
        return
    config = _config(screen)
    count = len(flag_keys(config)) if config is not None else 0
    at = -1 if screen.chosen_flag is None else screen.chosen_flag
    at = (at + 1 + step) % (count + 1) - 1
    screen.chosen_flag = at if at >= 0 else None
    screen.field.on_flags = screen.chosen_flag is not None
    screen.redraw_graders()


def turn_flag(screen: TriageScreen) -> None:
    """Set or unset the chosen toggle."""
    slot = screen.session.state.typing_slot
    if slot is None or screen.chosen_flag is None:
        return
    board, state = screen.session.board, screen.session.state
    key = flag_keys(board.config(slot, state.edits))[screen.chosen_flag]
    config = toggled(board, state, slot, key)
    # Another type may have other toggles; the same one stays chosen.
    screen.chosen_flag = flag_keys(config).index(key)
    screen.field.put(config_edit.field_text(config))
    screen.follow_matches()
    screen.change(update.edit_slot(state, board, slot, config))


def _changes(command: str, change: Callable[[TriageScreen, GraderConfig], GraderConfig], unless: Refusal) -> None:
    """A command that gives the focused grader another config."""

    @EDITING.does(command, unless=unless)
    def edit(screen: TriageScreen) -> None:
        slot, config = screen.session.state.slot, _config(screen)
        assert slot is not None
        assert config is not None
        state = update.edit_slot(screen.session.state, screen.session.board, slot, change(screen, config))
        screen.change(state)


_changes("edit.literal", lambda _, config: config_edit.with_other_key(config), no_field)
_changes(
    "edit.negate",
    lambda _, config: config_edit.with_negation(config, not config_edit.is_negated(config)),
    no_field,
)
_changes(
    "edit.type",
    lambda _, config: config_edit.with_type(config, config_edit.next_type(config) or config.type),
    not_judged,
)
_changes("edit.turn", lambda screen, config: screen.with_next_turn(config), no_turn)


def _no_trial(screen: TriageScreen) -> str | None:
    return None if screen.session.state.trial is not None else "there is no trial yet"


def _nothing_to_undo(screen: TriageScreen) -> str | None:
    return None if screen.session.state.past else "undo: nothing was edited yet"


def _nothing_to_redo(screen: TriageScreen) -> str | None:
    return None if screen.session.state.future else "redo: nothing was undone"


@EDITING.does("edit.add", unless=_no_trial)
def add_grader(screen: TriageScreen) -> None:
    """Add a grader of the text in view to its stimulus, and open its field."""
    state = screen.session.state
    assert state.trial is not None
    stimulus = screen.session.board.entries[state.trial].trial.stimulus
    screen.changed(
        screen.session.add_grader(stimulus, GraderConfig(NEW_TYPES[state.tab.subject], config={"pattern": ""}))
    )
    edit_pattern(screen)


@EDITING.does("edit.remove", unless=no_grader)
def remove_grader(screen: TriageScreen) -> None:
    """Take the focused grader out of its stimulus."""
    slot = screen.session.state.slot
    assert slot is not None
    screen.change(update.remove_slot(screen.session.state, screen.session.board, slot))


@EDITING.does("edit.undo", unless=_nothing_to_undo)
def undo(screen: TriageScreen) -> None:
    """Take the last edit back."""
    screen.change(update.undo(screen.session.state, screen.session.board))


@EDITING.does("edit.redo", unless=_nothing_to_redo)
def redo(screen: TriageScreen) -> None:
    """Do the edit again that was taken back last."""
    screen.change(update.redo(screen.session.state, screen.session.board))
