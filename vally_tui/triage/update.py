"""(state, what happened) -> state. Pure: nothing is read, judged or drawn here.

Undo and redo keep whole ``Edits`` values; the keystrokes of one visit to a field are one step.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.board import Board
from vally_tui.triage.edits import Edits, TypedText
from vally_tui.triage.filter import Filter, Sort
from vally_tui.triage.state import TriageState, first_failing_slot
from vally_tui.triage.tabs import Tab, tab_of

HISTORY = 1000
"""Steps of undo that are kept."""


def select_trial(state: TriageState, board: Board, key: int, *, chosen: bool = True) -> TriageState:
    """Bring a trial into view, with its first failing grader focused and that grader's evidence open."""
    if key not in board.entries:
        return state
    return select_slot(
        replace(state, trial=key, chosen=state.chosen or chosen), board, first_failing_slot(board, key, state.edits)
    )


def select_slot(state: TriageState, board: Board, slot: int | None) -> TriageState:
    """Focus a grader of the trial in view and open its evidence; None focuses none and keeps the tab."""
    if slot is None or state.trial is None:
        return replace(state, slot=slot)
    return replace(state, slot=slot, tab=tab_of(board, state.trial, slot, state.edits))


def focus_slot(state: TriageState, board: Board, slot: int | None) -> TriageState:
    """As ``select_slot``, because the person wants it: from now on nothing else is brought into view."""
    return select_slot(replace(state, chosen=True), board, slot)


def select_tab(state: TriageState, tab: Tab) -> TriageState:
    """Open another of the trial's texts."""
    return replace(state, tab=tab, chosen=True)


def follow_first_failure(state: TriageState, board: Board) -> TriageState:
    """Until the person moves: the first failing trial is in view, else the first of all."""
    if state.chosen or not board.entries:
        return state
    key = board.first_failing
    if key is None:
        key = state.trial if state.trial in board.entries else next(iter(board.entries))
    assert key is not None
    if key != state.trial:
        return select_trial(state, board, key, chosen=False)
    slot = first_failing_slot(board, key, state.edits)
    return state if slot == state.slot else select_slot(state, board, slot)


def next_trial(
    state: TriageState, board: Board, rows: Sequence[int], step: int, wanted: Sequence[int] | None = None
) -> int | None:
    """The next (step 1) or previous (−1) trial of the list that is among ``wanted``, else that fails; it wraps around."""
    board.settle_few(state.edits, state.saved)
    among = board.failing if wanted is None else set(wanted)
    if not among:
        return None
    keys = list(rows)
    at = keys.index(state.trial) if state.trial in keys else -1 if step > 0 else len(keys)
    for distance in range(1, len(keys) + 1):
        key = keys[(at + step * distance) % len(keys)]
        if key in among:
            return key
    return None


def set_filter(state: TriageState, condition: Filter) -> TriageState:
    """Show the trials that a filter lets through; what its text is found in must be looked up anew."""
    same_text = condition.text == state.filter.text
    return replace(state, filter=condition, with_text=state.with_text if same_text else None)


def set_sort(state: TriageState, sort: Sort) -> TriageState:
    """Order the trials."""
    return replace(state, sort=sort)


def open_field(state: TriageState, slot: int) -> TriageState:
    """Begin to type in a grader's field: what follows is one step of undo."""
    return replace(state, typing_slot=slot, past=_remember(state), future=(), chosen=True)


def close_field(state: TriageState) -> TriageState:
    """Leave the field; where nothing was changed there, no step of undo is left behind."""
    past = state.past[:-1] if state.past and state.past[-1] == state.edits else state.past
    return replace(state, typing_slot=None, past=past)


def edit_slot(state: TriageState, board: Board, slot: int, config: GraderConfig) -> TriageState:
    """Give a grader another config."""
    edits = state.edits.with_config(slot, config, board.slots[slot].base)
    return _with_edits(state, board, edits, slot)


def edit_text(state: TriageState, board: Board, slot: int, config: GraderConfig, text: TypedText | None) -> TriageState:
    """Give a grader another config and the text in which it was typed; None: its text in the spec stays."""
    edits = state.edits.with_config(slot, config, board.slots[slot].base).with_text(slot, text)
    return _with_edits(state, board, edits, slot)


def remove_slot(state: TriageState, board: Board, slot: int) -> TriageState:
    """Take a grader out of its stimulus."""
    return _with_edits(state, board, state.edits.without(slot), None)


def add_slot(state: TriageState, board: Board, slot: int) -> TriageState:
    """Put a slot that the board has made room for into its stimulus, and focus it."""
    made = board.slots[slot]
    return _with_edits(state, board, state.edits.with_added(made.stimulus, slot, made.base), slot)


def undo(state: TriageState, board: Board) -> TriageState:
    """Take the last step back; also one from before a save."""
    if not state.past:
        return state
    undone = replace(
        state, edits=state.past[-1], past=state.past[:-1], future=(state.edits, *state.future), typing_slot=None
    )
    return refocus(undone, board)


def redo(state: TriageState, board: Board) -> TriageState:
    """Do the step again that was taken back last."""
    if not state.future:
        return state
    redone = replace(
        state, edits=state.future[0], past=(*state.past, state.edits), future=state.future[1:], typing_slot=None
    )
    return refocus(redone, board)


def take_edits(state: TriageState, board: Board, edits: Edits) -> TriageState:
    """Take whole edits as one step that can be undone, such as those of a session that ended early."""
    return _with_edits(state, board, edits, state.slot)


def mark_saved(state: TriageState, edits: Edits) -> TriageState:
    """These edits are on disk now."""
    return replace(state, saved=edits)


def _with_edits(state: TriageState, board: Board, edits: Edits, slot: int | None) -> TriageState:
    if edits == state.edits:
        return state
    typing = state.typing_slot is not None and state.typing_slot == slot
    past = state.past if typing else _remember(state)
    return refocus(replace(state, edits=edits, past=past, future=(), slot=slot, chosen=True), board)


def refocus(state: TriageState, board: Board) -> TriageState:
    """Keep a grader in focus that is still there, on the tab of the evidence that it looks at now."""
    if state.trial is None:
        return state
    slots = board.slots_of(state.trial, state.edits)
    kept = (slot for slot in (state.typing_slot, state.slot) if slot in slots)
    return select_slot(state, board, next(kept, first_failing_slot(board, state.trial, state.edits)))


def _remember(state: TriageState) -> tuple[Edits, ...]:
    return (*state.past, state.edits)[-HISTORY:]
