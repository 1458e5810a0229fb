from __future__ import annotations

import pytest

from tests.tools import big_diffs
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import FileKind, LineKind

HEADER = "diff --git a/f b/f\n--- a/f\n+++ b/f\n"


def shown(text: str) -> list[str]:
    """Each row as its class, its numbers and its text."""
    index = DiffIndex.build(text)
    return [
        f"{row.kind} {row.old_number or '.'} {row.new_number or '.'}{' surplus' if row.surplus else ''} "
        f"{text[row.start : row.end]}"
        for row in index.rows(0, index.row_count)
    ]


def test_rows_have_the_numbers_of_both_sides() -> None:
    assert shown(
        HEADER + "@@ -3,3 +5,4 @@ def f():\n one\n-two\n+TWO\n+more\n three\n\\ No newline at end of file\n"
    ) == [
        "header . . diff --git a/f b/f",
        "header . . --- a/f",
        "header . . +++ b/f",
        "hunk-header . . @@ -3,3 +5,4 @@ def f():",
        "context 3 5  one",
        "removed 4 . -two",
        "added . 6 +TWO",
        "added . 7 +more",
        "context 5 8  three",
        "marker . . \\ No newline at end of file",
    ]


def test_content_that_looks_like_headers_is_content() -> None:
    text = HEADER + "@@ -1,3 +1,3 @@\n--- a/x\n+++ b/x\n--- -- y\n+++ ++ y\n @@ -1 +1 @@\n"
    assert shown(text)[4:] == [
        "removed 1 . --- a/x",
        "added . 1 +++ b/x",
        "removed 2 . --- -- y",
        "added . 2 +++ ++ y",
        "context 3 3  @@ -1 +1 @@",
    ]


def test_rows_beyond_the_counts_belong_to_the_hunk_without_numbers() -> None:
    text = HEADER + "@@ -1 +1 @@\n-x\n+y\n+z\n same\n"
    assert shown(text)[4:] == ["removed 1 . -x", "added . 1 +y", "added . . surplus +z", "context . . surplus  same"]
    (file,) = DiffIndex.build(text).files
    assert (file.added, file.removed) == (2, 1)
    assert file.notice == "Hunk 1: The hunk header says −1 +1 lines, the text has −2 +3."


def test_a_mail_signature_and_blank_lines_are_no_surplus() -> None:
    index = DiffIndex.build(HEADER + "@@ -1 +1 @@\n-x\n+y\n-- \n2.39.5\n\n")
    assert [(section.kind, section.rows) for section in index.sections] == [(FileKind.MODIFIED, 6), (None, 3)]


def test_a_hunk_that_is_cut_off_says_so() -> None:
    (file,) = DiffIndex.build(HEADER + "@@ -1,5 +1,5 @@\n x\n+y").files
    assert file.hunks[0].notice == "The text ends inside this hunk: its header says −5 +5 lines, the text has −1 +2."


def test_a_hunk_that_is_too_short_leaves_the_next_file_alone() -> None:
    second = "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n"
    index = DiffIndex.build(HEADER + "@@ -1,5 +1,5 @@\n x\n+y\n" + second)
    assert [(file.path, file.added, file.removed) for file in index.files] == [("f", 1, 0), ("g", 1, 1)]


@pytest.mark.parametrize("counts", ["-1,5 +1,5", "-1,3 +1,2", "-1,2 +1,3"])
def test_a_broken_hunk_gives_back_the_header_of_the_next_plain_file(counts: str) -> None:
    text = f"--- a/f\n+++ b/f\n@@ {counts} @@\n x\n-y\n+z\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n"
    index = DiffIndex.build(text)
    assert [(file.path, file.added, file.removed) for file in index.files] == [("f", 1, 1), ("g", 1, 1)]


def test_a_stray_line_leaves_the_rest_as_it_is() -> None:
    text = HEADER + "@@ -1,3 +1,3 @@\n a\n...\n-b\n+c\n@@ -9 +9 @@\n-x\n+y\n"
    assert shown(text)[3:] == [
        "hunk-header . . @@ -1,3 +1,3 @@",
        "context 1 1  a",
        "other . . ...",
        "other . . -b",
        "other . . +c",
        "hunk-header . . @@ -9 +9 @@",
        "removed 9 . -x",
        "added . 9 +y",
    ]


def test_a_hunk_header_that_cannot_be_read_leaves_its_rows_with_the_file() -> None:
    text = HEADER + f"@@ -1,{'9' * 5000} +1 @@\n-x\n+y\n"
    (file,) = DiffIndex.build(text).files
    assert (file.end, file.hunks, file.added) == (len(text), (), 0)
    assert file.notice == "Some lines fit no unified diff; they are shown as they are, without numbers."


