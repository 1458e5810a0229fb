"""Hunk headers and the extent of hunk bodies. Owns the counting rule: inside a hunk only the header's counts decide.

Refuses files and headers. Long bodies are counted in pieces, so that no single step holds up other threads, and each
piece leaves an anchor behind.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from msgspec import Struct, field

from vally_tui.diffs import pieces
from vally_tui.diffs.model import Anchor
from vally_tui.diffs.pieces import needs_anchor, next_line, piece_end

_BODY_SIGNS = " +-\\\n\r"
_NO_BODY_ROW = re.compile(r"\n(?:[^ +\-\n\r]|\r[^\n])")
"""Also ends at ``\\`` rows: between two of them every row has a sign or is context, so three counts tell all four."""
_AHEAD = 3
"""Characters that ``_NO_BODY_ROW`` must see."""
_HUNK = re.compile(r"@@ -([0-9]{1,10})(?:,([0-9]{1,10}))? \+([0-9]{1,10})(?:,([0-9]{1,10}))? @@ ?([^\n]*)\n?")
_COMBINED_HUNK = re.compile(
    r"(@{3,64})((?: -[0-9]{1,10}(?:,[0-9]{1,10})?){2,63}) \+([0-9]{1,10})(?:,([0-9]{1,10}))? \1(?!@) ?([^\n]*)\n?"
)
_PLAIN_HEADER = re.compile(r"--- [^\n]*+\n\+\+\+ [^\n]*+\n(?:\r?\n){0,3}@@")
_RANGE = re.compile(r"-([0-9]+)(?:,([0-9]+))?")


class HunkHead(NamedTuple):
    """What a ``@@`` line says."""

    old_start: int
    """Of the first parent."""
    old_count: int
    new_start: int
    new_count: int
    heading: int
    """Offset of the section heading; of the line's end where there is none."""
    body: int
    """Offset of the next line."""
    other_counts: tuple[int, ...] = ()
    """Counts of the further parents in a combined diff."""


class Counts(NamedTuple):
    """Rows of a stretch, by sign; the others are context."""

    rows: int
    added: int
    removed: int
    markers: int


class Body(Struct):
    """The rows of a hunk, as they are taken."""

    start: int
    end: int
    row: int
    """Row of ``start`` in the whole text."""
    rows: int = 0
    added: int = 0
    removed: int = 0
    markers: int = 0
    whole: bool = False
    """The rows met the header's counts."""
    anchors: list[Anchor] = field(default_factory=list)

    @property
    def counts(self) -> Counts:
        """Its rows by sign."""
        return Counts(self.rows, self.added, self.removed, self.markers)

    def add(self, end: int, counts: Counts) -> None:
        """Take in the rows before ``end``; leave an anchor there if the last one is far behind."""
        self.end = end
        self.rows += counts.rows
        self.added += counts.added
        self.removed += counts.removed
        self.markers += counts.markers
        if needs_anchor(self.start, self.anchors, end):
            self.anchors.append(Anchor(end, self.row + self.rows, self.added, self.removed, self.markers))


def starts_plain_header(text: str, start: int) -> bool:
    """Whether ``--- `` and ``+++ `` lines begin at ``start`` and a ``@@`` line follows."""
    return text.startswith("--- ", start) and _PLAIN_HEADER.match(text, start) is not None


def read_hunk_head(text: str, start: int) -> HunkHead | None:
    """The hunk header at offset ``start``, ordinary or combined; None where the line is no hunk header."""
    found = _HUNK.match(text, start)
    if found is None:
        return _read_combined_head(text, start)
    old, old_count, new, new_count, heading = found.groups()
    return HunkHead(
        int(old),
        int(old_count) if old_count else 1,
        int(new),
        int(new_count) if new_count else 1,
        found.end(5) if heading == "\r" else found.start(5),
        found.end(),
    )


