"""Hunk headers and the extent of hunk bodies. Owns the counting rule: inside a hunk only the header's counts decide.

Refuses files and headers. Long bodies are counted in pieces, so that no single step holds up other threads, and each
piece leaves an anchor behind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from vally_tui.diffs.model import Anchor

PIECE = 32 * 1024
"""Characters that are counted in one step, and the distance of anchors."""
_BODY_SIGNS = " +-\\\n\r"
_NO_BODY_ROW = re.compile(r"\n(?:[^ +\-\\\n\r]|\r[^\n])")
_AHEAD = 3
"""Characters that ``_NO_BODY_ROW`` must see."""
_HUNK = re.compile(r"@@ -([0-9]{1,10})(?:,([0-9]{1,10}))? \+([0-9]{1,10})(?:,([0-9]{1,10}))? @@ ?")
_COMBINED_HUNK = re.compile(
    r"(@{3,64})((?: -[0-9]{1,10}(?:,[0-9]{1,10})?){2,63}) \+([0-9]{1,10})(?:,([0-9]{1,10}))? \1(?!@) ?"
)
_PLAIN_HEADER = re.compile(r"--- [^\n]*+\n\+\+\+ [^\n]*+\n(?:\r?\n){0,3}@@")
_RANGE = re.compile(r"-([0-9]+)(?:,([0-9]+))?")


@dataclass(frozen=True, slots=True)
class HunkHead:
    """What a ``@@`` line says."""

    olds: tuple[tuple[int, int], ...]
    """Start and count for each parent; one in an ordinary hunk."""
    new_start: int
    new_count: int
    heading: int
    """Offset of the section heading; of the line's end where there is none."""
    body: int
    """Offset of the next line."""


@dataclass(slots=True)
class Body:
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

    def leave_anchor(self) -> None:
        """Note the present end as a known place."""
        self.anchors.append(Anchor(self.end, self.row + self.rows, self.added, self.removed, self.markers))


def starts_plain_header(text: str, start: int) -> bool:
    """Whether ``--- `` and ``+++ `` lines begin at ``start`` and a ``@@`` line follows."""
    return text.startswith("--- ", start) and _PLAIN_HEADER.match(text, start) is not None


def read_hunk_head(text: str, start: int) -> HunkHead | None:
    """The hunk header at offset ``start``, ordinary or combined; None where the line is no hunk header."""
    found = _HUNK.match(text, start)
    if found is not None:
        old, old_count, new, new_count = found.groups()
        heading, body = _heading(text, found.end())
        return HunkHead(((int(old), _count(old_count)),), int(new), _count(new_count), heading, body)
    found = _COMBINED_HUNK.match(text, start)
    if found is None:
        return None
    olds = tuple((int(old), _count(count)) for old, count in _RANGE.findall(found[2]))
    if len(olds) != len(found[1]) - 1:
        return None
    heading, body = _heading(text, found.end())
    return HunkHead(olds, int(found[3]), _count(found[4]), heading, body)


def _count(digits: str | None) -> int:
    return int(digits) if digits else 1


def _heading(text: str, behind: int) -> tuple[int, int]:
    """Offset of the heading, and of the next line; ``behind`` is the offset after ``@@`` and one blank."""
    end = text.find("\n", behind)
    end, body = (len(text), len(text)) if end < 0 else (end, end + 1)
    return (end if text[behind:end] == "\r" else behind), body


