import pytest

from tests.triage.builders import (
    FAIL,
    INVALID,
    LACKING,
    PASS,
    SLOW,
    board_of,
    contains,
    excludes,
    put,
    question,
    run,
    said,
    trial,
)
from vally_tui.grading.graders import ask
from vally_tui.grading.model import PENDING, GraderConfig, Spans, State, Verdict
from vally_tui.triage.board import Board, Current
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.graders_of import StimulusGraders
from vally_tui.triage.standing import Standing

RAISES, QUIET = contains("raise"), excludes("print")
PROMPT = GraderConfig("prompt", name="minimal")


def test_trials_with_the_same_grader_at_the_same_place_share_a_slot() -> None:
    board = board_of(trial(0, "fix-it", RAISES, QUIET), trial(1, "fix-it", RAISES, QUIET), trial(2, "other", RAISES))

    assert board.slots_of(0, NO_EDITS) == board.slots_of(1, NO_EDITS)
    assert not set(board.slots_of(0, NO_EDITS)) & set(board.slots_of(2, NO_EDITS))
    assert board.trials_of(board.slots_of(0, NO_EDITS)[0]) == [0, 1]


def test_a_trial_recorded_with_another_config_has_a_slot_of_its_own() -> None:
    board = board_of(trial(0, "fix-it", RAISES), trial(1, "fix-it", contains("throw")))

    assert board.slots_of(0, NO_EDITS) != board.slots_of(1, NO_EDITS)


def test_graders_of_a_spec_take_the_place_of_the_recorded_ones() -> None:
    board = Board({"fix-it": StimulusGraders((QUIET,), 1)})
    board.add_trials(board.add_source(run()), [trial(0, "fix-it", RAISES), trial(1, "other", RAISES)])

    assert [board.config(slot, NO_EDITS) for slot in board.slots_of(0, NO_EDITS)] == [QUIET]
    assert [board.config(slot, NO_EDITS) for slot in board.slots_of(1, NO_EDITS)] == [RAISES]


def test_trials_are_numbered_within_stimulus_and_run() -> None:
    board = board_of(trial(0, "a"), trial(1, "b"), trial(2, "a"))
    board.add_trials(board.add_source(run("second")), [trial(3, "a")])

    assert board.numbers == {0: 1, 1: 1, 2: 2, 3: 1}


def test_what_is_not_judged_yet_is_pending_and_what_is_never_judged_again_is_as_recorded() -> None:
    board = board_of(trial(0, "fix-it", RAISES, PROMPT, recorded=[said(True), said(False, evidence="too much")]))
    judged, recorded = board.slots_of(0, NO_EDITS)

    assert board.current(0, judged, NO_EDITS).verdict.state is State.PENDING
    verdict = board.current(0, recorded, NO_EDITS).verdict
    assert (verdict.state, verdict.passed, verdict.evidence) == (State.RECORDED, False, "too much")


def test_a_trial_without_a_trajectory_keeps_what_was_recorded_and_never_waits() -> None:
    board = board_of(trial(0, "fix-it", RAISES, QUIET, recorded=[said(False)], has_trajectory=False))

    states = [verdict.state for verdict in board.verdicts(0, NO_EDITS)]

    assert states == [State.RECORDED, State.UNRECORDED]


def test_where_nothing_can_be_judged_again_what_was_recorded_stands() -> None:
    board = board_of(trial(0, "fix-it", RAISES, QUIET, recorded=[said(True), said(False)]))
    raises, quiet = board.slots_of(0, NO_EDITS)
    put(board, raises, t0=PASS)
    board.settle(NO_EDITS, NO_EDITS)
    assert board.standings[0] is Standing.PENDING

    board.keep_recorded(True)

    assert [verdict.state for verdict in board.verdicts(0, NO_EDITS)] == [State.PASS, State.RECORDED]
    assert board.standing(0, NO_EDITS, NO_EDITS) is Standing.FAILED
    # The recorded verdict is none on another pattern.
    edits = NO_EDITS.with_config(quiet, excludes("log"), QUIET)
    assert board.current(0, quiet, edits) == Current(PENDING)

    board.keep_recorded(False)

    assert board.current(0, quiet, NO_EDITS) == Current(PENDING)
    assert board.standing(0, NO_EDITS, NO_EDITS) is Standing.PENDING


