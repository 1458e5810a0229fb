from __future__ import annotations

import pytest

from tests.tools.big_diffs import many_files, one_hunk
from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.scan import scan

TWO_FILES = """\
From: someone

diff --git a/f b/f
--- a/f
+++ b/f
@@ -1 +1 @@
-a
+b
@@ -9 +9 @@
-c
+d
diff --git a/empty b/empty
new file mode 100644
diff --git a/g b/g
--- a/g
+++ b/g
@@ -1 +1 @@
-a
+b
"""


def test_an_index_that_grows_is_exact_for_what_it_covers() -> None:
    text = many_files(5, rows=8)
    whole = DiffIndex.build(text)
    growing = DiffIndex(text)
    assert (growing.row_count, growing.complete, growing.notice, growing.rows(0, 10)) == (0, False, None, [])
    for section in scan(text):
        growing.extend([section])
        assert growing.rows(0, growing.row_count) == whole.rows(0, growing.row_count)
        assert growing.covers(growing.covered - 1)
        assert growing.covers(growing.covered) == growing.complete
    assert growing.complete
    assert (growing.added, growing.removed) == (whole.added, whole.removed)


def test_the_first_file_is_known_before_the_rest_is_read() -> None:
    text = many_files(1) + "diff --git a/second b/second\n" + "+" * 100
    sections = scan(text)
    assert next(sections).path == "src/part0/file0.py"


def test_files_and_hunks_are_found_by_row() -> None:
    index = DiffIndex.build(TWO_FILES)
    assert [index.file_at_row(row) for row in range(-1, 20)] == [None] * 3 + [0] * 9 + [1] * 2 + [2] * 6 + [None]
    assert [index.hunk_at_row(row) for row in (1, 2, 5, 7, 8, 10, 12, 16, 18)] == [
        None, None, (0, 0), (0, 0), (0, 1), (0, 1), None, (2, 0), (2, 0),
    ]  # fmt: skip


def test_hunks_and_files_are_walked_in_both_directions() -> None:
    index = DiffIndex.build(TWO_FILES)
    assert [index.next_hunk_row(row) for row in (0, 4, 5, 8, 16, 99)] == [5, 5, 8, 16, None, None]
    assert [index.previous_hunk_row(row) for row in (99, 16, 15, 8, 6, 5, 0)] == [16, 8, 8, 5, 5, None, None]
    assert [index.next_file_row(row) for row in (0, 2, 11, 12, 13)] == [2, 11, 13, 13, None]
    assert [index.previous_file_row(row) for row in (99, 13, 11, 3, 2)] == [13, 11, 2, 2, None]


def test_a_window_deep_in_a_long_hunk_has_the_right_rows() -> None:
    index = DiffIndex.build(one_hunk(50_000))
    # Rows of the hunk go round as context, removed, added, added: 2 old and 3 new lines every 4 rows.
    assert [(row.old_number, row.new_number) for row in index.rows(5 + 40_000, 4)] == [
        (20_001, 30_001),
        (20_002, None),
        (None, 30_002),
        (None, 30_003),
    ]


def test_rows_outside_of_the_text_are_left_out() -> None:
    index = DiffIndex.build(TWO_FILES)
    assert [row.row for row in index.rows(-3, 5)] == [0, 1]
    assert [row.row for row in index.rows(18, 5)] == [18]
    assert index.rows(19, 5) == index.rows(3, 0) == index.rows(3, -4) == []


def test_an_empty_text_has_no_rows_and_nothing_to_say() -> None:
    index = DiffIndex.build("")
    assert (index.row_count, index.rows(0, 5), index.complete, index.notice) == (0, [], True, None)
    assert (index.row_of(0), index.offset_of(0)) == (0, 0)


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("prose\n", "No unified diff was recognised in this text; it is shown as it is."),
        (" \n\r\n", None),
        (
            "\x1b[1mdiff --git a/f b/f\x1b[m\n",
            "No unified diff was recognised: the lines begin with colour codes. The text is shown as it is.",
        ),
        (
            "*** a/f\n--- b/f\n***************\n*** 1 ****\n",
            "This is a context diff, not a unified one; it is shown as it is.",
        ),
        (
            "*** Begin Patch\n*** Update File: f\n",
            "This is an apply_patch block, not a unified diff; it is shown as it is.",
        ),
        (
            "> diff --git a/f b/f\n",
            "No unified diff was recognised: each line begins with another sign. The text is shown as it is.",
        ),
        ("\ufffd\ufffdd\0i\0f\0f\0", "This text looks like UTF-16 that was read as UTF-8; it is shown as it is."),
        (TWO_FILES, None),
    ],
)
def test_a_text_without_files_says_why(text: str, notice: str | None) -> None:
    assert DiffIndex.build(text).notice == notice
