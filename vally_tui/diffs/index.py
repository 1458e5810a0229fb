"""The index of one diff text: sections, and any window of its rows. Owns offsets and rows, no parsing and no drawing.

It grows: sections are handed in as the scanner finds them, and what is known so far can be shown at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter

from vally_tui.diffs import notices
from vally_tui.diffs.model import DiffLine, FileDiff
from vally_tui.diffs.scan import scan
from vally_tui.diffs.window import hunk_at, known_place, place_before_row, section_rows

_BY_ROW = attrgetter("row")
_STEP = 2048


class DiffIndex:
    """Files and rows of ``text``; rows count from 0 over the whole text, offsets are code points.

    ``DiffIndex.build(text)`` reads it all. For a large text take ``scan(text)`` in a worker and hand the sections over in
    batches with ``extend``: all answers are exact for the part that is ``covered``.
    """

    def __init__(self, text: str, sections: Iterable[FileDiff] = ()) -> None:
        self.text = text
        self.added = 0
        """``+`` rows of all files, surplus rows included, combined diffs not."""
        self.removed = 0
        self._sections: list[FileDiff] = []
        self._files: list[FileDiff] = []
        self._starts: list[int] = []
        self._rows: list[int] = []
        self._file_numbers: list[int] = []
        self._file_rows: list[int] = []
        self.extend(sections)

    @classmethod
    def build(cls, text: str) -> DiffIndex:
        """The whole index of ``text``."""
        return cls(text, scan(text))

    def extend(self, sections: Iterable[FileDiff]) -> None:
        """Take in further sections, in the order of ``scan``."""
        for section in sections:
            self._sections.append(section)
            self._starts.append(section.start)
            self._rows.append(section.row)
            self._file_numbers.append(len(self._files))
            if section.kind is not None:
                self._files.append(section)
                self._file_rows.append(section.row)
                self.added += section.added
                self.removed += section.removed

    @property
    def sections(self) -> Sequence[FileDiff]:
        """Files and stretches outside of files: together they are the text, up to ``covered``."""
        return self._sections

    @property
    def files(self) -> Sequence[FileDiff]:
        """The sections that are files, in order."""
        return self._files

    @property
    def covered(self) -> int:
        """Offset up to which the text has been read."""
        return self._sections[-1].end if self._sections else 0

    @property
    def complete(self) -> bool:
        """All of the text has been read."""
        return self.covered == len(self.text)

    def covers(self, offset: int) -> bool:
        """Whether the place of ``offset`` is known."""
        return offset < self.covered or self.complete

    @property
    def row_count(self) -> int:
        """Rows known so far; an empty text has none."""
        return self._sections[-1].row + self._sections[-1].rows if self._sections else 0

    @property
    def notice(self) -> str | None:
        """Why a text that was read to its end shows no file, in one sentence."""
        return notices.of_text_without_files(self.text) if self.complete and not self._files else None

    def section_at(self, offset: int) -> int:
        """Index of the section that ``offset`` lies in; the last one for what lies behind ``covered``."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def file_of_section(self, section: int) -> int | None:
        """Index into ``files``; None for a stretch outside of files."""
        return self._file_numbers[section] if self._sections[section].kind is not None else None

    def row_of(self, offset: int) -> int:
        """The row that ``offset`` lies in; offset ``len(text)`` belongs to the last row. 0 when nothing is known yet."""
        if not self._sections:
            return 0
        offset = min(max(offset, 0), self.covered - 1)
        section = self._sections[self.section_at(offset)]
        start, row = known_place(section, offset)
        return row + self.text.count("\n", start, offset)

    def offset_of(self, row: int) -> int:
        """The offset at which ``row`` begins; rows below 0 and beyond the last known one count as that one."""
        if not self._sections:
            return 0
        row = min(max(row, 0), self.row_count - 1)
        start, known = place_before_row(self._sections[self._section_of_row(row)], row)
        return _line_start(self.text, start, row - known)

    def _section_of_row(self, row: int) -> int:
        return max(bisect_right(self._rows, row) - 1, 0)

    def rows(self, first: int, count: int) -> list[DiffLine]:
        """The rows ``first`` to ``first + count - 1``, as far as they are known."""
        first, stop = max(first, 0), min(first + count, self.row_count)
        lines: list[DiffLine] = []
        if first >= stop:
            return lines
        index = self._section_of_row(first)
        offset = self.offset_of(first)
        while first + len(lines) < stop:
            section = self._sections[index]
            lines += section_rows(self.text, section, offset, first + len(lines), stop - first - len(lines))
            index, offset = index + 1, section.end
        return lines

    def file_at_row(self, row: int) -> int | None:
        """Index of the file that ``row`` lies in; None outside of files."""
        if not 0 <= row < self.row_count:
            return None
        return self.file_of_section(self._section_of_row(row))

    def hunk_at_row(self, row: int) -> tuple[int, int] | None:
        """Indexes of the file and of its hunk that ``row`` lies in; None in headers, gaps and outside of files."""
        file = self.file_at_row(row)
        if file is None:
            return None
        hunk = hunk_at(self._files[file], self.offset_of(row))
        return None if hunk is None else (file, hunk)

    def next_file_row(self, row: int) -> int | None:
        """The first row of the next file behind ``row``."""
        index = bisect_right(self._file_rows, row)
        return self._file_rows[index] if index < len(self._file_rows) else None

    def previous_file_row(self, row: int) -> int | None:
        """The first row of the last file that begins before ``row``."""
        index = bisect_right(self._file_rows, row - 1) - 1
        return self._file_rows[index] if index >= 0 else None

    def next_hunk_row(self, row: int) -> int | None:
        """The header row of the next hunk behind ``row``."""
        for number in range(max(bisect_right(self._file_rows, row) - 1, 0), len(self._files)):
            hunks = self._files[number].hunks
            index = bisect_right(hunks, row, key=_BY_ROW)
            if index < len(hunks):
                return hunks[index].row
        return None

    def previous_hunk_row(self, row: int) -> int | None:
        """The header row of the last hunk that begins before ``row``."""
        for number in range(bisect_right(self._file_rows, row - 1) - 1, -1, -1):
            hunks = self._files[number].hunks
            index = bisect_right(hunks, row - 1, key=_BY_ROW) - 1
            if index >= 0:
                return hunks[index].row
        return None


def _line_start(text: str, start: int, lines: int) -> int:
    """The offset at which the line ``lines`` further begins, from the line start ``start``."""
    while lines > _STEP // 8:
        found = text.count("\n", start, start + _STEP)
        if found >= lines:
            break
        lines -= found
        start += _STEP
    for _ in range(lines):
        start = text.find("\n", start) + 1
    return start
