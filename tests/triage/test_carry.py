"""Edits carried over to graders that were read anew, and through the journal."""

from __future__ import annotations

from dataclasses import replace

from tests.triage.builders import board_of, contains, trial
from vally_tui.spec.edit import AddGrader, RemoveGrader, ReplaceGrader
from vally_tui.triage import update
from vally_tui.triage.carry import carry
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.journalled import config_of, entries_of, restored
from vally_tui.triage.saving import changes_of
from vally_tui.triage.state import TriageState

A, B, X = contains("a"), contains("b"), contains("x")


def test_an_edit_follows_its_grader_to_another_place() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", B, A))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    assert dict(carry(old, state.edits, new).configs) == {1: X}


def test_an_edit_follows_its_grader_by_name() -> None:
    named = replace(A, name="first")
    old = board_of(trial(0, "fix-it", named, B))
    new = board_of(trial(0, "fix-it", B, replace(contains("changed"), name="first")))
    state = update.edit_slot(TriageState(trial=0), old, 0, replace(X, name="first"))
    assert dict(carry(old, state.edits, new).configs) == {1: replace(X, name="first")}


def test_an_edit_that_is_what_stands_there_now_is_none() -> None:
    old, new = board_of(trial(0, "fix-it", A)), board_of(trial(0, "fix-it", X))
    state = update.edit_slot(TriageState(trial=0), old, 0, X)
    assert carry(old, state.edits, new) == NO_EDITS


def test_an_edit_whose_grader_is_gone_becomes_an_added_grader() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", B))
    named = replace(A, name="gone")
    old = board_of(trial(0, "fix-it", named, B))
    state = update.edit_slot(TriageState(trial=0), old, 0, replace(X, name="gone"))
    edits = carry(old, state.edits, new)
    (made,) = edits.added["fix-it"]
    assert edits.configs[made] == replace(X, name="gone")


def test_a_removed_grader_stays_removed() -> None:
    old, new = board_of(trial(0, "fix-it", A, B)), board_of(trial(0, "fix-it", A, B))
    state = update.remove_slot(TriageState(trial=0), old, 1)
    assert carry(old, state.edits, new).removed == {1}


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
