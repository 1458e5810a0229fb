"""Matches with their places and lines."""

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import Spans
from vally_tui.triage.match_list import EXCERPT, MatchRow, counts, match_row

DIFF = """\
diff --git a/calc.py b/calc.py
--- a/calc.py
+++ b/calc.py
@@ -7,3 +7,3 @@ def divide(a, b):
 first
-old line
+new line
 last
"""


def row(text: str, what: str) -> MatchRow:
    """The row of the first place of a text."""
    start = text.index(what)
    return match_row(DiffIndex.build(text), (start, start + len(what)))


def test_a_match_has_its_file_and_the_number_of_its_line_there() -> None:
    assert row(DIFF, "new") == MatchRow("calc.py:8", LineKind.ADDED, "+", "new", " line")
    assert row(DIFF, "old") == MatchRow("calc.py:8", LineKind.REMOVED, "-", "old", " line")
    assert row(DIFF, "last").place == "calc.py:9"


def test_a_match_in_a_header_has_the_file_only_and_one_in_a_section_heading_says_so() -> None:
    assert row(DIFF, "+++ b") == MatchRow("calc.py", LineKind.HEADER, "", "+++ b", "/calc.py")
    assert row(DIFF, "divide").kind is LineKind.SECTION


def test_a_match_over_several_lines_shows_its_first_and_that_it_goes_on() -> None:
    assert row(DIFF, "old line\n+new") == MatchRow("calc.py:8", LineKind.REMOVED, "-", "old line↵", "")


def test_a_match_of_nothing_has_its_place() -> None:
    start = DIFF.index("+new")
    assert match_row(DiffIndex.build(DIFF), (start, start)) == MatchRow(
        "calc.py:8", LineKind.ADDED, "", "", "+new line"
    )


def test_text_outside_of_files_is_named_by_its_line() -> None:
    assert row("warning: LF\n" + DIFF, "LF").place == "line 1"


def test_of_a_very_long_line_only_the_part_around_the_match_is_given() -> None:
    text = DIFF.replace("new line", "x" * 10_000 + "needle" + "y" * 10_000)
    found = row(text, "needle")
    assert found.before == "…" + "x" * 40
    assert found.match == "needle"
    assert found.after == "y" * EXCERPT


def test_matches_are_counted_by_kind_most_first() -> None:
    index = DiffIndex.build(DIFF)
    places = [DIFF.index("first"), DIFF.index("line"), DIFF.index("new line") + 4, DIFF.index("last")]
    spans = Spans.of(*((start, start + 1) for start in places))
    assert counts(index, spans) == [(LineKind.CONTEXT, 2), (LineKind.REMOVED, 1), (LineKind.ADDED, 1)]
