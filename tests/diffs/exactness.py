"""What must hold for any text whatever: no line lost, none misplaced. Written without the index's own shortcuts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

from vally_tui.diffs.bodies import HunkHead, exact_body, take_body
from vally_tui.diffs.header import USUAL_ROWS, facts, read_header, usual_header
from vally_tui.diffs.hunks import checked_rows
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import files_of, locate, match_place, tally
from vally_tui.diffs.model import DiffLine, FileDiff, Hunk, LineKind


def assert_exact(text: str, random: Random) -> None:
    index = DiffIndex.build(text)
    assert_tiles(text, index)
    rows = index.rows(0, index.row_count)
    assert_rows_are_the_text(text, rows)
    assert_numbers(text, index, rows)
    assert_windows(index, rows, random)
    assert_places(text, index, rows, random)
    checked = checked_rows(index, 0, index.row_count)
    assert checked.notice is None
    assert list(checked.lines) == rows


def assert_tiles(text: str, index: DiffIndex) -> None:
    assert index.complete
    assert "".join(text[section.start : section.end] for section in index.sections) == text
    for before, after in pairwise(index.sections):
        assert (before.end, before.row + before.rows) == (after.start, after.row)
    for section in index.sections:
        assert section.start < section.end
        _assert_parts_in_order(section)
    assert index.row_count == _line_count(text)


def _assert_parts_in_order(section: FileDiff) -> None:
    assert section.start <= section.header_end <= section.payload_end <= section.end
    borders = [section.payload_end]
    for hunk in section.hunks:
        borders += [hunk.start, hunk.start + 1, hunk.heading, hunk.surplus, hunk.end]
        assert hunk.heading <= hunk.body <= hunk.surplus
    assert borders == sorted(borders)
    assert borders[-1] <= section.end
    places = [(anchor.offset, anchor.row) for anchor in section.anchors]
    assert places == sorted(places)


def _line_count(text: str) -> int:
    return text.count("\n") + (text != "" and not text.endswith("\n"))


def assert_rows_are_the_text(text: str, rows: list[DiffLine]) -> None:
    joined = "\n".join(text[row.start : row.end] for row in rows)
    assert joined + ("\n" if text.endswith("\n") else "") == text
    assert [row.row for row in rows] == list(range(len(rows)))
    assert all("\n" not in text[row.start : row.end] for row in rows)


def assert_same_header_at_a_glance(text: str, file: FileDiff) -> None:
    usual = usual_header(text, file.start)
    if usual is not None:
        lines = read_header(text, file.start)
        assert lines.rows == USUAL_ROWS
        assert usual == (lines.end, facts(lines, (1, 1, 1, 1)))


def assert_numbers(text: str, index: DiffIndex, rows: list[DiffLine]) -> None:
    for file in index.files:
        assert_same_header_at_a_glance(text, file)
        added = removed = 0
        for hunk in file.hunks:
            body = rows[hunk.row + 1 : hunk.row + 1 + hunk.rows]
            assert rows[hunk.row].kind is LineKind.HUNK_HEADER
            if hunk.parents == 1:
                _assert_hunk_numbers(text, hunk, body)
                added += sum(row.kind is LineKind.ADDED for row in body)
                removed += sum(row.kind is LineKind.REMOVED for row in body)
                _assert_same_with_and_without_the_short_cut(text, hunk)
        assert (file.added, file.removed) == (added, removed)


def _assert_hunk_numbers(text: str, hunk: Hunk, body: list[DiffLine]) -> None:
    old, new = hunk.old_start, hunk.new_start
    for row in body:
        sign = text[row.start : row.end][:1]
        numbers: tuple[int | None, int | None] = (None, None)
        kind = {"+": LineKind.ADDED, "-": LineKind.REMOVED, "\\": LineKind.MARKER}.get(sign, LineKind.CONTEXT)
        if row.start < hunk.surplus and sign != "\\":
            numbers = (None if sign == "+" else old, None if sign == "-" else new)
            old += sign != "+"
            new += sign != "-"
        assert (row.kind, row.old_number, row.new_number) == (kind, *numbers)
        assert row.surplus == (row.start >= hunk.surplus)
    assert old - hunk.old_start <= hunk.old_count
    assert new - hunk.new_start <= hunk.new_count
    if hunk.surplus < hunk.end:
        assert (old - hunk.old_start, new - hunk.new_start) == (hunk.old_count, hunk.new_count)


def _assert_same_with_and_without_the_short_cut(text: str, hunk: Hunk) -> None:
    head = HunkHead(hunk.old_start, hunk.old_count, hunk.new_start, hunk.new_count, hunk.heading, hunk.body)
    exact = exact_body(text, head)
    if exact is not None:
        body = take_body(text, head, 0)
        assert body.whole
        assert exact == (body.end, body.counts)


def assert_windows(index: DiffIndex, rows: list[DiffLine], random: Random) -> None:
    for _ in range(6):
        first, count = random.randrange(-2, len(rows) + 3), random.randrange(0, 12)
        assert index.rows(first, count) == rows[max(first, 0) : max(first + count, 0)]
        window = checked_rows(index, first, count)
        assert list(window.lines) == rows[max(first, 0) : max(first + count, 0)]
        assert window.notice is None


def assert_places(text: str, index: DiffIndex, rows: list[DiffLine], random: Random) -> None:
    offsets = [*sorted(random.randrange(0, len(text) + 1) for _ in range(12)), len(text)]
    by_kind: Counter[LineKind] = Counter()
    by_file: Counter[int | None] = Counter()
    for offset in offsets:
        place = locate(index, offset)
        line = min(text.count("\n", 0, offset), max(len(rows) - 1, 0))
        assert place.row == line
        if rows:
            row = rows[line]
            assert place.column == offset - row.start
            assert (place.kind is row.kind) or (place.kind, row.kind) == (LineKind.SECTION, LineKind.HUNK_HEADER)
            assert index.row_of(offset) == line
            assert index.offset_of(line) == row.start
            assert place.file == index.file_at_row(line)
        said = match_place(index, offset)
        assert said.line == 1 + text.count("\n", 0, offset)
        assert said.file == (None if place.file is None else index.files[place.file].path)
        assert said.kind is place.kind
        by_kind[place.kind] += 1
        by_file[place.file] += 1
    counts = tally(index, offsets)
    assert (counts.by_kind, counts.by_file) == (by_kind, by_file)
    assert files_of(index, offsets) == sorted(file for file in by_file if file is not None)
