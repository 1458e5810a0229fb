from __future__ import annotations

import pytest

from tests.diffs.corpus import Entry, entries
from vally_tui.diffs.hunks import checked_rows
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import DiffLine, LineKind

ALL = pytest.mark.parametrize("entry", entries(), ids=str)
SIGNS = {
    LineKind.ADDED: "+",
    LineKind.REMOVED: "-",
    LineKind.CONTEXT: " ",
    LineKind.MARKER: "\\",
    LineKind.HUNK_HEADER: "@",
    LineKind.BINARY: "b",
    LineKind.OTHER: "g",
}


@ALL
def test_files_are_those_that_git_lists(entry: Entry) -> None:
    files = DiffIndex.build(entry.text).files
    if not entry.free:
        assert [[file.path, file.kind, file.added, file.removed] for file in files] == entry.files


@ALL
def test_binary_files_are_those_that_git_lists(entry: Entry) -> None:
    files = DiffIndex.build(entry.text).files
    if not entry.free:
        assert [file.binary for file in files] == [said.get("binary", False) for said in entry.detail]


@ALL
def test_renamed_and_copied_files_have_the_old_path_that_git_lists(entry: Entry) -> None:
    files = DiffIndex.build(entry.text).files
    moved = [number for number, file in enumerate(entry.files) if file[1] in ("renamed", "copied")]
    assert [files[number].old_path for number in moved] == [entry.detail[number]["old_path"] for number in moved]


@ALL
def test_modes_are_those_that_git_lists(entry: Entry) -> None:
    """Where the text has them: a pure rename has no line that names a mode, though git's own list has one."""
    if entry.free:
        return
    for file, said in zip(DiffIndex.build(entry.text).files, entry.detail, strict=True):
        modes = said.get("old_mode"), said.get("new_mode")
        if not _tells_modes(entry.text[file.start : file.header_end]):
            modes = None, None
        if "old_mode" in said or "new_mode" in said:
            assert (file.old_mode, file.new_mode) == modes


def _tells_modes(header: str) -> bool:
    return any(" mode " in line or line.startswith("index ") for line in header.split("\n"))


@ALL
def test_each_raw_line_has_the_owner_that_the_corpus_names(entry: Entry) -> None:
    index = DiffIndex.build(entry.text)
    rows = index.rows(0, index.row_count)
    assert len(rows) == len(entry.owners)
    if not entry.free:
        assert "".join(_owner_sign(index, row) for row in rows) == entry.owners


def _owner_sign(index: DiffIndex, row: DiffLine) -> str:
    """``d`` first line of a file, ``h`` header, ``@`` hunk header, blank ``+ - \\`` body, ``s`` surplus, ``g`` gap,
    ``b`` binary payload, ``c`` combined body, ``j`` outside of files."""
    section = index.sections[index.section_at(row.start)]
    if section.kind is None:
        return "j"
    if row.start == section.start and row.kind in (LineKind.HEADER, LineKind.BINARY):
        return "d"
    if row.kind is LineKind.HEADER or row.start < section.header_end:
        return "h"
    if row.surplus:
        return "s"
    place = index.hunk_at_row(row.row)
    if place and row.kind is not LineKind.HUNK_HEADER and index.files[place[0]].hunks[place[1]].parents > 1:
        return "c"
    return SIGNS[row.kind]


@ALL
def test_unidiff_reads_every_body_row_as_the_index_does(entry: Entry) -> None:
    index = DiffIndex.build(entry.text)
    checked = checked_rows(index, 0, index.row_count)
    assert checked.notice is None
    assert list(checked.lines) == index.rows(0, index.row_count)
