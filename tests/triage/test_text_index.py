"""Texts that are no diff, indexed as diffs are: rows, parts, places."""

from hypothesis import given
from hypothesis import strategies as st

from vally_tui.diffs.locate import files_of, locate
from vally_tui.diffs.model import FileKind, LineKind
from vally_tui.grading.graders import Subject
from vally_tui.grading.model import Spans
from vally_tui.triage.match_list import MatchRow, counts, match_row
from vally_tui.triage.text_index import TextIndex
from vally_tui.triage.views_files import file_row, files_title

DIFF_LIKE = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
MESSAGES = ["Looking.\n", "Found\nit.", "Done."]
TEXT = "\n".join(MESSAGES)
PARTS = (0, len(MESSAGES[0]) + 1, len(MESSAGES[0]) + len(MESSAGES[1]) + 2)


def rows(index: TextIndex) -> list[str]:
    return [index.text[line.start : line.end] for line in index.rows(0, index.row_count)]


def test_a_text_that_looks_like_a_diff_is_text() -> None:
    index = TextIndex(DIFF_LIKE)
    assert rows(index) == DIFF_LIKE.split("\n")[:-1]
    assert {line.kind for line in index.rows(0, 6)} == {LineKind.CONTEXT}
    assert (len(index.files), index.added, index.removed, index.notice) == (0, 0, 0, None)
    assert locate(index, DIFF_LIKE.index("+b")).kind is LineKind.OTHER


def test_an_empty_text_has_no_rows() -> None:
    assert TextIndex("").row_count == 0
    assert TextIndex("").complete


def test_parts_stand_in_the_place_of_files_and_the_keys_for_hunks_and_files_walk_them() -> None:
    index = TextIndex(TEXT, PARTS)
    assert rows(index) == ["Looking.", "", "Found", "it.", "Done."]
    assert [(file.kind, file.path, file.row) for file in index.files] == [
        (FileKind.PART, "message 1", 0),
        (FileKind.PART, "message 2", 2),
        (FileKind.PART, "message 3", 4),
    ]
    assert (index.next_file_row(0), index.next_hunk_row(2), index.next_hunk_row(4)) == (2, 4, None)
    assert (index.previous_file_row(4), index.previous_hunk_row(3), index.previous_hunk_row(0)) == (2, 2, None)
    assert [index.file_at_row(row) for row in range(5)] == [0, 0, 1, 1, 2]


def test_a_match_is_placed_by_line_and_in_messages_by_the_message() -> None:
    start = TEXT.index("it.")
    assert match_row(TextIndex(TEXT), (start, start + 2)) == MatchRow("line 4", None, "", "it", ".")
    assert match_row(TextIndex(TEXT, PARTS), (start, start + 2)) == MatchRow("message 2, line 2", None, "", "it", ".")
    assert counts(TextIndex(TEXT), Spans.of((start, start + 2))) == []
    assert list(files_of(TextIndex(TEXT, PARTS), Spans.of((0, 1), (start, start + 2)).starts)) == [0, 1]


def test_a_message_has_a_row_in_the_place_of_a_file_that_says_how_it_begins() -> None:
    index = TextIndex(TEXT, PARTS)
    row = file_row(index, 1)
    assert (row.kind, row.path, row.added, row.removed) == (FileKind.PART, "2  Found it.", 0, 0)
    assert files_title(index, None, Subject.TRANSCRIPT).name == "Messages"
    assert [note.text for note in files_title(index, None, Subject.TRANSCRIPT).notes] == ["3"]
    assert [note.text for note in files_title(TextIndex("a"), None, Subject.OUTPUT).notes] == [
        "none: this is the output"
    ]


@given(st.lists(st.text(st.sampled_from("a\n\r\u2028 "), min_size=1, max_size=6), max_size=5))
def test_parts_and_rows_tile_any_text(messages: list[str]) -> None:
    text = "\n".join(messages)
    starts, at = [], 0
    for message in messages:
        starts.append(at)
        at += len(message) + 1
    index = TextIndex(text, starts)
    assert index.complete
    assert [text[file.start : file.end] for file in index.files] == [f"{each}\n" for each in messages[:-1]] + messages[
        -1:
    ]
    assert rows(index) == (text.removesuffix("\n").split("\n") if text else [])
    for row in range(index.row_count):
        line = index.rows(row, 1)[0]
        assert (index.row_of(line.start), index.offset_of(row)) == (row, line.start)
