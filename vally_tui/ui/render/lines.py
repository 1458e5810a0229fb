"""What is remembered of the lines of a document near the view: the lines, their columns, where they wrap, their colours."""

from __future__ import annotations

from collections import OrderedDict

from vally_tui.diffs.model import DiffLine, FileKind
from vally_tui.ui.render.cells import STEP, Columns, wrap_points
from vally_tui.ui.render.diff_rows import syntax_text
from vally_tui.ui.render.document import Document
from vally_tui.ui.render.syntax import Token, language_of, tokens

BATCH = 64
"""Rows that are asked of the document at once."""
KEPT_BATCHES = 16
KEPT_LINES = 64
"""Long lines whose columns are remembered."""
KEPT_WRAPPED = KEPT_LINES * 4


class Lines:
    """The lines of one document, as far as it has grown; another one, or one that has grown, gets its own."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._batches: dict[int, list[DiffLine]] = {}
        self._columns: OrderedDict[int, Columns] = OrderedDict()
        self._points: OrderedDict[int, list[int]] = OrderedDict()
        self._wrapped_at = 0

    def line(self, row: int) -> DiffLine:
        """A row of the document, from 0."""
        batch = row // BATCH
        lines = self._batches.get(batch)
        if lines is None:
            if len(self._batches) > KEPT_BATCHES:
                self._batches.clear()
            lines = self._batches[batch] = list(self._document.rows(batch * BATCH, BATCH))
        return lines[row - batch * BATCH]

    def columns(self, line: DiffLine) -> Columns:
        """The columns of a line; those of long lines are remembered."""
        if line.end - line.start <= STEP:
            return Columns(self._document.text, line.start, line.end)
        kept = self._columns.get(line.row)
        if kept is None:
            kept = self._columns[line.row] = Columns(self._document.text, line.start, line.end)
            if len(self._columns) > KEPT_LINES:
                self._columns.popitem(last=False)
        return kept

    def part(self, line: DiffLine, part: int, width: int) -> tuple[int, int]:
        """The stretch (code points) of a line, wrapped at ``width`` cells, in its screen row ``part`` from 0."""
        if width != self._wrapped_at:
            self._points.clear()
            self._wrapped_at = width
        points = self._points.get(line.row)
        if points is None:
            points = wrap_points(self._document.text, line.start, line.end, max(width, 1))
            self._points[line.row] = points
            if len(self._points) > KEPT_WRAPPED:
                self._points.popitem(last=False)
        part = min(part, len(points) - 1)
        return points[part], points[part + 1] if part + 1 < len(points) else line.end

    def tokens(self, line: DiffLine) -> tuple[Token, ...]:
        """The syntax colours of a line, counted from behind its sign; none where it is no code, or long."""
        file = self._document.file_at_row(line.row)
        name = language_of(self._document.files[file].path) if file is not None else None
        if name is None or line.end - line.start > STEP * 2:
            return ()
        code = syntax_text(self._document.text, line)
        return tokens(name, code) if code else ()


def longest_number(document: Document) -> int:
    """Digits of the greatest line number; 0 where there are no files."""
    if not document.files or document.files[0].kind is FileKind.PART:
        return 0
    greatest = 1
    for file in document.files:
        if file.hunks:
            last = file.hunks[-1]
            greatest = max(greatest, last.old_start + last.old_count, last.new_start + last.new_count)
    return len(str(greatest))