def test_hunks_that_overlap_are_marked() -> None:
    (file,) = DiffIndex.build(HEADER + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -2 +2 @@\n-x\n+y\n").files
    assert file.hunks[0].notice is None
    assert file.hunks[1].notice == "This hunk starts before the end of the hunk above it; its counts may be wrong."


def test_combined_rows_are_told_by_their_signs_and_have_the_number_of_the_result() -> None:
    text = "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,3 -1,2 +1,3 @@@ x\n  a\n- b\n -c\n++d\n +e\n"
    assert shown(text)[4:] == [
        "hunk-header . . @@@ -1,3 -1,2 +1,3 @@@ x",
        "context . 1   a",
        "removed . . - b",
        "removed . .  -c",
        "added . 2 ++d",
        "added . 3  +e",
    ]


def test_hunks_without_a_header_are_a_file_without_a_name() -> None:
    (file,) = DiffIndex.build("prose\n@@ -1 +1 @@\n-x\n+y\n").files
    assert (file.kind, file.path, file.row) == (FileKind.HEADLESS, None, 1)


def test_hunks_without_a_header_that_do_not_fit_are_no_file() -> None:
    assert not DiffIndex.build("@@ -1,3 +1 @@\n-x\n+y\n").files


@pytest.mark.parametrize("text", ["\ufeff@@ -1 +1 @@\n-x\n+y\n", "\ufeff" + HEADER + "@@ -1 +1 @@\n-x\n+y\n"])
def test_a_byte_order_mark_is_looked_past(text: str) -> None:
    index = DiffIndex.build(text)
    assert [file.start for file in index.files] == [0]
    assert (index.added, index.removed) == (1, 1)
    assert index.rows(0, 1)[0].start == 0


def test_a_byte_order_mark_before_prose_is_prose() -> None:
    index = DiffIndex.build("\ufeffprose\n" + HEADER)
    assert [(section.kind, section.rows) for section in index.sections] == [(None, 1), (FileKind.MODIFIED, 3)]


def test_the_payload_of_a_binary_patch_is_told_apart() -> None:
    text = big_diffs.binary_patch(3)
    index = DiffIndex.build(text)
    first = index.files[0]
    assert text[first.header_end : first.payload_end].startswith("GIT binary patch\nliteral 156\nz")
    assert [row.kind for row in index.rows(0, 8)] == [LineKind.HEADER] * 2 + [LineKind.BINARY] * 6


@pytest.mark.parametrize(
    ("text", "files", "hunks", "added", "removed"),
    [
        (big_diffs.many_files(40), 40, 120, 4440, 2280),
        (big_diffs.one_hunk(40_000), 1, 1, 20_000, 10_000),
        (big_diffs.many_hunks(5_000), 1, 5_000, 10_000, 5_000),
        (big_diffs.long_row(2_000_000), 1, 1, 1, 1),
        (big_diffs.renames(2_000), 2_000, 0, 0, 0),
        (big_diffs.plain_like_body(2_000), 2_000, 2_000, 2_000, 2_000),
        (big_diffs.binary_patch(20_000), 2, 1, 1, 1),
        (big_diffs.surplus_rows(40_000), 1, 1, 40_001, 1),
        (big_diffs.open_hunk(40_000), 1, 1, 0, 0),
        (big_diffs.no_diff(100_000), 0, 0, 0, 0),
        (big_diffs.false_openers(30_000), 0, 0, 0, 0),
        (big_diffs.hunk_headers(10_000), 1, 10_000, 0, 0),
        (big_diffs.blank_rows(100_000), 1, 1, 1, 1),
        (big_diffs.marker_rows(20_000), 1, 1, 0, 0),
        (big_diffs.ambiguous_git_line(200_000), 1, 1, 1, 1),
        (big_diffs.ambiguous_binary_line(200_000), 1, 0, 0, 0),
        (big_diffs.open_quotes(200_000), 1, 1, 1, 1),
        (big_diffs.long_numbers(100_000), 1, 0, 0, 0),
    ],
    ids=list(big_diffs.SHAPES),
)
def test_large_and_hostile_texts_are_read_to_their_end(
    text: str, files: int, hunks: int, added: int, removed: int
) -> None:
    index = DiffIndex.build(text)
    assert index.complete
    assert (len(index.files), sum(len(file.hunks) for file in index.files)) == (files, hunks)
    assert (index.added, index.removed) == (added, removed)
