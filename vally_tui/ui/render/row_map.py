"""Which screen row shows what: rows of the text, notices between them, folded stretches, wrapped lines.

A few sorted lists, however long the text is. Rows are rows of the text, screen rows count from the top of the whole
document; both from 0.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate

from msgspec import Struct


class Shown(StrEnum):
    """What a screen row shows."""

    LINE = "line"
    NOTICE = "notice"
    FOLD = "fold"


class Notice(Struct, frozen=True):
    """A sentence of ours that stands below a row."""

    row: int
    """-1: above the first one."""
    text: str
    heading: bool = False
    """Whether it names what follows; else it says what is odd."""


class Fold(Struct, frozen=True):
    """A stretch of rows that is shown as one."""

    row: int
    count: int
    what: str
    """"context" or "binary payload"."""


class ScreenRow(Struct, frozen=True):
    """What one screen row shows."""

    shown: Shown
    row: int
    """The row of the text: the one shown, the one a notice stands below, or the first one folded."""
    part: int = 0
    """Which screen row of a wrapped line, from 0."""
    notice: Notice | None = None
    fold: Fold | None = None


class _Piece(Struct, frozen=True):
    top: int
    row: int
    count: int
    notice: Notice | None = None
    fold: Fold | None = None


class RowMap:
    """The screen rows of one document. Never changed once made."""

    def __init__(
        self,
        row_count: int,
        notices: Sequence[Notice] = (),
        folds: Sequence[Fold] = (),
        heights: Iterable[int] | None = None,
    ) -> None:
        """``notices`` and ``folds`` in the order of their rows, folds without overlap.

        ``heights``: screen rows of each row when lines are wrapped; None: each has one.
        """
        self.row_count = row_count
        self._tops = _prefix_sums(heights) if heights is not None else None
        self._pieces = self._build(notices, folds)
        self._piece_tops = [piece.top for piece in self._pieces]
        self._piece_rows = [piece.row for piece in self._pieces if piece.notice is None]
        self._placed = [piece for piece in self._pieces if piece.notice is None]
        last = self._pieces[-1] if self._pieces else None
        self.height = last.top + self._piece_height(last) if last is not None else 0
        """All screen rows."""

    def _build(self, notices: Sequence[Notice], folds: Sequence[Fold]) -> list[_Piece]:
        pieces: list[_Piece] = []
        row, top = 0, 0

        def add(piece: _Piece) -> None:
            nonlocal row, top
            pieces.append(piece)
            top += self._piece_height(piece)
            row = piece.row + piece.count

        def lines_to(end: int) -> None:
            if end > row:
                add(_Piece(top, row, end - row))

        events: list[Fold | Notice] = [*folds, *notices]
        for event in sorted(events, key=_event_order):
            if isinstance(event, Fold):
                lines_to(event.row)
                add(_Piece(top, event.row, event.count, fold=event))
            else:
                lines_to(min(event.row + 1, self.row_count))
                add(_Piece(top, row, 0, notice=event))
        lines_to(self.row_count)
        return pieces

    def _piece_height(self, piece: _Piece) -> int:
        if piece.notice is not None or piece.fold is not None:
            return 1
        if self._tops is None:
            return piece.count
        return self._tops[piece.row + piece.count] - self._tops[piece.row]

    def at(self, screen_row: int) -> ScreenRow:
        """What a screen row shows; ``screen_row`` lies within ``height``."""
        piece = self._pieces[max(bisect_right(self._piece_tops, screen_row) - 1, 0)]
        if piece.notice is not None:
            return ScreenRow(Shown.NOTICE, piece.notice.row, notice=piece.notice)
        if piece.fold is not None:
            return ScreenRow(Shown.FOLD, piece.row, fold=piece.fold)
        step = screen_row - piece.top
        if self._tops is None:
            return ScreenRow(Shown.LINE, piece.row + step)
        target = self._tops[piece.row] + step
        row = bisect_right(self._tops, target) - 1
        return ScreenRow(Shown.LINE, row, target - self._tops[row])

    def of(self, row: int) -> int:
        """The first screen row that shows a row; for a folded row that of its fold."""
        if not self._placed:
            return 0
        piece = self._placed[max(bisect_right(self._piece_rows, row) - 1, 0)]
        if piece.fold is not None:
            return piece.top
        row = min(max(row, piece.row), piece.row + piece.count - 1)
        if self._tops is None:
            return piece.top + row - piece.row
        return piece.top + self._tops[row] - self._tops[piece.row]

    def fold_of(self, row: int) -> Fold | None:
        """The fold that hides a row."""
        if not self._placed:
            return None
        fold = self._placed[max(bisect_right(self._piece_rows, row) - 1, 0)].fold
        return fold if fold is not None and fold.row <= row < fold.row + fold.count else None

    def step(self, row: int, delta: int) -> int:
        """The row that the cursor comes to from ``row`` by one step down (1) or up (-1); a fold is one step."""
        fold = self.fold_of(row)
        start = fold.row if fold is not None else row
        after = fold.row + fold.count if fold is not None and delta > 0 else start + delta
        if not 0 <= after < self.row_count:
            return start
        landed = self.fold_of(after)
        return landed.row if landed is not None else after


def _event_order(event: Fold | Notice) -> tuple[int, int]:
    return (event.row, 1 if isinstance(event, Notice) else 0)


def _prefix_sums(heights: Iterable[int]) -> array[int]:
    return array("Q", accumulate(heights, initial=0))
