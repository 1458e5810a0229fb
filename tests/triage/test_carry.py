"""Edits carried over to graders that were read anew, and through the journal."""

from __future__ import annotations

from msgspec.structs import replace

from tests.triage.builders import board_of, contains, trial
from vally_tui.spec.edit import AddGrader, RemoveGrader, ReplaceGrader
from vally_tui.triage import update
from vally_tui.triage.carry import carry, carry_over_reading
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.journalled import entries_of, restored, unsaved_changes
from vally_tui.triage.saving import changes_of
from vally_tui.triage.state import TriageState
from vally_tui.triage.typed_text import config_of

A, B, X = contains("a"), contains("b"), contains("x")


def test_an_edit_follows_its_grader_to_another_place() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", B, A))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    assert dict(carry(old, state, new).state.edits.configs) == {1: X}


def test_an_edit_follows_its_grader_by_name() -> None:
    named = replace(A, name="first")
    old = board_of(trial(0, "fix-it", named, B))
    new = board_of(trial(0, "fix-it", B, replace(A, name="first", turn=1)))
    state = update.edit_slot(TriageState(trial=0), old, 0, replace(X, name="first"))
    # What was changed on disk is kept below what was typed.
    assert dict(carry(old, state, new).state.edits.configs) == {1: replace(X, name="first", turn=1)}


def test_an_edit_that_is_what_stands_there_now_is_none() -> None:
    old, new = board_of(trial(0, "fix-it", A)), board_of(trial(0, "fix-it", X))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    carried = carry(old, state, new)
    assert (carried.state.edits, carried.clashes) == (NO_EDITS, ())


def test_an_edit_whose_grader_is_gone_becomes_an_added_grader_and_is_told() -> None:
    named = replace(A, name="gone")
    old, new = board_of(trial(0, "fix-it", named, B)), board_of(trial(0, "fix-it", B))
    state = update.edit_slot(TriageState(trial=0), old, 0, replace(X, name="gone"))
    carried = carry(old, state, new)
    (made,) = carried.state.edits.added["fix-it"]
    assert carried.state.edits.configs[made] == replace(X, name="gone")
    assert carried.clashes == ("fix-it: gone is gone from the file; your edit stays as a new grader",)


def test_an_edit_never_goes_to_a_grader_that_came_to_stand_in_the_same_place() -> None:
    # Two that are the same, and a new one in front of them.
    old, new = board_of(trial(0, "fix-it", A, A)), board_of(trial(0, "fix-it", B, A, A))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    assert dict(carry(old, state, new).state.edits.configs) == {1: X}


def test_a_pattern_that_was_changed_on_both_sides_is_told_and_the_person_s_stays() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", contains("theirs"), B))
    carried = carry(old, update.edit_slot(TriageState(trial=0), old, 0, X), new)
    assert dict(carried.state.edits.configs) == {0: X}
    assert carried.clashes == (
        "fix-it: diff-contains was changed on disk, too (config.pattern); your edit stands on top of it",
    )


def test_a_removed_grader_stays_removed() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", A, B))
    state = update.remove_slot(TriageState(trial=0), old, 1)
    assert carry(old, state, new).state.edits.removed == {1}


def test_an_unsaved_undo_of_a_saved_edit_is_put_on_top_of_what_was_saved() -> None:
    old, new = board_of(trial(0, "fix-it", A)), board_of(trial(0, "fix-it", X))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    state = update.undo(update.mark_saved(state, state.edits), old)
    carried = carry(old, state, new).state
    assert dict(carried.edits.configs) == {0: A}
    assert carried.unsaved == 1
    # And redo reaches what was saved: it is what stands there now.
    assert update.redo(carried, new).edits == NO_EDITS


def test_a_run_that_is_made_anew_with_the_saved_pattern_keeps_what_was_typed_since() -> None:
    board = board_of(trial(0, "fix-it", A, B))
    state = update.edit_slot(TriageState(trial=0), board, 0, X)
    state = update.edit_slot(update.mark_saved(state, state.edits), board, 0, contains("y"))
    board.remove_run(0)
    board.add_trials(0, [trial(1, "fix-it", X, B)])
    (made, _) = board.entries[1].slots
    carried = carry_over_reading(board, replace(state, trial=1)).state
    assert dict(carried.edits.configs) == {made: contains("y")}
    assert carried.saved == NO_EDITS
    assert update.undo(carried, board).edits == NO_EDITS


def test_an_edit_of_a_grader_that_no_trial_has_any_more_stays() -> None:
    board = board_of(trial(0, "fix-it", A, B))
    state = update.edit_slot(TriageState(trial=0), board, 0, X)
    board.remove_run(0)
    board.add_trials(0, [trial(1, "fix-it", B)])
    assert carry_over_reading(board, state).state == state


def test_unsaved_edits_come_back_from_their_entries() -> None:
    board = board_of(trial(0, "fix-it", A, B, contains("c")))
    state = update.edit_slot(TriageState(trial=0), board, 0, contains("\x1b[31m \ud800 '"))
    state = update.remove_slot(state, board, 1)
    added = board.add_slot("fix-it", X)
    state = update.add_slot(state, board, added)
    entries = entries_of(changes_of(board, state))
    assert [type(entry) for entry in entries] == [ReplaceGrader, RemoveGrader, AddGrader]

    fresh = board_of(trial(0, "fix-it", A, B, contains("c")))
    edits, lost = restored(fresh, NO_EDITS, entries)
    assert lost == ()
    assert edits.configs[0] == contains("\x1b[31m \ud800 '")
    assert edits.removed == {1}
    (made,) = edits.added["fix-it"]
    assert edits.configs[made] == X


def test_an_entry_whose_grader_is_another_now_is_lost_and_told() -> None:
    board = board_of(trial(0, "fix-it", A))
    entries = entries_of(changes_of(board, update.edit_slot(TriageState(trial=0), board, 0, X)))
    assert restored(board_of(trial(0, "fix-it", B)), NO_EDITS, entries) == (NO_EDITS, entries)


def test_a_mapping_without_a_type_is_no_grader() -> None:
    assert config_of({"config": {}}) is None
    assert config_of(["type"]) is None
    assert config_of({"type": "diff-contains", "config": {"pattern": "a"}}) == A


def test_after_a_save_that_moved_graders_an_unsaved_edit_comes_back_in_its_place() -> None:
    board = board_of(trial(0, "fix-it", A, B))
    state = update.remove_slot(TriageState(trial=0), board, 0)
    state = update.edit_slot(update.mark_saved(state, state.edits), board, 1, X)
    entries = entries_of(unsaved_changes(board, state, given=True))
    edits, lost = restored(board_of(trial(0, "fix-it", B)), NO_EDITS, entries)
    assert (dict(edits.configs), lost) == ({0: X}, ())


def test_recorded_graders_do_not_have_what_was_saved_so_that_comes_back_with_the_unsaved_edit() -> None:
    board = board_of(trial(0, "fix-it", A, B))
    state = update.edit_slot(TriageState(trial=0), board, 0, X)
    state = update.edit_slot(update.mark_saved(state, state.edits), board, 0, contains("y"))
    entries = entries_of(unsaved_changes(board, state, given=False))
    edits, lost = restored(board_of(trial(0, "fix-it", A, B)), NO_EDITS, entries)
    assert (dict(edits.configs), lost) == ({0: contains("y")}, ())
