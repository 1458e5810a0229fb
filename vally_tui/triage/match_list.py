"""The matches of one grader as a list: where each one is, on which kind of line, and the line itself. Draws nothing."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import locate, tally
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import Spans
from vally_tui.triage.text_index import TextIndex

EXCERPT = 400
"""Characters of a line around a match that are given."""
BEFORE = 40
"""Characters before a match that stay where the line is cut."""

KIND_WORDS: Mapping[LineKind, str] = {
    LineKind.ADDED: "added",
    LineKind.REMOVED: "removed",
    LineKind.CONTEXT: "context",
    LineKind.HEADER: "header",
    LineKind.HUNK_HEADER: "hunk header",
    LineKind.SECTION: "section heading",
    LineKind.MARKER: "marker",
    LineKind.BINARY: "binary",
    LineKind.OTHER: "outside of files",
}


class MatchRow(Struct, frozen=True):
    """One match."""

    place: str
    """File and line number in it, as far as they are known."""
    kind: LineKind | None
    """None in a text that is no diff."""
    before: str
    """The line up to the match; of a long line its end, after an ellipsis."""
    match: str
    """The matched text on its first line; ↵ where it goes on."""
    after: str


def match_row(index: DiffIndex, span: tuple[int, int]) -> MatchRow:
    """The row of a match, in code points of the index's text."""
    start, end = span
    place = locate(index, start)
    line = next(iter(index.rows(place.row, 1)), None)
    if line is None:
        return MatchRow("", place.kind, "", "", "")
    number = line.new_number if line.new_number is not None else line.old_number
    path = None if place.file is None else index.files[place.file].path
    where = ":".join(part for part in (path or "", "" if number is None else str(number)) if part)
    kind: LineKind | None = place.kind
    if isinstance(index, TextIndex):
        kind, where = None, index.place(place)
    return MatchRow(where or f"line {place.row + 1}", kind, *_parts(index.text, (line.start, line.end), start, end))


def _parts(text: str, line: tuple[int, int], start: int, end: int) -> tuple[str, str, str]:
    first = line[0]
    cut = start - first > BEFORE * 2
    before = ("…" + text[start - BEFORE : start]) if cut else text[first:start]
    last = min(end, line[1])
    matched = text[start : min(last, start + EXCERPT)]
    if end > line[1]:
        matched += "↵"
    after = text[last : min(line[1], last + EXCERPT)]
    return before, matched, after


def counts(index: DiffIndex, spans: Spans) -> list[tuple[LineKind, int]]:
    """How many matches there are of each kind of line, most first; nothing where there are no kinds."""
    if isinstance(index, TextIndex):
        return []
    return tally(index, spans.starts).by_kind.most_common()
