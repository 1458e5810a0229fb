from msgspec.structs import replace

from tests.triage.builders import FAIL, LACKING, PASS, board_of, contains, excludes, put, trial
from vally_tui.grading.graders import Subject
from vally_tui.grading.model import GraderConfig
from vally_tui.triage import update
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.filter import read_filter
from vally_tui.triage.state import TriageState, first_failing_slot
from vally_tui.triage.tabs import WHOLE_DIFF, Tab

RAISES, QUIET = contains("raise"), excludes("print")
OTHER = contains("throw")


def _board() -> Board:
    """Four trials with two graders each: 0 passes, 1 fails its second grader, 2 lacks evidence, 3 fails both."""
    board = board_of(*(trial(key, "fix-it", RAISES, QUIET) for key in range(4)))
    first, second = board.slots_of(0, NO_EDITS)
    put(board, first, t0=PASS, t1=PASS, t2=LACKING, t3=FAIL)
    put(board, second, t0=PASS, t1=FAIL, t2=LACKING, t3=FAIL)
    board.settle(NO_EDITS, NO_EDITS)
    return board


def test_at_start_the_first_failing_trial_and_its_first_failing_grader_are_selected() -> None:
    board = _board()

    state = update.follow_first_failure(TriageState(), board)

    assert state.trial == 1
    assert state.slot == board.slots_of(1, NO_EDITS)[1]


def test_where_nothing_fails_the_first_trial_is_selected() -> None:
    board = board_of(trial(0, "a", RAISES), trial(1, "a", RAISES))

    assert update.follow_first_failure(TriageState(), board).trial == 0
    assert update.follow_first_failure(TriageState(), Board()).trial is None


def test_once_the_person_has_moved_no_failure_is_followed() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 3)

    assert update.follow_first_failure(state, board) == state


def test_a_fail_goes_before_a_grader_that_could_not_be_judged() -> None:
    board = board_of(trial(0, "a", RAISES, QUIET))
    first, second = board.slots_of(0, NO_EDITS)
    put(board, first, t0=LACKING)
    put(board, second, t0=FAIL)

    assert first_failing_slot(board, 0, NO_EDITS) == second


def test_where_no_grader_fails_the_first_one_that_is_judged_is_focused() -> None:
    board = board_of(trial(0, "a", GraderConfig("prompt"), RAISES))
    _, raises = board.slots_of(0, NO_EDITS)
    put(board, raises, t0=PASS)

    assert first_failing_slot(board, 0, NO_EDITS) == raises


def test_focusing_a_grader_opens_the_turn_that_it_looks_at() -> None:
    second_turn = replace(QUIET, turn=1)
    board = board_of(trial(0, "a", RAISES, second_turn, turns=2))
    whole, turn = board.slots_of(0, NO_EDITS)
    state = update.select_trial(TriageState(), board, 0)

    assert update.select_slot(state, board, turn).tab == Tab(Subject.DIFF, 1)
    assert update.select_slot(state, board, whole).tab == WHOLE_DIFF
    # Focusing none keeps the evidence that is open.
    assert update.select_slot(update.select_tab(state, Tab(Subject.DIFF, 1)), board, None).tab == Tab(Subject.DIFF, 1)


def test_turn_0_of_a_trial_with_one_turn_is_the_whole_run() -> None:
    board = board_of(trial(0, "a", replace(RAISES, turn=0)))

    assert update.select_trial(TriageState(), board, 0).tab == WHOLE_DIFF


def test_next_failing_trial_goes_past_passing_ones_and_around_the_end() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    rows = [0, 1, 2, 3]

    assert update.next_trial(state, board, rows, 1) == 2
    assert update.next_trial(state, board, rows, -1) == 3
    assert update.next_trial(replace(state, trial=3), board, rows, 1) == 1
    assert update.next_trial(state, board, rows, 1, wanted=[0]) == 0
    assert update.next_trial(state, board, [0], 1) is None


def test_where_the_trial_in_view_is_filtered_out_walking_begins_at_the_ends_of_the_list() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 0)

    assert update.next_trial(state, board, [1, 2, 3], 1) == 1
    assert update.next_trial(state, board, [1, 2, 3], -1) == 3


def test_the_keystrokes_of_one_visit_to_a_field_are_one_step_of_undo() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    slot = board.slots_of(1, NO_EDITS)[0]
    state = update.open_field(state, slot)
    for text in ("t", "th", "thr"):
        state = update.edit_slot(state, board, slot, contains(text))
    state = update.close_field(state)

    undone = update.undo(state, board)

    assert undone.edits == NO_EDITS
    assert update.redo(undone, board).edits.configs == {slot: contains("thr")}


def test_a_visit_to_a_field_without_a_change_leaves_no_step() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)

    left = update.close_field(update.open_field(state, board.slots_of(1, NO_EDITS)[0]))

    assert left.past == ()


def test_an_edit_after_an_undo_forgets_what_was_undone() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    slot = board.slots_of(1, NO_EDITS)[0]
    undone = update.undo(update.edit_slot(state, board, slot, OTHER), board)

    state = update.edit_slot(undone, board, slot, contains("yield"))

    assert update.redo(state, board) == state


def test_undo_reaches_back_before_a_save() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    slot = board.slots_of(1, NO_EDITS)[0]
    edited = update.edit_slot(state, board, slot, OTHER)
    saved = update.mark_saved(edited, edited.edits)

    undone = update.undo(saved, board)

    assert saved.unsaved == 0
    assert undone.edits == NO_EDITS
    assert undone.unsaved == 1


def test_an_edit_to_what_stands_there_already_is_no_step() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)

    assert update.edit_slot(state, board, board.slots_of(1, NO_EDITS)[0], RAISES) == state


def test_after_removing_the_focused_grader_another_one_of_the_trial_is_focused() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    first, second = board.slots_of(1, NO_EDITS)

    removed = update.remove_slot(state, board, second)

    assert removed.slot == first
    assert update.undo(removed, board).slot == first
    assert board.slots_of(1, update.undo(removed, board).edits) == (first, second)


def test_an_added_grader_is_focused_and_undone_as_one_step() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)

    added = update.add_slot(state, board, board.add_slot("fix-it", OTHER))

    assert added.slot == board.slots_of(1, added.edits)[-1]
    assert update.undo(added, board).edits == NO_EDITS


def test_another_text_in_the_filter_makes_what_it_was_found_in_unknown() -> None:
    state = update.set_filter(TriageState(), read_filter("text:raise"))
    state = replace(state, with_text=frozenset({1}))

    assert update.set_filter(state, read_filter("failed text:raise")).with_text == {1}
    assert update.set_filter(state, read_filter("text:throw")).with_text is None