def _read_combined_head(text: str, start: int) -> HunkHead | None:
    found = _COMBINED_HUNK.match(text, start)
    if found is None:
        return None
    marks, olds, new, new_count, heading = found.groups()
    ranges = [(int(old), int(count) if count else 1) for old, count in _RANGE.findall(olds)]
    if len(ranges) != len(marks) - 1:
        return None
    return HunkHead(
        *ranges[0],
        int(new),
        int(new_count) if new_count else 1,
        found.end(5) if heading == "\r" else found.start(5),
        found.end(),
        tuple(count for _, count in ranges[1:]),
    )


def _body_piece(text: str, start: int) -> int:
    """End of a run of rows with a sign or context from ``start``, at most about a piece further; ``\\`` rows end it too.

    ``start`` is a line start other than the text's first; it is returned where no such row begins there.
    """
    limit = start + pieces.PIECE
    found = _NO_BODY_ROW.search(text, start - 1, limit)
    if found is not None:
        return found.start() + 1
    return text.find("\n", max(start, limit - _AHEAD)) + 1 or len(text)


def count_rows(text: str, start: int, end: int) -> Counts:
    """Rows between two line starts (or the text's end), by their first character; ``start`` is not the text's first."""
    signed = _count_signed_rows(text, start, end)
    return signed._replace(markers=text.count("\n\\", start - 1, end))


def _count_signed_rows(text: str, start: int, end: int) -> Counts:
    """The same for a stretch without ``\\`` rows."""
    rows = text.count("\n", start, end)
    if end == len(text) and end > start and text[-1] != "\n":
        rows += 1
    return Counts(rows, text.count("\n+", start - 1, end), text.count("\n-", start - 1, end), 0)


def exact_body(text: str, head: HunkHead) -> tuple[int, Counts] | None:
    """End and rows of a short body that is just what ``head`` asks for, with a row behind it that is none of a body.

    Nearly every hunk is such a one; for all others None, and ``take_body`` finds out what they are.
    """
    start = head.body
    found = _NO_BODY_ROW.search(text, start - 1, start + pieces.PIECE)
    if found is None or head.other_counts:
        return None
    end = found.start() + 1
    if text[end] == "\\":
        return None
    rows = text.count("\n", start, end)
    added = text.count("\n+", start - 1, end)
    if rows - added != head.old_count:
        return None
    removed = text.count("\n-", start - 1, end)
    return (end, Counts(rows, added, removed, 0)) if rows - removed == head.new_count else None


def take_body(text: str, head: HunkHead, row: int) -> Body:
    """The rows behind ``head`` that its counts ask for, ``\\`` rows included. ``row``: of the first of them."""
    body = Body(head.body, head.body, row)
    if head.other_counts:
        _take_combined(text, head, body)
        return body
    old, new = head.old_count, head.new_count
    while (old or new) and body.end < len(text):
        start = body.end
        if text[start] == "\\":
            _take_markers(text, body)
            continue
        end = _body_piece(text, start)
        if end == start:
            break
        counts = _count_signed_rows(text, start, end)
        old_left, new_left = old - counts.rows + counts.added, new - counts.rows + counts.removed
        if old_left < 0 or new_left < 0:
            old, new = _take_rows(text, end, old, new, body)
            break
        body.add(end, counts)
        old, new = old_left, new_left
    body.whole = not (old or new)
    if body.whole and text.startswith("\\", body.end):
        _take_markers(text, body)
    return body


def _take_rows(text: str, limit: int, old: int, new: int, body: Body) -> tuple[int, int]:
    """Take rows one by one until the counts are used up or a row does not fit; returns what is left of them."""
    position, rows, added, removed = body.end, 0, 0, 0
    while position < limit and (old or new):
        sign = text[position]
        if sign == "+":
            if not new:
                break
            new -= 1
            added += 1
        elif sign == "-":
            if not old:
                break
            old -= 1
            removed += 1
        elif old and new:
            old -= 1
            new -= 1
        else:
            break
        rows += 1
        position = next_line(text, position)
    body.add(position, Counts(rows, added, removed, 0))
    return old, new


