"""From edits to the text that would be saved: which grader each edit means, and what stands in its way."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.triage.builders import board_of, contains, trial
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.document import SpecDocument, parse_spec
from vally_tui.spec.edit import Sharing
from vally_tui.triage import update
from vally_tui.triage.board import Board
from vally_tui.triage.edits import TypedText
from vally_tui.triage.saving import SavePlan, changes_of, plan_save, saved_by
from vally_tui.triage.state import TriageState
from vally_tui.triage.typed_text import read_text, source_of, with_config

SPEC = """\
name: eval
stimuli:
  - name: fix-it
    prompt: do it
    graders:
      - type: diff-contains   # the first
        config: { pattern: 'a' }
      - type: diff-contains
        config: { pattern: 'b' }
"""

SHARED = """\
name: eval
stimuli:
  - name: fix-it
    prompt: do it
    graders:
      - type: diff-contains
        config: { pattern: &p 'a' }
      - type: diff-contains
        config: { pattern: *p }
"""


def document(text: str) -> SpecDocument:
    return parse_spec(text, Path("eval.yaml"))


def edited(*graders: GraderConfig, **patterns: str) -> tuple[Board, TriageState]:
    """A board with one trial, and a state in which grader N (``gN=``) has another pattern."""
    board = board_of(trial(0, "fix-it", *graders))
    state = TriageState(trial=0)
    for name, pattern in patterns.items():
        state = update.edit_slot(state, board, int(name[1:]), contains(pattern))
    return board, state


def plan(board: Board, state: TriageState, text: str, sharing: dict[int, Sharing] | None = None) -> SavePlan:
    return plan_save(changes_of(board, state), document(text), "eval.yaml", sharing)


def test_one_pattern_changes_one_line_and_keeps_its_comment() -> None:
    made = plan(*edited(contains("a"), contains("b"), g0="x'y"), SPEC)
    assert made.applied is not None
    assert made.applied.text == SPEC.replace("pattern: 'a'", "pattern: 'x''y'")
    assert [(one.number, one.keys, one.line) for one in made.placed] == [(1, "config.pattern", 6)]


def test_what_is_back_at_the_saved_value_is_no_change() -> None:
    board, state = edited(contains("a"), contains("b"), g0="x")
    back = update.edit_slot(state, board, 0, contains("a"))
    assert changes_of(board, back) == ()


def test_after_a_save_only_later_edits_are_changes() -> None:
    board, state = edited(contains("a"), contains("b"), g0="x")
    saved = update.mark_saved(state, state.edits)
    later = update.edit_slot(saved, board, 1, contains("y"))
    assert [(change.slot, change.before, change.after) for change in changes_of(board, later)] == [
        (1, contains("b"), contains("y"))
    ]


def test_undoing_a_saved_edit_is_a_change_back() -> None:
    board, state = edited(contains("a"), contains("b"), g0="x")
    undone = update.undo(update.mark_saved(state, state.edits), board)
    made = plan(board, undone, SPEC.replace("'a'", "'x'"))
    assert made.applied is not None
    assert made.applied.text == SPEC


def test_an_added_grader_stands_at_the_end_of_its_stimulus() -> None:
    board, state = edited(contains("a"), contains("b"))
    slot = board.add_slot("fix-it", contains("c"))
    made = plan(board, update.add_slot(state, board, slot), SPEC)
    assert made.applied is not None
    assert made.applied.text.startswith(SPEC)
    graders = made.applied.document.spec.stimuli[0].configs
    assert graders == (contains("a"), contains("b"), contains("c"))


def test_a_removed_grader_goes_with_its_lines() -> None:
    board, state = edited(contains("a"), contains("b"))
    made = plan(board, update.remove_slot(state, board, 1), SPEC)
    assert made.applied is not None
    assert made.applied.text == SPEC[: SPEC.rindex("      - type")]


def test_a_spec_with_another_value_keeps_what_was_not_edited() -> None:
    text = SPEC.replace("{ pattern: 'a' }", "{ pattern: 'other', negate: true }")
    made = plan(*edited(contains("a"), contains("b"), g0="x"), text)
    assert made.applied is not None
    assert made.applied.text == text.replace("'other'", "'x'")
    assert made.placed[0].differs


def test_a_grader_that_the_spec_does_not_have_is_told_and_the_others_are_saved() -> None:
    named = replace(contains("n"), name="only-here")
    board, state = edited(contains("a"), contains("b"), named, g0="x")
    state = update.edit_slot(state, board, 2, replace(named, config={"pattern": "m"}))
    made = plan(board, state, SPEC)
    assert made.applied is not None
    assert made.applied.text == SPEC.replace("'a'", "'x'")
    assert [one.reason for one in made.unplaced] == ["fix-it in the spec has no grader like only-here"]


def test_a_stimulus_that_the_spec_does_not_have_is_told() -> None:
    made = plan(*edited(contains("a"), g0="x"), SPEC.replace("fix-it", "other"))
    assert made.applied is None
    assert [one.reason for one in made.unplaced] == ["the spec has no stimulus 'fix-it'"]


def test_a_shared_value_waits_for_the_person_s_choice() -> None:
    made = plan(*edited(contains("a"), contains("a"), g0="x"), SHARED)
    assert made.applied is None
    assert made.undecided == (0,)
    assert [sharer.label for sharer in made.placed[0].sharers] == ["grader 2 of fix-it"]


def test_a_shared_value_can_be_changed_for_all() -> None:
    board, state = edited(contains("a"), contains("a"), g0="x")
    made = plan(board, state, SHARED, {0: Sharing.ALL})
    assert made.applied is not None
    assert made.applied.text == SHARED.replace("&p 'a'", "&p 'x'")


def test_a_shared_value_can_be_changed_for_this_grader_only() -> None:
    board, state = edited(contains("a"), contains("a"), g0="x")
    made = plan(board, state, SHARED, {0: Sharing.THIS_ONLY})
    assert made.applied is not None
    assert made.applied.document.spec.stimuli[0].configs == (contains("x"), contains("a"))


def test_a_neighbour_that_moved_up_is_never_taken_for_the_grader_that_was_edited() -> None:
    # The run was made with three graders; the spec has lost the first one since.
    made = plan(*edited(contains("gone"), contains("a"), contains("b"), g0="x"), SPEC)
    assert made.placed == ()
    assert [unplaced.reason for unplaced in made.unplaced] == ["fix-it in the spec has no grader like diff-contains"]
    assert made.applied is None


def test_a_grader_whose_removal_was_saved_comes_back_in_its_place() -> None:
    board, state = edited(contains("a"), contains("b"))
    removed = update.remove_slot(state, board, 0)
    first = plan(board, removed, SPEC)
    assert first.applied is not None
    back = update.undo(saved_by(first, removed), board)
    second = plan(board, back, first.applied.text)
    assert second.applied is not None
    stimulus = second.applied.document.spec.stimulus("fix-it")
    assert stimulus is not None
    assert stimulus.configs == (contains("a"), contains("b"))


def test_what_the_spec_says_already_is_saved_without_a_change() -> None:
    board, state = edited(contains("old"), contains("b"), g0="a")
    made = plan(board, state, SPEC)
    assert made.applied is not None
    assert (made.applied.text, made.diff, made.placed[0].keys) == (SPEC, "", "the spec says so already")
    assert saved_by(made, state).unsaved == 0


TYPED = """\
type: diff-contains   # the first, mended
weight: 2
config: { pattern: 'x' }
"""


def typed(text: str) -> tuple[Board, TriageState]:
    """The first of two graders with a text that was typed over that of the spec."""
    board, state = edited(contains("a"), contains("b"))
    spec = document(SPEC)
    source = source_of(spec, spec.spec.stimuli[0].graders[0])
    assert source == "type: diff-contains   # the first\nconfig: { pattern: 'a' }\n"
    config = read_text(text)
    assert config is not None
    return board, update.edit_text(state, board, 0, config, TypedText(source, text))


def test_a_typed_text_is_written_with_its_comments_and_all_its_keys() -> None:
    made = plan(*typed(TYPED), SPEC)
    assert made.applied is not None
    assert made.applied.text == SPEC.replace(
        "diff-contains   # the first\n        config: { pattern: 'a' }",
        "diff-contains   # the first, mended\n        weight: 2\n        config: { pattern: 'x' }",
    )


def test_a_typed_comment_alone_is_an_unsaved_edit_until_it_is_saved() -> None:
    board, state = typed("type: diff-contains   # why\nconfig: { pattern: 'a' }\n")
    assert state.unsaved == 1
    made = plan(board, state, SPEC)
    assert made.applied is not None
    assert made.applied.text == SPEC.replace("# the first", "# why")
    assert saved_by(made, state).unsaved == 0


def test_what_is_edited_after_a_text_was_typed_is_put_on_top_of_it() -> None:
    board, state = typed(TYPED)
    later = update.edit_slot(state, board, 0, contains("y"))
    made = plan(board, later, SPEC)
    assert made.applied is not None
    assert "# the first, mended\n        weight: 2\n        config: { pattern: 'y' }" in made.applied.text


def test_a_typed_text_is_not_put_over_one_that_was_changed_on_disk() -> None:
    theirs = SPEC.replace("# the first", "# theirs")
    made = plan(*typed(TYPED), theirs)
    assert made.applied is not None
    assert made.applied.text == theirs.replace("'a'", "'x'")
    assert "typed comments are left out" in made.placed[0].keys


def test_a_text_takes_a_config_and_keeps_its_comments() -> None:
    assert with_config(TYPED, contains("it's")) == TYPED.replace("'x'", "'it''s'")
    assert with_config("type: [", contains("a")) is None


def test_true_in_the_place_of_1_is_saved() -> None:
    text = SPEC.replace("'a' }", "'a', negate: 1 }")
    board, state = edited(contains("a", negate=1), contains("b"))
    state = update.edit_slot(state, board, 0, contains("a", negate=True))

    applied = plan(board, state, text).applied

    assert applied is not None
    assert applied.text == text.replace("negate: 1", "negate: true")
