"""The rows of help, facts, issues and stimuli, without a screen."""

import pytest

from vally_tui.triage.views_facts import Paragraph
from vally_tui.triage.views_issues import Trouble, TroubleGroup
from vally_tui.triage.views_model import Mark, Tone, Word
from vally_tui.triage.views_stimuli import Cell, StimulusRow, StimulusTable
from vally_tui.ui.commands import COMMANDS, DEFAULT_KEYMAP, Group, keymap
from vally_tui.ui.screens.box_choice import Option, choice_lines
from vally_tui.ui.screens.box_facts import FactsLayout
from vally_tui.ui.screens.box_help import Choice, choice_line, command_choices, keys_text, overview
from vally_tui.ui.screens.box_issues import issue_lines
from vally_tui.ui.screens.box_stimuli import table_lines
from vally_tui.ui.widgets.line_list import Line

ALL = [command.id for command in COMMANDS]


def said(line: Line) -> str:
    """A row as text: each part behind two blanks, what is at the right behind a bar."""
    left = "  ".join("".join(word.text for word in words).strip() for _, words in line.parts)
    right = "".join(word.text for word in line.right)
    return f"{left} | {right}" if right else left


def texts(lines: list[Line]) -> list[str]:
    return [said(line) for line in lines]


def possible(command: str) -> None:
    return None


def test_every_known_command_is_in_the_overview_at_any_width() -> None:
    for width, between in ((98, "\n"), (60, " "), (30, " ")):
        # In one column long words go on in the next row.
        everything = between.join(texts(overview(DEFAULT_KEYMAP, possible, ALL, width)))
        for command in COMMANDS:
            assert (command.row or command.words) in everything
        for group in Group:
            assert group.value in everything


def test_commands_of_one_row_share_it_with_the_first_key_of_each() -> None:
    rows = texts(overview(DEFAULT_KEYMAP, possible, ALL, 60))
    assert "j k  down, up" in rows
    assert "1 … 9  focus that grader" in rows
    assert "tab shift+tab  next, previous pane" in rows


def test_the_persons_own_keys_are_shown() -> None:
    own = keymap({"diff.wrap": "ctrl+w", "diff.fold": []})
    rows = texts(overview(own, possible, ALL, 60))
    assert "^w  wrap long lines" in rows
    assert "  fold context" in rows


def test_a_command_with_several_keys_shows_two() -> None:
    (down,) = [command for command in COMMANDS if command.id == "quit"]
    assert keys_text([down], DEFAULT_KEYMAP) == "q ^q"


def test_commands_that_the_screen_does_not_know_are_left_out() -> None:
    choices = command_choices(DEFAULT_KEYMAP, possible, ["quit"])
    assert [choice.id for choice in choices] == ["quit"]


def test_a_reason_that_names_its_command_is_not_said_twice() -> None:
    rows = texts(overview(DEFAULT_KEYMAP, lambda command: "save: nothing" if command == "save" else None, ALL, 98))
    assert rows[-1] == "^s  save: nothing"
    choice = Choice("save", "^s", "save, after showing the change", "Mend", "save: nothing")
    assert said(choice_line(choice, 60)) == "^s  save: nothing"


def test_what_is_not_possible_stands_last_with_its_reason() -> None:
    rows = texts(overview(DEFAULT_KEYMAP, lambda command: "not now" if command == "copy" else None, ALL, 98))
    assert rows[-2:] == ["Not possible now", "y  copy line, pattern, YAML, evidence: not now"]


def test_a_choice_says_its_group_or_why_it_is_not_possible() -> None:
    assert said(choice_line(Choice("x", "e", "edit", "Mend"), 60)) == "e  edit | Mend"
    assert said(choice_line(Choice("x", "e", "edit", "Mend", "no grader"), 60)) == "e  edit: no grader"
    assert said(choice_line(Choice("x", "u", "undo", "Mend", "undo: nothing"), 60)) == "u  undo: nothing"


def test_a_reason_that_does_not_fit_whole_is_left_to_enter() -> None:
    choice = Choice("x", "esc", "end the search", "Move", "nothing is open")
    assert (
        said(choice_line(choice, 15 + len("end the search: nothing is open"))) == "esc  end the search: nothing is open"
    )
    assert said(choice_line(choice, 14 + len("end the search: nothing is open"))) == "esc  end the search | not now"


