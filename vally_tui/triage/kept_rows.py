"""When the rows of the trial list are made anew: many take a while to make. Which rows they are is trial_list's."""

import time

from vally_tui.triage.board import Board
from vally_tui.triage.doubting import Doubting
from vally_tui.triage.state import TriageState
from vally_tui.triage.trial_list import TrialList, depends_on_verdicts, trial_list

ROWS_QUICK = 0.01
"""Seconds that making the rows may take without anybody thinking of how often it is done."""
ROWS_SHARE = 10
"""Making the rows anew for news takes at most one part in so many of the time."""


class KeptRows:
    """The rows that were made last. ``trials`` is a number that grows with the trials on the board."""

    def __init__(self) -> None:
        self._rows: TrialList | None = None
        self._for: tuple[object, ...] = ()
        self._of: tuple[object, ...] = ()
        self._not_before = 0.0

    def of(self, board: Board, state: TriageState, doubting: Doubting, trials: int) -> TrialList:
        """The rows: for what the person does at once; for what comes in meanwhile so seldom that it takes little time."""
        of = (state.filter, state.sort, state.with_text, state.edits, state.saved)
        is_old = self.are_old(board, state, doubting, trials)
        if self._rows is None or (is_old and (of != self._of or time.monotonic() >= self._not_before)):
            began = time.monotonic()
            self._for, self._of = _needs(board, state, doubting, trials), of
            self._rows = trial_list(board, state, doubting)
            took = time.monotonic() - began
            self._not_before = began + (took * ROWS_SHARE if took > ROWS_QUICK else 0.0)
        return self._rows

    def are_old(self, board: Board, state: TriageState, doubting: Doubting, trials: int) -> bool:
        """Whether something changed since they were made."""
        return _needs(board, state, doubting, trials) != self._for


def _needs(board: Board, state: TriageState, doubting: Doubting, trials: int) -> tuple[object, ...]:
    """All that the rows depend on."""
    needs: tuple[object, ...] = (state.filter, state.sort, state.with_text, trials)
    if depends_on_verdicts(state):
        needs = (*needs, board.version, state.edits, state.saved, doubting.version)
    return needs
