"""The rows of a window, read by unidiff and checked against the index. The only importer of unidiff.

unidiff reads hunk bodies right; its header code loses whole texts and can stall the process. So it is given nothing but
body rows, under a header of our own making: the counts really present, numbers from the index. What it says must equal
what the index says, row by row; where it does not, the index's rows are shown with a notice.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from msgspec import Struct
from unidiff.patch import PatchSet

from vally_tui.diffs import notices
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import DiffLine, LineKind
from vally_tui.diffs.window import hunk_at

_LONGEST_ROW = 4096
"""Characters of a row that unidiff is given: its sign decides, and rows of megabytes would hold up the screen."""
_HEADER_ROWS = 3
_KINDS = {"+": LineKind.ADDED, "-": LineKind.REMOVED, " ": LineKind.CONTEXT}


class CheckedRows(Struct, frozen=True):
    """A window of rows."""

    lines: tuple[DiffLine, ...]
    notice: str | None = None
    """Set when unidiff read some of the rows differently; the rows are then those of the text."""


def checked_rows(index: DiffIndex, first: int, count: int) -> CheckedRows:
    """The rows ``first`` to ``first + count - 1`` (from 0, of the whole text), hunk bodies through unidiff.

    Headers, markers, gaps, surplus rows and combined hunks are no rows of a body that its header describes: they come
    from the index alone.
    """
    lines: list[DiffLine] = []
    notice = None
    for in_body, rows in groupby(DiffIndex.rows(index, first, count), _is_body_row):
        run = list(rows)
        parsed = _parse(index.text, run) if in_body and _in_ordinary_hunk(index, run[0]) else run
        if parsed is None:
            notice = notices.UNIDIFF_DISAGREES
        lines += run if parsed is None else parsed
    return CheckedRows(tuple(lines), notice)


class CheckedDiff(DiffIndex):
    """An index whose rows are those that unidiff reads, as long as it reads what is there; for the screen."""

    disagreed: str | None = None
    """Why some rows that were asked for are the text's own, in one sentence."""

    def rows(self, first: int, count: int) -> list[DiffLine]:
        """The rows ``first`` to ``first + count - 1``, hunk bodies through unidiff."""
        checked = checked_rows(self, first, count)
        self.disagreed = checked.notice or self.disagreed
        return list(checked.lines)


def _is_body_row(line: DiffLine) -> bool:
    return line.kind in _KINDS.values() and not line.surplus


def _in_ordinary_hunk(index: DiffIndex, line: DiffLine) -> bool:
    section = index.sections[index.section_at(line.start)]
    hunk = hunk_at(section, line.start)
    return hunk is not None and section.hunks[hunk].parents == 1


def _parse(text: str, run: Sequence[DiffLine]) -> list[DiffLine] | None:
    """``run`` as unidiff reads it; None unless that equals what the index says."""
    raw = [text[line.start : min(line.end, line.start + _LONGEST_ROW)] + "\n" for line in run]
    try:
        patch = PatchSet(_neutral_header(run) + "".join(raw))
    except Exception:  # noqa: BLE001 - unidiff raises several unrelated types; each means: show the text's own rows
        return None
    if len(patch) != 1 or len(patch[0]) != 1 or len(patch[0][0]) != len(run):
        return None
    read = []
    for number, (line, row, said) in enumerate(zip(run, raw, patch[0][0], strict=True), _HEADER_ROWS + 1):
        found = DiffLine(
            line.row, line.start, line.end, _kind(said.line_type), said.source_line_no, said.target_line_no
        )
        if found != line or said.diff_line_no != number or str(said) not in (row, f" {row}"):
            return None
        read.append(found)
    return read


def _kind(line_type: str) -> LineKind:
    return _KINDS.get(line_type, LineKind.OTHER)


def _neutral_header(run: Sequence[DiffLine]) -> str:
    """A header for ``run``: names that mean nothing, the rows really there, the numbers they begin with."""
    added = sum(line.kind is LineKind.ADDED for line in run)
    removed = sum(line.kind is LineKind.REMOVED for line in run)
    old = next((line.old_number for line in run if line.old_number is not None), 1)
    new = next((line.new_number for line in run if line.new_number is not None), 1)
    return f"--- a\n+++ b\n@@ -{old},{len(run) - added} +{new},{len(run) - removed} @@\n"