def test_what_is_said_of_a_choice_is_whole_in_rows_beside_it_or_below() -> None:
    option = Option("a", "f", "failed first", "then errors, no evidence, the others")
    assert texts(choice_lines(option, 18, 46)) == ["f  failed first  then errors, no evidence,", "the others"]
    assert texts(choice_lines(option, 18, 34)) == ["f  failed first", "then errors, no evidence, the", "others"]
    assert [line.selectable for line in choice_lines(option, 18, 34)] == [True, False, False]


def test_facts_are_laid_out_in_rows_with_a_blank_row_before_each_section() -> None:
    layout = FactsLayout(
        [
            Paragraph("Prompt", Tone.STRONG, heading=True),
            Paragraph("one two three\n"),
            Paragraph("Results", Tone.STRONG, heading=True),
            Paragraph("said", indent=2, lead=(Word("head  "),), mark=Mark.FAIL),
        ],
        width=9,
    )
    assert [said(layout.line(row)) for row in range(len(layout.rows))] == [
        "Prompt",
        "one two",
        "three",
        "",
        "Results",
        "✘ head",
        "said",
    ]


def test_a_place_of_a_paragraph_is_found_in_its_row() -> None:
    layout = FactsLayout([Paragraph("T", heading=True), Paragraph("one two three")], width=7)
    assert layout.find("THREE") == []
    assert layout.find("three") == [(1, 8, 13)]
    assert layout.row_of(1, 8) == 2
    assert layout.row_of(0, 0) == 0


def test_finds_are_marked_in_the_rows_that_they_reach_into() -> None:
    layout = FactsLayout([Paragraph("aaaa bbbb")], width=4)
    finds = layout.find("aa b")
    assert [word.text for word in layout.line(0, finds).parts[0][1] if word.tone is Tone.KEY] == ["aa"]
    assert [word.text for word in layout.line(1, finds).parts[0][1] if word.tone is Tone.KEY] == ["b"]


def test_issues_have_place_message_and_step_and_only_the_place_can_be_chosen() -> None:
    lines, rows = issue_lines(
        [TroubleGroup("No evidence", (Trouble("fix · trial 1", "the diff was never recorded", "run it again", 3),))], 60
    )
    assert texts(lines) == [
        "No evidence  1",
        "▲ fix · trial 1",
        "the diff was never recorded",
        "→ run it again",
    ]
    assert [line.selectable for line in lines] == [False, True, False, False]
    assert [row and row.trial for row in rows] == [None, 3, 3, 3]


def test_no_issues_are_said_to_be_none() -> None:
    lines, _ = issue_lines([], 60)
    assert texts(lines) == ["✔ everything was read, and every verdict is as recorded"]


def a_table(*columns: str, stimuli: int = 1, noun: str = "variant") -> StimulusTable:
    cell = Cell(passed=1, counted=2, others=1, mean=0.5, first_failing=1, first=0)
    rows = tuple(StimulusRow(f"stimulus-{number}", (cell,) * len(columns)) for number in range(stimuli))
    return StimulusTable(columns, rows, StimulusRow("all", (cell,) * len(columns)), 0.8, 2, noun)


def test_one_variant_shows_all_values_of_a_stimulus() -> None:
    rows = texts(table_lines(a_table(""), 2, 98))
    assert " ".join(rows[:2]) == (
        "the eval passes with a mean score of at least 0.8 · (+n): trials that are neither passed nor failed · "
        "pass@2: how likely it is that one of 2 trials passes · pass^2: that all 2 do"
    )
    assert rows[3] == "stimulus  passed  pass@2  pass^2   score"
    assert rows[4] == "✘ stimulus-0  1 of 2 (+1)    1.00    0.25    0.50"


def test_a_k_beyond_the_trials_has_no_value() -> None:
    assert "–" in texts(table_lines(a_table(""), 3, 98))[4]


@pytest.mark.parametrize("noun", ["variant", "run"])
def test_many_columns_show_fewer_values_and_say_how_many_of_what_have_no_room(noun: str) -> None:
    rows = texts(table_lines(a_table("a", "b", "c", noun=noun), 2, 84))
    assert "a  b  c" in rows
    assert not any("pass@" in row for row in rows)
    narrow = " ".join(texts(table_lines(a_table("a", "b", "c", noun=noun), 2, 40)))
    assert f"2 more {noun}s without room here" in narrow


def test_many_runs_that_are_named_by_their_time_can_be_told_apart() -> None:
    stamps = ("2026-06-18T02-58-59-505Z", "2026-06-18T03-02-58-661Z", "2026-06-18T09-07-48-906Z")
    heads = "06-18T02-58  06-18T03-02  06-18T09-07"
    assert heads in texts(table_lines(a_table(*stamps), 2, 62))
