"""Rows of one section as values: class, numbers, place. Owns the class of every row; holds nothing between calls."""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import attrgetter

from msgspec import Struct

from vally_tui.diffs.bodies import Counts, count_rows
from vally_tui.diffs.model import Anchor, DiffLine, FileDiff, Hunk, LineKind
from vally_tui.diffs.pieces import next_line

_BY_START = attrgetter("start")
_BY_OFFSET = attrgetter("offset")
_SIGN_KINDS = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "\\": LineKind.MARKER}
_COMBINED_NUMBERS = 1 << 20
"""Characters into a combined hunk up to which rows get the result's number: each window counts from the hunk's start."""


def hunk_at(section: FileDiff, offset: int) -> int | None:
    """Index of the hunk that ``offset`` lies in, its header row included; None in headers, payload and gaps."""
    index = bisect_right(section.hunks, offset, key=_BY_START) - 1
    return index if index >= 0 and offset < section.hunks[index].end else None


def known_place(section: FileDiff, offset: int) -> tuple[int, int]:
    """The nearest row start at or before ``offset`` whose row is known: (offset, row)."""
    place = section.start, section.row
    index = bisect_right(section.hunks, offset, key=_BY_START) - 1
    if index >= 0:
        place = section.hunks[index].start, section.hunks[index].row
    index = bisect_right(section.anchors, offset, key=_BY_OFFSET) - 1
    if index >= 0 and section.anchors[index].offset > place[0]:
        place = section.anchors[index].offset, section.anchors[index].row
    return place


def place_before_row(section: FileDiff, row: int) -> tuple[int, int]:
    """The nearest known row start at or before ``row``: (offset, row)."""
    place = section.start, section.row
    index = bisect_right(section.hunks, row, key=attrgetter("row")) - 1
    if index >= 0:
        place = section.hunks[index].start, section.hunks[index].row
    index = bisect_right(section.anchors, row, key=attrgetter("row")) - 1
    if index >= 0 and section.anchors[index].row > place[1]:
        place = section.anchors[index].offset, section.anchors[index].row
    return place


def row_kind(text: str, section: FileDiff, hunk: Hunk | None, start: int) -> LineKind:
    """The class of the row that begins at ``start``; ``hunk``: the one it lies in."""
    if hunk is not None:
        if start == hunk.start:
            return LineKind.HUNK_HEADER
        return _sign_kind(text, hunk, start)
    if section.kind is None or start >= section.payload_end:
        return LineKind.OTHER
    if start >= section.header_end or (section.binary and text.startswith("Binary file", start)):
        return LineKind.BINARY
    return LineKind.HEADER


def _sign_kind(text: str, hunk: Hunk, start: int) -> LineKind:
    sign = text[start : start + 1]
    if hunk.parents == 1 or sign == "\\":
        return _SIGN_KINDS.get(sign, LineKind.CONTEXT)
    signs = text[start : start + hunk.parents].partition("\n")[0]
    if "-" in signs:
        return LineKind.REMOVED
    return LineKind.ADDED if "+" in signs else LineKind.CONTEXT


class _Numbers(Struct):
    """The numbers of the next row of each side; None: not told."""

    old: int | None
    new: int | None

    def take(self, kind: LineKind) -> tuple[int | None, int | None]:
        """The numbers of a row of ``kind``, and on to the next."""
        old = new = None
        if kind is not LineKind.ADDED and kind is not LineKind.MARKER and self.old is not None:
            old = self.old
            self.old = old + 1
        if kind is not LineKind.REMOVED and kind is not LineKind.MARKER and self.new is not None:
            new = self.new
            self.new = new + 1
        return old, new


def section_rows(text: str, section: FileDiff, start: int, row: int, count: int) -> list[DiffLine]:
    """At most ``count`` rows of ``section`` from the row that begins at offset ``start``."""
    lines: list[DiffLine] = []
    while len(lines) < count and start < section.end:
        index = hunk_at(section, start)
        if index is not None:
            hunk = section.hunks[index]
            _hunk_rows(text, section, hunk, start, row, count, lines)
        else:
            index = bisect_right(section.hunks, start, key=_BY_START)
            stop = section.hunks[index].start if index < len(section.hunks) else section.end
            _other_rows(text, section, start, stop, row, count, lines)
        row = lines[-1].row + 1
        start = next_line(text, lines[-1].end)
    return lines


def _other_rows(
    text: str, section: FileDiff, start: int, stop: int, row: int, count: int, lines: list[DiffLine]
) -> None:
    while len(lines) < count and start < stop:
        after = next_line(text, start)
        lines.append(DiffLine(row, start, _row_end(text, after), row_kind(text, section, None, start)))
        start, row = after, row + 1


def _row_end(text: str, after: int) -> int:
    """The end of the row before the line start ``after``."""
    return after - 1 if text[after - 1] == "\n" else after


def _hunk_rows(
    text: str, section: FileDiff, hunk: Hunk, start: int, row: int, count: int, lines: list[DiffLine]
) -> None:
    if start == hunk.start:
        lines.append(DiffLine(row, start, _row_end(text, hunk.body), LineKind.HUNK_HEADER))
        start, row = hunk.body, row + 1
    if len(lines) >= count or start >= hunk.end:
        return
    numbers = _numbers_at(text, section, hunk, min(start, hunk.surplus))
    while len(lines) < count and start < hunk.end:
        after = next_line(text, start)
        kind = _sign_kind(text, hunk, start)
        surplus = start >= hunk.surplus
        old, new = (None, None) if surplus else numbers.take(kind)
        lines.append(DiffLine(row, start, _row_end(text, after), kind, old, new, surplus))
        start, row = after, row + 1


def _numbers_at(text: str, section: FileDiff, hunk: Hunk, start: int) -> _Numbers:
    """The numbers of the row that begins at ``start``, in the body of ``hunk``."""
    if hunk.parents > 1:
        return _Numbers(None, _result_number(text, hunk, start))
    known = Anchor(hunk.body, hunk.row + 1)
    index = bisect_right(section.anchors, start, key=_BY_OFFSET) - 1
    if index >= 0 and section.anchors[index].offset > hunk.body:
        known = section.anchors[index]
    counts = count_rows(text, known.offset, start) if start > known.offset else Counts(0, 0, 0, 0)
    rows = known.row - hunk.row - 1 + counts.rows
    markers = known.markers + counts.markers
    old = hunk.old_start + rows - known.added - counts.added - markers
    new = hunk.new_start + rows - known.removed - counts.removed - markers
    return _Numbers(old, new)


def _result_number(text: str, hunk: Hunk, start: int) -> int | None:
    """The line number in the result of a merge."""
    if start - hunk.body > _COMBINED_NUMBERS:
        return None
    if start == hunk.body:
        return hunk.new_start
    before = text[hunk.body - 1 : start]
    without = re.findall(rf"\n(?: {{0,{hunk.parents - 1}}}-|\\)", before)
    return hunk.new_start + before.count("\n") - 1 - len(without)
