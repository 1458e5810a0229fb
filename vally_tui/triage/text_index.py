"""A text that is no diff in the form in which diffs are indexed, so that one pane, one list and one search serve both.

Nothing in the text is read as a diff, whatever it looks like. The parts of a text made of several stand in the place of
files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import DiffLine, FileDiff, FileKind, LineKind, Place


class TextIndex(DiffIndex):
    """Rows and parts of a text; all places are of the kind other, and the rows are drawn as plain text."""

    disagreed: str | None = None
    """As in the index of a diff, where rows may be read in two ways; here there is one."""

    def __init__(self, text: str, parts: Sequence[int] = (), name: str = "message") -> None:
        """``parts``: where each part begins, the first one at 0; none: the text is one. ``name``: of a part."""
        super().__init__(text, _sections(text, parts, name))

    @property
    def notice(self) -> str | None:
        """None: that a text shows no file is nothing odd here."""
        return None

    def place(self, place: Place) -> str:
        """A place in words: the line, and in a text of parts the part that it is counted in."""
        if place.file is None:
            return f"line {place.row + 1}"
        part = self.files[place.file]
        return f"{part.path}, line {place.row - part.row + 1}"

    def rows(self, first: int, count: int) -> list[DiffLine]:
        """The rows ``first`` to ``first + count - 1``."""
        return [replace(line, kind=LineKind.CONTEXT) for line in super().rows(first, count)]

    def next_hunk_row(self, row: int) -> int | None:
        """The first row of the next part: there is nothing smaller."""
        return self.next_file_row(row)

    def previous_hunk_row(self, row: int) -> int | None:
        """The first row of the last part that begins before ``row``."""
        return self.previous_file_row(row)


def _sections(text: str, parts: Sequence[int], name: str) -> Iterator[FileDiff]:
    if not text:
        return
    row = 0
    for number, start in enumerate(parts or (0,), 1):
        end = parts[number] if number < len(parts) else len(text)
        rows = text.count("\n", start, end) + (text[end - 1] != "\n")
        kind, path = (FileKind.PART, f"{name} {number}") if parts else (None, None)
        yield FileDiff(start, end, row, rows, kind, path, None, 0, 0, start, start)
        row += rows
