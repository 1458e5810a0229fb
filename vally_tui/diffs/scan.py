"""The splitting rule: a text becomes sections (files, and text outside of files) that tile it. Owns no names, no rows.

Lines are split on ``\\n`` only. Outside of a hunk ``diff --git`` and its kin always begin a file, ``---``/``+++``/``@@``
begin one, and ``@@`` begins a hunk of the open file. Inside of a hunk only its counts decide (see ``bodies``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from vally_tui.diffs import notices
from vally_tui.diffs.bodies import (
    Counts,
    HunkHead,
    exact_body,
    give_back_plain_header,
    read_hunk_head,
    starts_plain_header,
    take_body,
    take_surplus,
)
from vally_tui.diffs.header import (
    USUAL_ROWS,
    HeaderFacts,
    HeaderLines,
    binary_entry,
    facts,
    read_header,
    submodule_entry,
    unmerged_entry,
    usual_header,
)
from vally_tui.diffs.model import Anchor, FileDiff, FileKind, Hunk
from vally_tui.diffs.pieces import needs_anchor, next_line, piece_end

_FILE_WORDS = ("diff --git ", "diff --cc ", "diff --combined ")
_FILE_OR_HUNK = re.compile(r"\n(?:diff --(?:git|cc|combined) |@@|--- )")
_ANY_OPENER = re.compile(r"\n(?:diff --(?:git|cc|combined) |@@|--- |Binary file|Submodule |\* Unmerged path )")
_LONGEST_OPENER = 24
_SEARCH_STEP = 1 << 20
"""Characters searched in one step: other threads wait for no longer than that takes."""
_PAYLOAD = re.compile(
    r"(?:(?:literal|delta) [0-9]{1,20}|[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5,65}|)\r?(?:\n|\Z)"
)
_BINARY_PATCH = "GIT binary patch"
_BOM = "\ufeff"


def scan(text: str) -> Iterator[FileDiff]:
    """Each section as soon as it is found, in order; together they are the whole text.

    A byte order mark at the very start is looked past: it belongs to the first section's first line.
    """
    position = 1 if text.startswith(_BOM) else 0
    outside = _Stretch(0, 0)
    while position < len(text):
        outside.reach(text, position)
        section = _section_at(text, position, outside.row + outside.rows)
        if section is None:
            position = _next_opener(text, position, _ANY_OPENER)
            continue
        if outside.rows:
            yield _outside(outside)
        yield _from_start(section) if section.row == 0 else section
        position = section.end
        outside = _Stretch(position, section.row + section.rows)
    outside.reach(text, len(text))
    if outside.end > outside.start:
        yield _outside(outside)


def _from_start(section: FileDiff) -> FileDiff:
    """The first section with a byte order mark taken in."""
    if section.start == 0:
        return section
    headless = section.header_end == section.start
    if not headless:
        return replace(section, start=0)
    hunks = (section.hunks[0]._replace(start=0), *section.hunks[1:])
    return replace(section, start=0, header_end=0, payload_end=0, hunks=hunks)


def _outside(stretch: _Stretch) -> FileDiff:
    start = stretch.start
    return FileDiff(
        start=start,
        end=stretch.end,
        row=stretch.row,
        rows=stretch.rows,
        kind=None,
        path=None,
        old_path=None,
        added=0,
        removed=0,
        header_end=start,
        payload_end=start,
        anchors=tuple(stretch.anchors),
    )


class _Stretch(Struct):
    """Rows that are only counted: gaps, payload, text outside of files."""

    start: int
    row: int
    end: int = -1
    rows: int = 0
    anchors: list[Anchor] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.end = self.start

    def reach(self, text: str, end: int) -> None:
        """Take in what lies before ``end``, which is a line start or the text's end."""
        while self.end < end:
            stop = piece_end(text, self.end, end)
            self.rows += text.count("\n", self.end, stop)
            self.end = stop
            if stop == len(text) and text[-1] != "\n":
                self.rows += 1
            if needs_anchor(self.start, self.anchors, stop):
                self.anchors.append(Anchor(stop, self.row + self.rows))


def _next_opener(text: str, position: int, openers: re.Pattern[str]) -> int:
    """The next line start that one of ``openers`` begins at, behind ``position``; the text's end where there is none."""
    while position < len(text):
        found = openers.search(text, position, position + _SEARCH_STEP)
        if found is not None:
            return found.start() + 1
        position += _SEARCH_STEP - _LONGEST_OPENER
    return len(text)


def _section_at(text: str, start: int, row: int) -> FileDiff | None:
    """The file that begins at the line start ``start``; None where none does."""
    if text.startswith(_FILE_WORDS, start) or starts_plain_header(text, start):
        return _file(text, start, row)
    if text.startswith("@@", start):
        return _headless(text, start, row)
    return _entry(text, start, row)


def _entry(text: str, start: int, row: int) -> FileDiff | None:
    """A line that is a whole file: a binary difference, a submodule, an unmerged path."""
    if text.startswith("Binary file", start):
        read = binary_entry
    elif text.startswith("Submodule ", start):
        read = submodule_entry
    elif text.startswith("* Unmerged path ", start):
        read = unmerged_entry
    else:
        return None
    end = next_line(text, start)
    found = read(text[start:end].removesuffix("\n").removesuffix("\r"))
    if found is None:
        return None
    builder = _Builder(text, start, row)
    builder.advance(end, 1)
    while found.kind is FileKind.SUBMODULE and text.startswith(("  > ", "  < "), builder.position):
        builder.advance(next_line(text, builder.position), 1)
    return builder.section(found, builder.position, builder.position)


