"""What the keys for moving do: in panes, from failure to failure, match to match, turn to turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.events import Key

from vally_tui.grading.graders import Subject
from vally_tui.triage import update
from vally_tui.triage.tabs import WHOLE_DIFF, tabs_of
from vally_tui.triage.trial_list import flipped
from vally_tui.ui.screens.handlers import Handlers
from vally_tui.ui.typeahead import Turn

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

MOVES = Handlers()


_FOR_EVIDENCE = {"match", "hunk", "file", "diff", "suggest"}
"""What the commands are called, up to the first point, that are for the evidence in view, whichever pane has the focus."""


def is_for_evidence(screen: TriageScreen, event: Turn) -> bool:
    """Whether a key is for a place of the evidence in view; in the field of a grader it is text."""
    if not isinstance(event, Key) or screen.focused is screen.field:
        return False
    commands = screen.keymap.command_of()
    family = commands.get(event.key, commands.get(event.character or "", "")).partition(".")[0]
    return family in _FOR_EVIDENCE or (family == "move" and screen.active_name in {"diff", "files"})


def awaits_evidence(screen: TriageScreen) -> bool:
    """Whether the evidence of what is selected is still being read, or not on the screen yet."""
    session = screen.session
    document = session.document
    if document is None or document.key != session.evidence_key:
        return session.state.trial is not None
    return document.index is not None and bool(document.text) and screen.diff.view.document is not document.index


def _no_trial(screen: TriageScreen) -> str | None:
    return None if screen.session.state.trial is not None else "there is no trial yet"


def _no_document(screen: TriageScreen) -> str | None:
    return None if screen.diff.view.document.row_count else "there is nothing to read here"


def _act(*actions: str) -> None:
    """Commands of the pane that has the focus, by the action of its list."""
    command, action = actions

    @MOVES.does(command)
    def move(screen: TriageScreen) -> None:
        getattr(screen.active_list, f"action_{action}")()


for _command, _action in (
    ("move.down", "cursor_down"),
    ("move.up", "cursor_up"),
    ("move.first", "first"),
    ("move.last", "last"),
    ("move.half-page-down", "half_down"),
    ("move.half-page-up", "half_up"),
    ("move.page-down", "page_down"),
    ("move.page-up", "page_up"),
):
    _act(_command, _action)


@MOVES.does("move.enter")
def _enter(screen: TriageScreen) -> None:
    screen.active_list.action_choose()


@MOVES.does("move.left")
def _left(screen: TriageScreen) -> None:
    screen.diff.view.action_left()


@MOVES.does("move.right")
def _right(screen: TriageScreen) -> None:
    screen.diff.view.action_right()


@MOVES.does("diff.down")
def _diff_down(screen: TriageScreen) -> None:
    screen.diff.view.scroll_rows(3)


@MOVES.does("diff.up")
def _diff_up(screen: TriageScreen) -> None:
    screen.diff.view.scroll_rows(-3)


@MOVES.does("pane.next")
def _next_pane(screen: TriageScreen) -> None:
    screen.focus_pane(1)


@MOVES.does("pane.previous")
def _previous_pane(screen: TriageScreen) -> None:
    screen.focus_pane(-1)


@MOVES.does("trial.next-failing", unless=_no_trial)
def _next_failing(screen: TriageScreen) -> None:
    _go_to(screen, update.next_trial(screen.session.state, screen.session.board, screen.session.rows.keys, 1))


@MOVES.does("trial.previous-failing", unless=_no_trial)
def _previous_failing(screen: TriageScreen) -> None:
    _go_to(screen, update.next_trial(screen.session.state, screen.session.board, screen.session.rows.keys, -1))


def _go_to(screen: TriageScreen, key: int | None, none: str = "no trial in the list fails") -> None:
    if key is None:
        screen.refuse(none)
    else:
        screen.select_trial(key)


@MOVES.does("flip.next", unless=_no_trial)
def _next_flip(screen: TriageScreen) -> None:
    _walk_flips(screen, 1)


@MOVES.does("flip.previous", unless=_no_trial)
def _previous_flip(screen: TriageScreen) -> None:
    _walk_flips(screen, -1)


def _walk_flips(screen: TriageScreen, step: int) -> None:
    session = screen.session
    keys = session.rows.keys
    wanted = flipped(session.board, keys, session.state)
    slot = session.state.slot
    key = update.next_trial(session.state, session.board, keys, step, wanted)
    _go_to(screen, key, "no trial in the list is flipped")
    if key is not None and slot is not None and slot in session.board.slots_of(key, session.state.edits):
        screen.select_slot(slot)


@MOVES.does(*(f"grader.{number}" for number in range(1, 10)), unless=_no_trial)
def _focus_grader(screen: TriageScreen) -> None:
    """Which number was asked for, the screen says: one deed serves all nine."""
    state = screen.session.state
    assert state.trial is not None
    number = int(screen.asked_for.removeprefix("grader."))
    slots = screen.session.board.slots_of(state.trial, state.edits)
    if number > len(slots):
        screen.refuse(f"this trial has {len(slots)} grader{'s' * (len(slots) != 1)}")
    else:
        screen.select_slot(slots[number - 1])


@MOVES.does("grader.none", unless=_no_trial)
def _focus_none(screen: TriageScreen) -> None:
    screen.select_slot(None)


def _nothing_to_walk(screen: TriageScreen) -> str | None:
    return None if screen.search is not None else _no_document(screen)


@MOVES.does("match.next", unless=_nothing_to_walk)
def _next_match(screen: TriageScreen) -> None:
    _walk(screen, 1)


@MOVES.does("match.previous", unless=_nothing_to_walk)
def _previous_match(screen: TriageScreen) -> None:
    _walk(screen, -1)


def _walk(screen: TriageScreen, step: int) -> None:
    """Through the finds while a search is open, else through the matches."""
    if screen.search is not None:
        screen.search.walk(step)
    else:
        screen.walk_matches(step)


def _no_further(screen: TriageScreen, which: str, what: str) -> str:
    match screen.session.state.tab.subject:
        case Subject.OUTPUT:
            return "the output has no parts"
        case Subject.TRANSCRIPT:
            return f"this is the {which} message"
    return f"this is the {which} {what}"


@MOVES.does("hunk.next", unless=_no_document)
def _next_hunk(screen: TriageScreen) -> None:
    if not screen.diff.view.step_hunk(1):
        screen.refuse(_no_further(screen, "last", "hunk"))


@MOVES.does("hunk.previous", unless=_no_document)
def _previous_hunk(screen: TriageScreen) -> None:
    if not screen.diff.view.step_hunk(-1):
        screen.refuse(_no_further(screen, "first", "hunk"))


@MOVES.does("file.next", unless=_no_document)
def _next_file(screen: TriageScreen) -> None:
    if not screen.diff.view.step_file(1):
        screen.refuse(_no_further(screen, "last", "file"))


@MOVES.does("file.previous", unless=_no_document)
def _previous_file(screen: TriageScreen) -> None:
    if not screen.diff.view.step_file(-1):
        screen.refuse(_no_further(screen, "first", "file"))


@MOVES.does("turn.next", unless=_no_trial)
def _next_turn(screen: TriageScreen) -> None:
    _walk_turns(screen, 1)


@MOVES.does("turn.previous", unless=_no_trial)
def _previous_turn(screen: TriageScreen) -> None:
    _walk_turns(screen, -1)


def _walk_turns(screen: TriageScreen, step: int) -> None:
    state = screen.session.state
    assert state.trial is not None
    tabs = tabs_of(screen.session.board, state.trial, state.edits)
    if len(tabs) < 2:
        screen.refuse("this trial has one turn" if tabs[0] == WHOLE_DIFF else "no grader looks at another text")
        return
    at = tabs.index(state.tab) if state.tab in tabs else 0
    screen.select_tab(tabs[(at + step) % len(tabs)])


@MOVES.does("suspend")
def _suspend(screen: TriageScreen) -> None:
    screen.app.action_suspend_process()


@MOVES.does("diff.wrap")
def _wrap(screen: TriageScreen) -> None:
    screen.diff.view.toggle_wrap()


@MOVES.does("diff.fold")
def _fold(screen: TriageScreen) -> None:
    screen.diff.view.toggle_folded()