def _take_markers(text: str, body: Body) -> None:
    while text.startswith("\\", body.end):
        body.add(next_line(text, body.end), Counts(1, 0, 0, 1))


def _take_combined(text: str, head: HunkHead, body: Body) -> None:
    """Rows of a combined hunk: one sign column for each parent, counts for each parent and the result."""
    left = [head.old_count, *head.other_counts]
    new = head.new_count
    parents = len(left)
    while body.end < len(text) and (new or any(left)):
        signs = text[body.end : body.end + parents].partition("\n")[0].rstrip("\r").ljust(parents)
        if signs[0] == "\\":
            body.markers += 1
        elif signs.strip(" +-"):
            return
        else:
            removed = "-" in signs
            uses = [sign == ("-" if removed else " ") for sign in signs]
            if (not removed and not new) or any(used and not count for used, count in zip(uses, left, strict=True)):
                return
            left = [count - used for used, count in zip(uses, left, strict=True)]
            new -= not removed
        body.end = next_line(text, body.end)
        body.rows += 1
    body.whole = not (new or any(left))
    if body.whole:
        _take_markers(text, body)


def give_back_plain_header(text: str, body: Body) -> None:
    """The rows taken last may be the ``---``/``+++`` lines of the next file, when a header asks for too many: let go.

    Only where the rows and the header disagree: the body is not whole, or a ``+++ `` row is left over behind it.
    """
    if body.whole and not text.startswith("+++ ", body.end):
        return
    last = text.rfind("\n", body.start, max(body.end - 1, body.start)) + 1 or body.start
    before = text.rfind("\n", body.start, max(last - 1, body.start)) + 1 or body.start
    for start in (last,) if body.whole else (before, last):
        if starts_plain_header(text, start):
            counts = count_rows(text, start, body.end)
            body.end = start
            body.rows -= counts.rows
            body.added -= counts.added
            body.removed -= counts.removed
            body.whole = False
            body.anchors = [anchor for anchor in body.anchors if anchor.offset <= start]
            return


def take_surplus(text: str, body: Body) -> None:
    """Body-looking rows behind a whole body: they belong to the hunk, beyond its counts.

    Not the header of a plain file, a mail signature (``-- `` as the last row), or blank lines at the end, unless the
    next hunk follows them.
    """
    if body.end >= len(text) or text[body.end] not in _BODY_SIGNS or starts_plain_header(text, body.end):
        return
    end = _surplus_limit(text, body.end)
    if not text.startswith("@@", end):
        end = _without_tail(text, body.end, end)
    _add_pieces(text, body, end)


def _surplus_limit(text: str, start: int) -> int:
    """End of the run of body-looking rows from ``start``, or the plain header in it."""
    end = start
    while end < len(text):
        piece = next_line(text, end) if text[end] == "\\" else _body_piece(text, end)
        if piece == end:
            break
        plain = _find_plain_header(text, end, piece)
        if plain >= 0:
            return plain
        end = piece
    return end


def _find_plain_header(text: str, start: int, end: int) -> int:
    """The first line in ``[start, end)`` that begins a plain file's header; -1 if none does."""
    position = text.find("\n--- ", start - 1, end)
    while position >= 0:
        if starts_plain_header(text, position + 1):
            return position + 1
        position = text.find("\n--- ", position + 1, end)
    return -1


def _without_tail(text: str, start: int, end: int) -> int:
    """``end`` before blank rows and a mail signature."""
    signature = False
    while end > start:
        line = text.rfind("\n", start, end - 1) + 1 or start
        row = text[line:end].rstrip("\r\n") if end - line < 8 else "-"
        if row == "-- " and not signature:
            signature = True
        elif row:
            break
        end = line
    return end


def _add_pieces(text: str, body: Body, end: int) -> None:
    while body.end < end:
        stop = piece_end(text, body.end, end)
        body.add(stop, count_rows(text, body.end, stop))