def test_an_answer_to_an_older_question_is_not_taken_for_the_new_one() -> None:
    board = board_of(trial(0, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    edits = NO_EDITS.with_config(slot, contains("throw"), RAISES)

    put(board, slot, t0=PASS)

    assert board.current(0, slot, NO_EDITS) == Current(PASS)
    assert board.current(0, slot, edits).stale


def test_an_undone_edit_has_its_verdicts_at_once() -> None:
    board = board_of(trial(0, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=PASS)
    for text in map(str, range(30)):
        asked = ask(contains(text))
        assert asked is not None
        board.put(slot, asked, {0: FAIL})

    assert board.current(0, slot, NO_EDITS) == Current(PASS)


def _edited(verdict: Verdict) -> Current:
    """What is shown of trial 0, which passed, when its grader's pattern is edited and comes to this."""
    board = board_of(trial(0, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=PASS)
    edits = NO_EDITS.with_config(slot, contains("("), RAISES)
    asked = board.asked(slot, edits)
    assert asked is not None
    board.put(slot, asked, {0: verdict})
    assert board.settled(0, slot, asked) == verdict
    return board.current(0, slot, edits)


@pytest.mark.parametrize("verdict", [INVALID, SLOW, PENDING])
def test_while_a_pattern_is_invalid_or_stopped_or_slow_the_verdict_of_before_is_shown_as_such(verdict: Verdict) -> None:
    assert _edited(verdict) == Current(PASS, stale=True, refused=True)


def test_a_pattern_that_was_read_as_invalid_is_just_that_also_after_an_edit_was_undone() -> None:
    board = board_of(trial(0, "fix-it", contains("(")))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=INVALID)
    asked = ask(RAISES)
    assert asked is not None
    board.put(slot, asked, {0: PASS})

    assert board.current(0, slot, NO_EDITS) == Current(INVALID)


def test_until_all_trials_have_their_new_verdicts_the_others_keep_those_of_before() -> None:
    board = board_of(trial(0, "a", RAISES), trial(1, "a", RAISES), trial(2, "a", RAISES, has_trajectory=False))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=PASS, t1=PASS)
    edits = NO_EDITS.with_config(slot, contains("throw"), RAISES)
    asked = board.asked(slot, edits)
    assert asked is not None

    board.put(slot, asked, {0: FAIL})

    assert board.current(0, slot, edits) == Current(FAIL)
    assert board.current(1, slot, edits) == Current(PASS, stale=True)
    assert board.last_good(slot) == question(board, slot)
    board.put(slot, asked, {1: FAIL})
    assert board.last_good(slot) == asked


def test_a_flip_stays_while_the_next_pattern_is_judged() -> None:
    board = board_of(trial(0, "fix-it", RAISES, recorded=[said(True)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL)
    first = NO_EDITS.with_config(slot, contains("th"), RAISES)
    asked = board.asked(slot, first)
    assert asked is not None
    board.put(slot, asked, {0: PASS})

    then = NO_EDITS.with_config(slot, contains("thr"), RAISES)

    assert board.flip(0, slot, then, NO_EDITS) == (False, True)


def test_only_matches_of_the_trial_in_view_are_kept() -> None:
    board = board_of(trial(0, "fix-it", RAISES), trial(1, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    found = Verdict(State.PASS, True, 1, "found", 1, Spans.of((3, 8)))
    board.put_in_view(0, slot, question(board, slot), found)

    assert board.in_view(0, slot, NO_EDITS) == Current(found)
    assert board.in_view(1, slot, NO_EDITS) is None
    board.put_in_view(1, slot, question(board, slot), found)
    assert board.in_view(0, slot, NO_EDITS) is None


def test_matches_of_the_last_good_pattern_stay_as_stale_while_the_new_one_is_invalid() -> None:
    board = board_of(trial(0, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    found = Verdict(State.PASS, True, 1, "found", 1, Spans.of((3, 8)))
    board.put_in_view(0, slot, question(board, slot), found)
    edits = NO_EDITS.with_config(slot, contains("("), RAISES)
    asked = board.asked(slot, edits)
    assert asked is not None

    board.put_in_view(0, slot, asked, INVALID)

    assert board.in_view(0, slot, edits) == Current(found, stale=True)


def test_a_verdict_other_than_the_recorded_one_is_a_flip() -> None:
    board = board_of(
        trial(0, "fix-it", RAISES, recorded=[said(True)]), trial(1, "fix-it", RAISES, recorded=[said(True)])
    )
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL, t1=PASS)

    assert board.flip(0, slot, NO_EDITS, NO_EDITS) == (True, False)
    assert board.flip(1, slot, NO_EDITS, NO_EDITS) is None
    assert board.is_flipped(0, NO_EDITS, NO_EDITS)
    assert not board.is_flipped(1, NO_EDITS, NO_EDITS)


def test_lacking_evidence_and_what_was_never_recorded_are_no_flips() -> None:
    board = board_of(trial(0, "fix-it", RAISES, recorded=[said(True)]), trial(1, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=LACKING, t1=FAIL)

    assert board.flip(0, slot, NO_EDITS, NO_EDITS) is None
    assert board.flip(1, slot, NO_EDITS, NO_EDITS) is None


def test_an_edited_grader_flips_against_the_saved_config_and_after_a_save_against_the_record_again() -> None:
    board = board_of(trial(0, "fix-it", RAISES, recorded=[said(True)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL)
    edits = NO_EDITS.with_config(slot, contains("throw"), RAISES)
    asked = board.asked(slot, edits)
    assert asked is not None
    board.put(slot, asked, {0: PASS})

    # Recorded pass, saved config fails: the edit makes it pass.
    assert board.flip(0, slot, edits, NO_EDITS) == (False, True)
    assert board.flip(0, slot, edits, edits) is None


def test_tallies_add_up_to_all_trials_once_they_are_worked_out() -> None:
    board = board_of(*(trial(key, "fix-it", RAISES) for key in range(5)), trial(5, "fix-it", has_trajectory=False))
    (slot,) = board.slots_of(0, NO_EDITS)

    put(board, slot, t0=PASS, t1=FAIL, t2=LACKING, t3=INVALID)
    assert board.settle(NO_EDITS, NO_EDITS)

    assert {standing: count for standing, count in board.tally.items() if count} == {
        Standing.PASSED: 1,
        Standing.FAILED: 1,
        Standing.NO_EVIDENCE: 1,
        Standing.ERROR: 1,
        Standing.PENDING: 1,
        Standing.UNGRADED: 1,
    }
    put(board, slot, t1=PASS, t4=PASS)
    board.settle(NO_EDITS, NO_EDITS)
    assert board.tally[Standing.PASSED] == 3
    assert board.tally[Standing.FAILED] == board.tally[Standing.PENDING] == 0


def test_the_first_failing_trial_is_the_first_in_the_list_not_the_first_that_was_judged() -> None:
    board = board_of(trial(0, "a", RAISES), trial(1, "b", RAISES), trial(2, "a", RAISES))
    (a,), (b,) = board.slots_of(0, NO_EDITS), board.slots_of(1, NO_EDITS)

    put(board, b, t1=FAIL)
    board.settle(NO_EDITS, NO_EDITS)
    assert board.first_failing == 1
    # Trial 2 stands below its stimulus, so before trial 1.
    put(board, a, t2=FAIL)
    board.settle(NO_EDITS, NO_EDITS)
    assert board.first_failing == 2
    put(board, a, t2=PASS)
    board.settle(NO_EDITS, NO_EDITS)
    assert board.first_failing == 1


def test_a_run_that_is_read_anew_leaves_nothing_of_its_trials() -> None:
    board = board_of(trial(0, "fix-it", RAISES), trial(1, "fix-it", RAISES))
    second = board.add_source(run("second"))
    board.add_trials(second, [trial(2, "fix-it", RAISES, recorded=[said(True)])])
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL, t1=PASS, t2=FAIL)
    board.settle(NO_EDITS, NO_EDITS)
    assert [own.key for own in board.recorded_lists] == [0, 1, 2]  # equal lists, which the loader would share

    board.remove_run(0)
    board.settle(NO_EDITS, NO_EDITS)

    assert list(board.entries) == [2]
    assert [own.key for own in board.recorded_lists] == [2]
    assert board.trials_of(slot) == [2]
    assert board.tally.total() == 1
    assert board.missing(slot, question(board, slot)) == []


def test_late_verdicts_of_trials_that_are_gone_are_dropped() -> None:
    board = board_of(trial(0, "fix-it", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    asked = question(board, slot)
    board.remove_run(0)

    board.put(slot, asked, {0: FAIL})

    assert board.settle(NO_EDITS, NO_EDITS)
    assert board.tally.total() == 0


def test_an_added_grader_applies_to_all_trials_of_its_stimulus() -> None:
    board = board_of(trial(0, "a", RAISES), trial(1, "a", RAISES), trial(2, "b", RAISES))

    added = board.add_slot("a", QUIET)
    edits = NO_EDITS.with_added("a", added, QUIET)

    assert board.slots_of(0, edits)[-1] == board.slots_of(1, edits)[-1] == added
    assert added not in board.slots_of(2, edits)
    assert board.trials_of(added) == [0, 1]


def test_a_removed_grader_is_no_part_of_its_trials() -> None:
    board = board_of(trial(0, "a", RAISES, QUIET))
    first, second = board.slots_of(0, NO_EDITS)
    put(board, first, t0=FAIL)
    put(board, second, t0=PASS)

    edits = NO_EDITS.without(first)
    board.touch(board.trials_of(first))

    assert board.slots_of(0, edits) == (second,)
    assert board.standing(0, edits, NO_EDITS) is Standing.PASSED


def test_a_trial_read_after_a_grader_was_added_has_it_too() -> None:
    board = board_of(trial(0, "a", RAISES))
    added = board.add_slot("a", QUIET)
    edits = NO_EDITS.with_added("a", added, QUIET)

    board.add_trials(0, [trial(1, "a", RAISES)])

    assert board.slots_of(1, edits)[-1] == added
    assert 1 in board.trials_of(added)


def test_the_score_of_a_trial_follows_the_verdicts() -> None:
    board = board_of(trial(0, "a", RAISES, QUIET))
    first, second = board.slots_of(0, NO_EDITS)
    put(board, first, t0=FAIL)
    put(board, second, t0=PASS)

    grade = board.grade(0, NO_EDITS)

    assert grade is not None
    assert (grade.passed, grade.score, grade.evidence) == (False, 0.5, "1/2 graders passed")


def test_a_config_too_deep_to_compare_gets_a_slot() -> None:
    deep: object = []
    for _ in range(100_000):
        deep = [deep]
    board = board_of(trial(0, "a", GraderConfig("diff-contains", config={"pattern": deep})))

    assert len(board.slots_of(0, NO_EDITS)) == 1
