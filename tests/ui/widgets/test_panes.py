"""Rows of the trial, file and grader lists, as text and by their look."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from rich.style import Style
from textual.strip import Strip

from tests.ui.render.looks import DARK, PLAIN
from vally_tui.diffs.model import FileKind
from vally_tui.triage.views_model import (
    EditView,
    FileRow,
    GraderMark,
    GraderRow,
    GroupRow,
    Mark,
    Tone,
    TrialColumns,
    TrialRow,
    Word,
)
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.files_pane import file_strip
from vally_tui.ui.widgets.graders_pane import Detail, GraderColumns, Room, details, put_field, put_grader
from vally_tui.ui.widgets.trials_pane import group_strip, trial_strip

P, F, Q, R = Mark.PASS, Mark.FAIL, Mark.NO_EVIDENCE, Mark.RECORDED


def style_of(strip: Strip, text: str) -> Style:
    for segment in strip:
        if text in segment.text:
            assert segment.style is not None
            return segment.style
    raise AssertionError((text, strip.text))


def trial(row: TrialRow, width: int = 37, *, cursor: bool = False, columns: TrialColumns = TrialColumns()) -> Strip:  # noqa: B008  (frozen)
    return trial_strip(row, columns, width, DARK, is_cursor=cursor, active=True)


FAILED = TrialRow(1, "1", "opus-4.5", F, strip=(F, P, P, P, R))


def test_a_trial_has_sign_number_model_and_strip_in_their_columns() -> None:
    assert trial(FAILED).text == "  ✘   1  opus-4.5            ✘✔✔✔·   "


def test_the_cursor_has_a_bar_bold_text_and_a_ground_of_its_own() -> None:
    strip = trial(FAILED, cursor=True)
    assert strip.text == "▌ ✘   1  opus-4.5            ✘✔✔✔·   "
    assert style_of(strip, "opus").bold
    assert style_of(strip, "opus").bgcolor == DARK.ground(Ground.BOOST).bgcolor


def test_what_passes_is_quiet_and_what_fails_is_not() -> None:
    passed = trial(TrialRow(2, "2", "opus-4.5", P, strip=(P, Q)))
    assert style_of(passed, "opus").color == DARK.text(Tone.MUTED).color
    assert style_of(trial(FAILED), "opus").color == DARK.text(Tone.PLAIN).color
    assert style_of(passed, "?").bold


def test_a_flip_has_sign_word_and_tint() -> None:
    strip = trial(TrialRow(1, "1", "opus-4.5", P, F, (P, P, P, P, R)))
    assert strip.text == "  ✘→✔ 1  opus-4.5  now pass  ✔✔✔✔·   "
    assert style_of(strip, "now pass").bgcolor == DARK.ground(Ground.ADDED).bgcolor
    worse = trial(TrialRow(1, "1", "opus-4.5", F, P, (F,)))
    assert "✔→✘" in worse.text
    assert style_of(worse, "now fail").bgcolor == DARK.ground(Ground.REMOVED).bgcolor


def test_in_a_narrow_list_the_word_of_a_flip_goes_and_its_sign_stays() -> None:
    assert trial(TrialRow(1, "1", "opus-4.5", P, F, (P, P)), 30).text == "  ✘→✔ 1  opus-4.5     ✔✔      "


def test_the_focused_graders_result_stands_where_a_flip_would() -> None:
    row = TrialRow(1, "1", "opus-4.5", F, strip=(F,), column=Word("2 matches", Tone.MUTED))
    assert trial(row).text == "  ✘   1  opus-4.5  2 matches ✘       "


def test_in_a_wide_list_the_first_failing_result_follows() -> None:
    row = TrialRow(1, "1", "opus-4.5", F, strip=(F, P, P, P, R), result=(Word("1 diff-contains  not found"),))
    text = "  ✘   1  opus-4.5   ✘✔✔✔·     1 diff-contains  not found"
    assert trial(row, 80).text == text.ljust(80)


def test_in_a_wide_list_a_result_is_whole_or_left_out_and_a_name_is_cut_before_it() -> None:
    result = (Word("2 documents-the-total"), Word("  not found", whole=True), Word(" in turn 1", whole=True))
    row = TrialRow(1, "1", "opus-4.5", F, strip=(F, P, P, P, R), result=result)
    assert trial(row, 74).text.rstrip().endswith("  2 documents-the-total  not found in turn 1")
    assert trial(row, 70).text.rstrip().endswith("  2 documents-the-…  not found in turn 1")
    longer = trial(row, 70, columns=TrialColumns(2, 15, 5)).text
    assert longer.rstrip().endswith("  2 documents-the-tot…  not found")


def test_a_stimulus_with_one_trial_is_one_row_with_its_name() -> None:
    assert trial(TrialRow(1, "", "fix-divide-by-zero", F, strip=(F, P), sole=True)).text == (
        "  ✘   fix-divide-by-zero     ✘✔      "
    )


def test_the_name_of_a_stimulus_is_not_cut_for_what_flipped_beside_it() -> None:
    row = TrialRow(1, "", "remove-the-clamp", P, F, (P, P), sole=True)
    assert trial(row).text == "  ✘→✔ remove-the-clamp       ✔✔      "
    wide = trial(row, 80, columns=TrialColumns(2, 0, 5, 16, True)).text
    assert wide.rstrip() == "  ✘→✔ remove-the-clamp      now pass    ✔✔"


def test_strips_of_a_wide_list_stand_in_one_column_whether_a_word_is_before_them_or_not() -> None:
    columns = TrialColumns(worded=True)
    said = TrialRow(1, "1", "opus-4.5", F, strip=(F, P), column=Word("not found"))
    other = TrialRow(2, "2", "opus-4.5", P, strip=(P, P))
    assert trial(said, 80, columns=columns).text.index("✘✔") == trial(other, 80, columns=columns).text.index("✔✔")


def test_one_model_in_the_run_leaves_its_column_out() -> None:
    assert trial(TrialRow(1, "12", "", P, strip=(P,)), columns=TrialColumns(2, 0, 1)).text == (
        "  ✔  12                      ✔       "
    )


def test_thirty_graders_leave_the_label_readable_and_end_in_an_ellipsis() -> None:
    text = trial(TrialRow(1, "1", "opus-4.5", F, strip=(P,) * 30), columns=TrialColumns(2, 8, 30)).text
    assert text == "  ✘   1  opus-4.5      " + "✔" * 13 + "…"


def test_what_is_left_out_of_a_strip_is_as_loud_as_its_worst() -> None:
    wide = TrialColumns(2, 8, 30)
    assert style_of(trial(TrialRow(1, "1", "x", F, strip=(P,) * 29 + (F,)), columns=wide), "…").bold
    assert not style_of(trial(TrialRow(1, "1", "x", P, strip=(P,) * 30), columns=wide), "…").bold


def test_a_result_that_does_not_fit_is_left_out_and_never_cut() -> None:
    row = TrialRow(1, "1", "opus-4.5", Q, strip=(Q,), column=Word("no evidence", Tone.MUTED))
    assert trial(row).text == "  ?   1  opus-4.5            ?       "
    assert trial(row, 80).text.rstrip() == "  ?   1  opus-4.5   no evidence ?"


def test_a_heading_is_bold_while_something_in_it_failed() -> None:
    failed = group_strip(GroupRow("add-retry", (Word("2 of 4 failed", Tone.MUTED),), True), 37, DARK)
    calm = group_strip(GroupRow("type-hints", (Word("4 passed", Tone.MUTED),)), 37, DARK)
    assert failed.text == " add-retry            2 of 4 failed  "
    assert style_of(failed, "add-retry").bold
    assert not style_of(calm, "type-hints").bold


def test_a_long_heading_is_cut_before_its_tally() -> None:
    strip = group_strip(GroupRow("a-very-long-name-of-a-stimulus-一二三", (Word("2 of 4 failed"),), True), 37, DARK)
    assert strip.text == " a-very-long-name-of… 2 of 4 failed  "


@pytest.mark.parametrize("width", [10, 20, 37, 69, 70, 120])
def test_every_row_has_exactly_its_width(width: int) -> None:
    hostile = "\x1b]0;x\x07一二[red]\u202e" * 4
    row = TrialRow(1, hostile, hostile, F, P, (F,) * 40, Word(hostile), (Word(hostile),))
    assert trial(row, width).cell_length == trial(row, width, cursor=True).cell_length == width
    assert group_strip(GroupRow(hostile, (Word("1 failed"),), True), width, DARK).cell_length == width
    file = FileRow(FileKind.RENAMED, hostile, hostile, 10**9, 10**9, (GraderMark(1),) * 9, notice=True)
    assert file_strip(file, width, DARK, is_cursor=True, active=True).cell_length == width
    grader = GraderRow(1, F, hostile, hostile, "not found", hostile, notice=(Word(hostile),), was=hostile)
    line = Row(width)
    put_grader(line, grader, GraderColumns.of((grader,), width), DARK, is_cursor=True)
    assert line.strip().cell_length == width
    assert "\x1b" not in line.strip().text


def files(row: FileRow, width: int = 37) -> str:
    return file_strip(row, width, DARK, is_cursor=False, active=False).text


def test_a_file_has_kind_path_counts_and_the_graders_that_match_there() -> None:
    marks = (GraderMark(2), GraderMark(3), GraderMark(1, near=True))
    assert files(FileRow(FileKind.MODIFIED, "src/calc.py", None, 9, 3, marks)) == (
        " M src/calc.py         +9 −3  23~1   "
    )
    assert files(FileRow(FileKind.DELETED, "notes/todo.md", None, 0, 6)) == " D notes/todo.md          −6         "
    assert files(FileRow(FileKind.MODIFIED, "a.py", None, 1, 0, (GraderMark(1, broken=True),))) == (
        " M a.py                   +1  1✘     "
    )


def test_a_renamed_file_shows_both_paths_or_the_new_one() -> None:
    row = FileRow(FileKind.RENAMED, "src/operators.py", "src/ops.py")
    assert files(row) == " R src/ops.py → src/operators.py     "
    assert files(row, 22) == " R src/operators.py   "


def test_a_binary_file_and_an_odd_one_say_so() -> None:
    assert "binary" in files(FileRow(FileKind.ADDED, "logo.png", binary=True))
    assert "▲" in files(FileRow(FileKind.MODIFIED, "a.py", None, 1, 1, notice=True))


def grader(row: GraderRow, width: int = 82, *, cursor: bool = False) -> Strip:
    line = Row(width).to(1)
    put_grader(line, row, GraderColumns.of((row,), width), DARK, is_cursor=cursor)
    return line.strip()


def said(shown: Sequence[Detail]) -> list[str]:
    return ["".join(word.text for word in each.words) for each in shown]


NOT_FOUND = GraderRow(1, F, "diff-contains", "T1", "not found", r"raise ValueError\('")


def test_a_grader_has_its_result_before_its_pattern_in_fixed_columns() -> None:
    assert grader(NOT_FOUND).text.rstrip() == r"  1  ✘   diff-contains      T1 not found      raise ValueError\('"
    recorded = GraderRow(5, R, "prompt", "Σ", "recorded pass", "minimal change", judged=False)
    assert grader(recorded).text.rstrip() == "  5  ·   prompt             Σ  recorded pass  minimal change"


def test_a_failing_result_is_loud_and_a_recorded_number_has_no_colour_of_a_grader() -> None:
    assert style_of(grader(NOT_FOUND), "not found").bold
    recorded = GraderRow(5, R, "prompt", "Σ", "recorded pass", "x", judged=False)
    assert style_of(grader(recorded), " 5 ").bgcolor == DARK.ground(Ground.PANEL).bgcolor
    assert style_of(grader(NOT_FOUND), " 1 ").bgcolor == DARK.badge(1).bgcolor


def test_on_a_narrow_screen_the_pattern_is_seen_whole() -> None:
    text = grader(NOT_FOUND, 60).text
    assert text.rstrip() == r"  1  ✘ diff-contains  T1 not found  raise ValueError\('"


def test_an_edited_grader_says_what_it_was() -> None:
    row = GraderRow(1, P, "diff-contains", "T1", "1 match", "new", F, was="old")
    assert grader(row).text.rstrip() == "  1  ✘→✔ diff-contains      T1 1 match        was old"


def test_a_name_stands_behind_pattern_and_notice_where_it_fits_whole() -> None:
    row = GraderRow(1, P, "diff-contains", "T0", "1 match", r"def total\(", name="adds-total")
    assert grader(row).text.rstrip().endswith(r"  def total\(   adds-total")
    noted = GraderRow(1, P, "diff-contains", "T0", "1 match", "total", name="adds-total", notice=(Word("▲ weak"),))
    assert grader(noted).text.rstrip().endswith("  total   ▲ weak   adds-total")
    assert grader(row, 70).text.rstrip().endswith(r"  def total\(")


def test_a_notice_is_shortened_before_its_pattern_is_cut() -> None:
    notice = (Word("▲ weak"), Word(": only context", whole=True))
    row = GraderRow(1, P, "diff-contains", "Σ", "1 match", r"def divide\b", notice=notice)
    assert grader(row).text.rstrip().endswith(r"  def divide\b   ▲ weak: only context")
    assert grader(row, 79).text.rstrip().endswith(r"  def divide\b   ▲ weak")


def test_the_selected_grader_says_last_a_name_that_its_head_has_no_room_for() -> None:
    row = GraderRow(1, F, "diff-contains", "T0", "not found", r"def total\(", name="adds-total", evidence="why")
    assert said(details(row, Room(60, 24))) == ["why"]
    assert said(details(row, Room(60, 23))) == ["why", "named adds-total"]
    assert said(details(row, Room(60, 23, evidence=False))) == []


def test_where_the_head_has_no_room_for_a_pattern_the_selected_grader_says_it_below() -> None:
    row = GraderRow(1, F, "diff-contains", "Σ", "not found", r"raise ValueError\('")
    assert grader(row, 40).text.rstrip() == "  1  ✘ diff-contains Σ not found  rais…"
    assert said(details(row, Room(32, 6, evidence=False, finding=False))) == [r"raise ValueError\('"]


def test_on_a_screen_of_40_columns_results_are_whole() -> None:
    rows = (
        GraderRow(1, P, "diff-not-contains", "Σ", "not found", "x"),
        GraderRow(2, R, "prompt", "Σ", "recorded pass", "y"),
    )
    columns = GraderColumns.of(rows, 40)
    shown = []
    for row in rows:
        line = Row(40).to(1)
        put_grader(line, row, columns, DARK, is_cursor=False)
        shown.append(line.strip().text.rstrip())
    assert shown == ["  1  ✔ diff-not-contains Σ not found", "  2  · prompt            Σ recorded pass"]


def test_a_negated_restraint_is_named_whole_from_60_columns_on() -> None:
    row = GraderRow(1, P, "not diff-not-contains", "Σ", "1 match", "secret")
    assert grader(row).text.rstrip() == "  1  ✔   not diff-not-contains  Σ  1 match        secret"
    assert "not diff-not-contains" in grader(row, 60).text


def test_the_selected_grader_shows_evidence_then_finding() -> None:
    row = GraderRow(1, F, "diff-contains", "T1", "not found", "x", evidence="one\ntwo", finding=(Word("nearly"),))
    shown = details(row, Room(40, 40))
    assert said(shown) == ["one", "two", "nearly"]
    assert len(details(row, Room(40, 40, evidence=False))) == 1
    assert details(row, Room(40, 40, evidence=False, finding=False)) == []


def test_a_very_long_evidence_sentence_is_cut_after_six_rows() -> None:
    row = GraderRow(1, F, "prompt", "Σ", "recorded fail", "x", evidence="word " * 500)
    shown = details(row, Room(40, 40))
    assert len(shown) == 6
    assert shown[-1].words[0].text.endswith(" …")


def test_while_editing_there_are_five_rows_and_flags_lose_their_words_where_room_is_lacking() -> None:
    flags = (("i", "any case", True), ("m", "^ $ at every line", False))
    row = GraderRow(1, P, "diff-contains", "T1", "1 match", "x", edit=EditView("x", flags=flags))
    shown = details(row, Room(60, 40))
    assert len(shown) == 4
    assert "".join(word.text for word in shown[3].words) == "[x] i any case   [ ] m ^ $ at every line"
    short = details(row, Room(30, 40))
    assert "".join(word.text for word in short[3].words) == "[x] i any case   [ ] m"
    chosen = details(replace(row, edit=EditView("x", flags=flags, chosen_flag=1)), Room(32, 40))
    assert "".join(word.text for word in chosen[3].words) == "[x] i   [ ] m ^ $ at every line"
    tight = details(row, Room(12, 40))
    assert "".join(word.text for word in tight[3].words) == "[x]i [ ]m"


@pytest.mark.parametrize(
    ("room", "tally", "error"),
    [
        (
            56,
            "+3 now pass · −0 now fail · 18 same · 3 waiting  of 24",
            r"! Unmatched ')'  at character 7: write \) itself",
        ),
        (47, "+3 now pass · −0 now fail · 18 same · 3 waiting", r"! Unmatched ')': write \) itself"),
        (38, "+3 now pass · −0 now fail · 3 waiting", r"! Unmatched ')': write \) itself"),
        (30, "+3 now pass · −0 now fail", "! Unmatched ')'"),
    ],
)
def test_of_what_an_edit_does_and_of_an_error_the_most_useful_stays_and_the_rest_goes_whole(
    room: int, tally: str, error: str
) -> None:
    flips = (
        Word("+3 now pass · −0 now fail"),
        Word(" · 18 same", rank=4),
        Word(" · 3 waiting", rank=1),
        Word("  of 24", rank=5),
    )
    fault = (Word("! Unmatched ')'"), Word("  at character 7", rank=2), Word(r": write \) itself", rank=1))
    for phrase, said_of_it in ((flips, tally), (fault, error)):
        row = GraderRow(1, P, "diff-contains", "T1", "1 match", "x", edit=EditView("x", outcome=phrase))
        assert "".join(word.text for word in details(row, Room(room, 40))[1].words) == said_of_it


def field(text: str, caret: int, width: int = 20, fault: int | None = None) -> Strip:
    line = Row(width)
    put_field(line, EditView(text, caret, fault), PLAIN)
    return line.strip()


def test_the_field_keeps_its_caret_in_view() -> None:
    assert field("abc", 3).text == "▏abc                "
    assert style_of(field("abc", 1), "b").reverse
    assert "z" in field("x" * 100 + "z", 101).text
    assert field("一" * 30, 30).cell_length == 20


def test_the_character_at_fault_is_underlined() -> None:
    assert style_of(field("a(b", 3, fault=1), "(").underline


def test_names_of_a_million_characters_are_drawn_from_their_ends_only() -> None:
    name = "a/" * 500_000
    assert files(FileRow(FileKind.RENAMED, name, name)).count("…") >= 1
    assert "…" in trial(TrialRow(1, "1", name, F, P, (F,))).text
    assert field("(" * 1_000_000, 1_000_000).cell_length == 20
    row = GraderRow(1, F, name, "T1", "not found", name, evidence=name)
    assert grader(row).cell_length == 82
    assert len(details(row, Room(40, 40))) == 6