def _headless(text: str, start: int, row: int) -> FileDiff | None:
    """Hunks without a header, if the first one's body fits its counts."""
    head = read_hunk_head(text, start)
    if head is None or not take_body(text, head, row + 1).whole:
        return None
    builder = _Builder(text, start, row)
    builder.take_hunks()
    return builder.section(HeaderFacts(FileKind.HEADLESS, None, None), start, start)


def _file(text: str, start: int, row: int) -> FileDiff:
    builder = _Builder(text, start, row)
    usual = usual_header(text, start)
    if usual is not None:
        end, said = usual
        builder.advance(end, USUAL_ROWS)
        builder.take_hunks()
        return builder.section(said, end, end)
    lines = read_header(text, start)
    builder.advance(lines.end, lines.rows)
    if lines.opener and lines.new is None:
        builder.take_payload(lines)
    payload_end = builder.position
    builder.take_hunks()
    first = builder.hunks[0] if builder.hunks else None
    ranges = (first.old_start, first.old_count, first.new_start, first.new_count) if first else None
    return builder.section(facts(lines, ranges), lines.end, payload_end)


class _Builder:
    """One file while it is read."""

    def __init__(self, text: str, start: int, row: int) -> None:
        self.text = text
        self.start = start
        self.row = row
        self.position = start
        self.rows = 0
        self.hunks: list[Hunk] = []
        self.anchors: list[Anchor] = []
        self.added = 0
        self.removed = 0
        self.unparsed = False

    def advance(self, end: int, rows: int) -> None:
        self.position = end
        self.rows += rows

    def section(self, said: HeaderFacts, header_end: int, payload_end: int) -> FileDiff:
        """The file, with what its header said."""
        return FileDiff(
            start=self.start,
            end=self.position,
            row=self.row,
            rows=self.rows,
            kind=said.kind,
            path=said.path,
            old_path=said.old_path,
            added=self.added,
            removed=self.removed,
            header_end=header_end,
            payload_end=payload_end,
            hunks=tuple(self.hunks),
            binary=said.binary,
            old_mode=said.old_mode,
            new_mode=said.new_mode,
            notice=notices.of_file(self.unparsed, self.hunks),
            anchors=tuple(self.anchors),
        )

    def take_payload(self, lines: HeaderLines) -> None:
        """The rows of a binary patch, if one begins here."""
        if not self.text.startswith(_BINARY_PATCH, self.position):
            return
        lines.binary = True
        end = next_line(self.text, self.position)
        while end < len(self.text) and (found := _PAYLOAD.match(self.text, end)):
            end = found.end()
        self._take_stretch(end)

    def take_hunks(self) -> None:
        """Hunks and gaps up to the end of the file."""
        whole = True
        while self.position < len(self.text):
            head = read_hunk_head(self.text, self.position) if self.text.startswith("@@", self.position) else None
            if head is not None:
                whole = self._take_hunk(head)
            elif self.text.startswith("@@", self.position) or not (whole or self._opener_at(self.position)):
                self._take_gap()
                whole = True
            else:
                return

    def _opener_at(self, position: int) -> bool:
        return self.text.startswith(_FILE_WORDS, position) or starts_plain_header(self.text, position)

    def _take_gap(self) -> None:
        """Rows that fit nothing, up to the next file or readable hunk header."""
        self.unparsed = True
        end = self.position
        while end < len(self.text):
            end = _next_opener(self.text, end, _FILE_OR_HUNK)
            if self._opener_at(end) or (self.text.startswith("@@", end) and read_hunk_head(self.text, end)):
                break
        self._take_stretch(end)

    def _take_stretch(self, end: int) -> None:
        stretch = _Stretch(self.position, self.row + self.rows)
        stretch.reach(self.text, end)
        self.anchors += stretch.anchors
        self.advance(end, stretch.rows)

    def _take_hunk(self, head: HunkHead) -> bool:
        """One hunk with its surplus rows; False if its body broke off."""
        exact = exact_body(self.text, head)
        if exact is not None:
            self._add_hunk(head, exact[0], exact[0], exact[1], self._overlap(head))
            return True
        body = take_body(self.text, head, self.row + self.rows + 1)
        cut = not body.whole and body.end == len(self.text)
        if body.rows and not cut:
            give_back_plain_header(self.text, body)
        surplus = body.end
        if body.whole:
            take_surplus(self.text, body)
        self.anchors += body.anchors
        if body.whole and surplus == body.end:
            notice = self._overlap(head)
        else:
            notice = notices.COMBINED_COUNTS if head.other_counts else _counts_differ(head, body.counts, cut)
        self._add_hunk(head, body.end, surplus, body.counts, notice)
        return body.whole

    def _add_hunk(self, head: HunkHead, end: int, surplus: int, counts: Counts, notice: str | None) -> None:
        old_start, old_count, new_start, new_count, heading, body, others = head
        row = self.row + self.rows
        rows, added, removed, _ = counts
        parents = 1 + len(others)
        self.hunks.append(
            Hunk(
                self.position,
                body,
                end,
                row,
                rows,
                old_start,
                old_count,
                new_start,
                new_count,
                heading,
                surplus,
                parents,
                notice,
            )
        )
        if parents == 1:
            self.added += added
            self.removed += removed
        self.position = end
        self.rows += 1 + rows

    def _overlap(self, head: HunkHead) -> str | None:
        """Whether the hunk begins before the end of the one above it."""
        if not self.hunks or head.other_counts:
            return None
        above = self.hunks[-1]
        overlaps = head.old_start < above.old_start + above.old_count and above.old_count and head.old_count
        return notices.OVERLAP if overlaps else None


def _counts_differ(head: HunkHead, counts: Counts, cut: bool) -> str:
    context = counts.rows - counts.added - counts.removed - counts.markers
    present = context + counts.removed, context + counts.added
    return notices.counts_differ((head.old_count, head.new_count), present, cut=cut)
