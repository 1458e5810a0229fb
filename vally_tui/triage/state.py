"""What the person has selected, filtered and edited: one frozen value, changed only by update.py."""

from msgspec import Struct

from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.filter import NO_FILTER, Filter, Sort
from vally_tui.triage.tabs import WHOLE_DIFF, Tab


class TriageState(Struct, frozen=True):
    """The whole of it; facts such as trials and verdicts are on the board."""

    trial: int | None = None
    """Key of the trial in view."""
    slot: int | None = None
    """The focused grader; None: none is, and matches of all are walked."""
    tab: Tab = WHOLE_DIFF
    """The evidence in view."""
    filter: Filter = NO_FILTER
    sort: Sort = Sort.STIMULUS
    with_text: frozenset[int] | None = None
    """Trials whose evidence holds the filter's text; None while that is not known."""
    chosen: bool = False
    """Whether the person has moved: until then the first failing trial is followed as verdicts come in."""
    edits: Edits = NO_EDITS
    saved: Edits = NO_EDITS
    """The edits that are on disk."""
    past: tuple[Edits, ...] = ()
    future: tuple[Edits, ...] = ()
    typing_slot: int | None = None
    """The slot whose field is open: its keystrokes since then are one step of undo."""

    @property
    def unsaved(self) -> int:
        """How many graders differ from what is on disk."""
        return self.edits.count_against(self.saved)


def first_failing_slot(board: Board, key: int, edits: Edits) -> int | None:
    """The first grader of a trial that says fail, else the first that has no verdict of its own, else the first."""
    slots = board.slots_of(key, edits)
    verdicts = [(slot, board.current(key, slot, edits).verdict) for slot in slots]
    for slot, verdict in verdicts:
        if verdict.passed is False and not verdict.broken:
            return slot
    for slot, verdict in verdicts:
        if verdict.broken:
            return slot
    judged = [slot for slot in slots if board.asked(slot, edits) is not None]
    return next(iter(judged or slots), None)
