from __future__ import annotations

from collections import Counter

import pytest

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import MatchPlace, files_of, locate, match_place, tally
from vally_tui.diffs.model import LineKind, Place
from vally_tui.diffs.scan import scan

TEXT = """\
prose
diff --git a/f b/f
--- a/f
+++ b/f
@@ -1,2 +1,2 @@ def f():
 same
-old
+new
\\ No newline at end of file
+surplus
@@ ... @@
Binary files x and y differ
diff --git a/g b/g
Binary files a/g and b/g differ
"""


@pytest.mark.parametrize(
    ("needle", "place"),
    [
        ("prose", MatchPlace(None, 1, LineKind.OTHER)),
        ("diff --git a/f", MatchPlace("f", 2, LineKind.HEADER)),
        ("+++ b/f", MatchPlace("f", 4, LineKind.HEADER)),
        ("@@ -1,2", MatchPlace("f", 5, LineKind.HUNK_HEADER)),
        (" def f", MatchPlace("f", 5, LineKind.HUNK_HEADER)),
        ("def f():", MatchPlace("f", 5, LineKind.SECTION)),
        ("\n same", MatchPlace("f", 5, LineKind.HUNK_HEADER)),
        ("same", MatchPlace("f", 6, LineKind.CONTEXT)),
        ("old", MatchPlace("f", 7, LineKind.REMOVED)),
        ("new", MatchPlace("f", 8, LineKind.ADDED)),
        ("No newline", MatchPlace("f", 9, LineKind.MARKER)),
        ("surplus", MatchPlace("f", 10, LineKind.ADDED)),
        ("@@ ... @@", MatchPlace("f", 11, LineKind.OTHER)),
        ("Binary files a/g", MatchPlace("g", 14, LineKind.BINARY)),
    ],
)
def test_a_match_has_the_class_of_its_first_character(needle: str, place: MatchPlace) -> None:
    assert match_place(DiffIndex.build(TEXT), TEXT.index(needle)) == place


def test_the_end_of_the_text_belongs_to_the_last_row() -> None:
    index = DiffIndex.build(TEXT)
    assert locate(index, len(TEXT)) == Place(1, None, 13, 32, LineKind.BINARY)
    assert match_place(index, len(TEXT)) == MatchPlace("g", 15, LineKind.BINARY)


def test_an_empty_text_has_one_place() -> None:
    assert match_place(DiffIndex.build(""), 0) == MatchPlace(None, 1, LineKind.OTHER)
    assert locate(DiffIndex.build(""), 0) == Place(None, None, 0, 0, LineKind.OTHER)


def test_combined_rows_are_told_by_their_signs() -> None:
    text = "diff --cc f\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n--gone\n++here\n"
    index = DiffIndex.build(text)
    kinds = [locate(index, text.index(word)).kind for word in ("gone", "here")]
    assert kinds == [LineKind.REMOVED, LineKind.ADDED]


def test_matches_are_counted_by_file_and_by_class() -> None:
    index = DiffIndex.build(TEXT)
    places = [
        TEXT.index(word) for word in ("prose", "@@ -1,2", "def", "f():", "old", "ld\n", "new", "Binary files a/g")
    ]
    counts = tally(index, places)
    assert counts.by_file == Counter({None: 1, 0: 6, 1: 1})
    assert counts.by_kind == Counter(
        {
            LineKind.OTHER: 1,
            LineKind.HUNK_HEADER: 1,
            LineKind.SECTION: 2,
            LineKind.REMOVED: 2,
            LineKind.ADDED: 1,
            LineKind.BINARY: 1,
        }
    )
    assert files_of(index, places) == [0, 1]


def test_matches_beyond_what_an_index_covers_are_left_out() -> None:
    index = DiffIndex(TEXT, list(scan(TEXT))[:2])
    places = [TEXT.index("old"), TEXT.index("Binary files a/g")]
    assert tally(index, places).by_file == Counter({0: 1})
    assert files_of(index, places) == [0]


@pytest.mark.parametrize("starts", [[], [0], [0, 0]])
def test_matches_in_an_empty_text_are_outside_of_files(starts: list[int]) -> None:
    counts = tally(DiffIndex.build(""), starts)
    assert sum(counts.by_kind.values()) == counts.by_kind[LineKind.OTHER] == len(starts)
    assert files_of(DiffIndex.build(""), starts) == []
