"""What the diff pane draws: the part of a diff index that it needs, and plain text in the same form."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

from vally_tui.diffs.model import DiffLine, FileDiff, LineKind


class Document(Protocol):
    """A text of rows. Rows count from 0; offsets are code points of ``text``."""

    @property
    def text(self) -> str:
        """The exact text."""

    @property
    def row_count(self) -> int:
        """All rows."""

    @property
    def files(self) -> Sequence[FileDiff]:
        """The sections of the text, in order; empty where it is no diff."""

    def rows(self, first: int, count: int) -> Sequence[DiffLine]:
        """At most ``count`` rows from row ``first`` on."""

    def row_of(self, offset: int) -> int:
        """The row that holds an offset."""

    def offset_of(self, row: int) -> int:
        """Where a row begins."""

    @property
    def notice(self) -> str | None:
        """What is odd about the whole text, in one sentence."""

    def file_at_row(self, row: int) -> int | None:
        """Index of the file that a row lies in; None outside of files."""

    def hunk_at_row(self, row: int) -> tuple[int, int] | None:
        """Indexes of the file and of its hunk that a row lies in."""

    def next_file_row(self, row: int) -> int | None:
        """The first row of the next file."""

    def previous_file_row(self, row: int) -> int | None:
        """The first row of the last file that begins before a row."""

    def next_hunk_row(self, row: int) -> int | None:
        """The header row of the next hunk."""

    def previous_hunk_row(self, row: int) -> int | None:
        """The header row of the last hunk that begins before a row."""


class PlainText:
    """Text that is no diff, row by row; lines are split on ``\\n`` only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.files: tuple[FileDiff, ...] = ()
        self.notice: str | None = None
        starts = array("Q", [0])
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        if len(starts) > 1 and starts[-1] == len(text):
            starts.pop()  # behind the last newline there is no row
        self._starts = starts

    @property
    def row_count(self) -> int:
        """All rows; none for an empty text."""
        return len(self._starts) if self.text else 0

    def rows(self, first: int, count: int) -> list[DiffLine]:
        """At most ``count`` rows from row ``first`` on, without numbers."""
        return [self._line(row) for row in range(max(first, 0), min(first + count, self.row_count))]

    def row_of(self, offset: int) -> int:
        """The row that holds an offset."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def offset_of(self, row: int) -> int:
        """Where a row begins."""
        return self._starts[row]

    def file_at_row(self, row: int) -> int | None:
        """None: there are no files."""
        return None

    def hunk_at_row(self, row: int) -> tuple[int, int] | None:
        """None: there are no hunks."""
        return None

    def next_file_row(self, row: int) -> int | None:
        """None: there are no files."""
        return None

    previous_file_row = next_hunk_row = previous_hunk_row = next_file_row

    def _line(self, row: int) -> DiffLine:
        start = self._starts[row]
        end = self._starts[row + 1] - 1 if row + 1 < len(self._starts) else len(self.text)
        if end == len(self.text) and self.text.endswith("\n") and end > start:
            end -= 1
        return DiffLine(row, start, end, LineKind.CONTEXT)


EMPTY_DOCUMENT = PlainText("")
