from __future__ import annotations

import pytest
from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from tests.tools.big_diffs import long_row, one_hunk
from vally_tui.diffs import hunks
from vally_tui.diffs.hunks import CheckedDiff, checked_rows
from vally_tui.diffs.index import DiffIndex

TEXT = """\
diff --git a/f b/f
--- a/f
+++ b/f
@@ -7,2 +8,2 @@ one
 same
-old
+new
\\ No newline at end of file
@@ -90 +91 @@ two
-x
+y
+surplus
"""
DISAGREES = "The diff parser reads these rows differently; they are shown as the text has them."


def test_rows_through_unidiff_are_those_of_the_index() -> None:
    index = DiffIndex.build(TEXT)
    checked = checked_rows(index, 0, 99)
    assert list(checked.lines) == index.rows(0, 99)
    assert checked.notice is None


def test_unidiff_is_given_body_rows_only_under_a_header_that_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []

    def listening(text: str) -> PatchSet:
        given.append(text)
        return PatchSet(text)

    monkeypatch.setattr(hunks, "PatchSet", listening)
    checked_rows(DiffIndex.build(TEXT), 5, 99)
    assert given == [
        "--- a\n+++ b\n@@ -8,1 +9,1 @@\n-old\n+new\n",
        "--- a\n+++ b\n@@ -90,1 +91,1 @@\n-x\n+y\n",
    ]


@pytest.mark.parametrize("error", [UnidiffParseError("no"), ValueError("no"), IndexError("no"), RecursionError()])
def test_an_error_of_unidiff_leaves_the_rows_of_the_text(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def failing(text: str) -> PatchSet:
        raise error

    monkeypatch.setattr(hunks, "PatchSet", failing)
    index = DiffIndex.build(TEXT)
    checked = checked_rows(index, 0, 99)
    assert list(checked.lines) == index.rows(0, 99)
    assert checked.notice == DISAGREES


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("-old", "+old"), ("-old", "-odd"), ("-8,1 +9,1", "-9,1 +9,1"), ("-8,1 +9,1 @@\n-old\n", "-8,0 +9,1 @@\n")],
)
def test_rows_that_unidiff_reads_otherwise_are_those_of_the_text(
    monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    monkeypatch.setattr(hunks, "PatchSet", lambda text: PatchSet(text.replace(right, wrong)))
    index = DiffIndex.build(TEXT)
    checked = checked_rows(index, 5, 2)
    assert list(checked.lines) == index.rows(5, 2)
    assert checked.notice == DISAGREES


def test_a_window_deep_in_a_long_hunk_is_checked() -> None:
    index = DiffIndex.build(one_hunk(20_000))
    checked = checked_rows(index, 15_000, 60)
    assert list(checked.lines) == index.rows(15_000, 60)
    assert checked.notice is None


def test_a_row_of_megabytes_is_checked_by_its_beginning() -> None:
    index = DiffIndex.build(long_row(3_000_000))
    checked = checked_rows(index, 0, 99)
    assert list(checked.lines) == index.rows(0, 99)
    assert checked.notice is None


def test_the_screen_s_index_gives_the_rows_that_unidiff_reads() -> None:
    text = "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n"
    index = CheckedDiff.build(text)
    assert index.rows(0, 9) == DiffIndex.build(text).rows(0, 9)
    assert index.disagreed is None


def test_rows_that_unidiff_reads_differently_are_the_text_s_own_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> PatchSet:
        raise UnidiffParseError("no")

    monkeypatch.setattr("vally_tui.diffs.hunks.PatchSet", refuse)
    text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-two\n+three\n"
    index = CheckedDiff.build(text)
    assert index.rows(0, 9) == DiffIndex.build(text).rows(0, 9)
    assert index.disagreed is not None