def body_piece(text: str, start: int) -> tuple[int, bool]:
    """End of a run of body-looking rows from ``start``, at most about ``PIECE`` further, and whether the run ends there.

    ``start`` is a line start other than the text's first.
    """
    limit = start + PIECE
    found = _NO_BODY_ROW.search(text, start - 1, limit)
    if found is not None:
        return found.start() + 1, True
    end = text.find("\n", max(start, limit - _AHEAD))
    return (len(text), True) if end < 0 or end + 1 == len(text) else (end + 1, False)


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows of a stretch, by sign."""

    rows: int
    added: int
    removed: int
    markers: int

    @property
    def context(self) -> int:
        """Rows without a sign."""
        return self.rows - self.added - self.removed - self.markers


def count_rows(text: str, start: int, end: int) -> Counts:
    """Rows between two line starts (or the text's end), by their first character; ``start`` is not the text's first."""
    rows = text.count("\n", start, end)
    if end == len(text) and end > start and text[-1] != "\n":
        rows += 1
    before = start - 1
    added, removed = text.count("\n+", before, end), text.count("\n-", before, end)
    return Counts(rows, added, removed, text.count("\n\\", before, end))


def take_body(text: str, head: HunkHead, row: int) -> Body:
    """The rows behind ``head`` that its counts ask for, ``\\`` rows included. ``row``: of the first of them."""
    body = Body(head.body, head.body, row)
    if len(head.olds) > 1:
        _take_combined(text, head, body)
        return body
    old, new = head.olds[0][1], head.new_count
    while (old or new) and body.end < len(text):
        end, stops = body_piece(text, body.end)
        counts = count_rows(text, body.end, end)
        old_used, new_used = counts.context + counts.removed, counts.context + counts.added
        if old_used > old or new_used > new:
            old, new = _take_rows(text, end, old, new, body)
            break
        _add(body, end, counts)
        old, new = old - old_used, new - new_used
        if stops:
            break
    body.whole = not (old or new)
    if body.whole:
        _take_markers(text, body)
    return body


def _add(body: Body, end: int, counts: Counts) -> None:
    whole_piece = end - body.end >= PIECE - _AHEAD
    body.end = end
    body.rows += counts.rows
    body.added += counts.added
    body.removed += counts.removed
    body.markers += counts.markers
    if whole_piece:
        body.leave_anchor()


def _take_rows(text: str, limit: int, old: int, new: int, body: Body) -> tuple[int, int]:
    """Take rows one by one until the counts are used up or a row does not fit; returns what is left of them."""
    position, rows, added, removed, markers = body.end, 0, 0, 0, 0
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
        elif sign == "\\":
            markers += 1
        elif old and new:
            old -= 1
            new -= 1
        else:
            break
        rows += 1
        position = next_line(text, position)
    _add(body, position, Counts(rows, added, removed, markers))
    return old, new


def _take_markers(text: str, body: Body) -> None:
    while text.startswith("\\", body.end):
        body.end = next_line(text, body.end)
        body.rows += 1
        body.markers += 1


def next_line(text: str, position: int) -> int:
    """Offset of the line after the one that ``position`` lies in; the text's end where there is none."""
    return text.find("\n", position) + 1 or len(text)


def _take_combined(text: str, head: HunkHead, body: Body) -> None:
    """Rows of a combined hunk: one sign column for each parent, counts for each parent and the result."""
    left = [count for _, count in head.olds]
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
    """A broken body may have taken the ``---``/``+++`` lines of the next file for rows: let go of them."""
    last = text.rfind("\n", body.start, max(body.end - 1, body.start)) + 1 or body.start
    before = text.rfind("\n", body.start, max(last - 1, body.start)) + 1 or body.start
    for start in (before, last):
        if body.start <= start < body.end and starts_plain_header(text, start):
            counts = count_rows(text, start, body.end)
            body.end = start
            body.rows -= counts.rows
            body.added -= counts.added
            body.removed -= counts.removed
            body.anchors = [anchor for anchor in body.anchors if anchor.offset <= start]
            return


def take_surplus(text: str, body: Body) -> None:
    """Body-looking rows behind a whole body: they belong to the hunk, beyond its counts.

    Not the header of a plain file, a mail signature (``-- `` as the last row), or blank lines at the end, unless the
    next hunk follows them.
    """
    if body.end >= len(text) or text[body.end] not in _BODY_SIGNS or starts_plain_header(text, body.end):
        return
    end, stops = body.end, False
    while not stops:
        start = end
        end, stops = body_piece(text, start)
        plain = _find_plain_header(text, start, end)
        if plain >= 0:
            end, stops = plain, True
    if not text.startswith("@@", end):
        end = _without_tail(text, body.end, end)
    _add_pieces(text, body, end)


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
        stop = end if end - body.end <= PIECE else min(next_line(text, body.end + PIECE), end)
        _add(body, stop, count_rows(text, body.end, stop))
