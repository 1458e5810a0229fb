from array import array

import pytest
from msgspec.structs import replace

from tests.triage.builders import (
    FAIL,
    INVALID,
    LACKING,
    PASS,
    SLOW,
    board_of,
    contains,
    put,
    run,
    said,
    trial,
)
from vally_tui.grading.model import GraderConfig
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.filter import Sort, read_filter
from vally_tui.triage.standing import Standing
from vally_tui.triage.state import TriageState
from vally_tui.triage.trial_list import TrialList, depends_on_verdicts, failing_count, flips_of, trial_list, worst

RAISES = contains("raise")
ALL = TriageState()


def _board() -> Board:
    """Three trials of stimulus a (0, 2, 3) and one of b (1): 0 passes, 1 fails, 2 fails, 3 waits."""
    board = board_of(
        trial(0, "a", RAISES, duration_ms=10.0),
        trial(1, "b", RAISES, duration_ms=30.0, model="gpt"),
        trial(2, "a", RAISES, duration_ms=20.0, recorded=[said(True)]),
        trial(3, "a", RAISES),
    )
    put(board, board.slots_of(0, NO_EDITS)[0], t0=PASS, t2=FAIL)
    put(board, board.slots_of(1, NO_EDITS)[0], t1=FAIL)
    return board


def test_trials_stand_below_their_stimulus_and_a_single_trial_has_no_heading() -> None:
    rows = trial_list(_board(), ALL)

    assert list(rows.rows) == [~0, 0, 2, 3, 1]
    assert [group.name for group in rows.groups] == ["a"]
    assert list(rows.keys) == [0, 2, 3, 1]
    assert rows.row_of(2) == 2


def test_with_several_runs_each_has_a_heading_above_its_stimuli() -> None:
    board = _board()
    board.add_trials(board.add_source(run("second")), [trial(4, "a", RAISES)])

    rows = trial_list(board, ALL)

    assert [(group.name, group.level) for group in rows.groups] == [("run", 0), ("a", 1), ("second", 0)]
    assert list(rows.rows) == [~0, ~1, 0, 2, 3, 1, ~2, 4]


def test_a_filter_hides_trials_and_headings_without_any_but_the_total_stays() -> None:
    rows = trial_list(_board(), replace(ALL, filter=read_filter("failed")))

    assert list(rows.keys) == [2, 1]
    assert rows.total == 4
    assert rows.row_of(0) is None
    # The heading still tells of all its trials.
    assert rows.groups[0].total == 3


@pytest.mark.parametrize(
    ("sort", "keys"),
    [
        (Sort.FILE, [0, 1, 2, 3]),
        (Sort.FAILED, [1, 2, 3, 0]),
        (Sort.FLIPPED, [2, 0, 1, 3]),
        (Sort.MODEL, [1, 0, 2, 3]),
        (Sort.DURATION, [1, 2, 0, 3]),
        (Sort.SCORE, [1, 2, 0, 3]),
    ],
)
def test_sorted_lists_have_no_headings_and_keep_the_order_of_the_file_among_equals(sort: Sort, keys: list[int]) -> None:
    rows = trial_list(_board(), replace(ALL, sort=sort))

    assert list(rows.rows) == keys
    assert not rows.grouped


@pytest.mark.parametrize(
    ("state", "depends"),
    [
        (ALL, False),
        (replace(ALL, filter=read_filter("model:gpt")), False),
        (replace(ALL, filter=read_filter("-passed")), True),
        (replace(ALL, filter=read_filter("flipped")), True),
        (replace(ALL, filter=read_filter("fails:diff")), True),
        (replace(ALL, sort=Sort.SCORE), True),
        (replace(ALL, sort=Sort.MODEL), False),
    ],
)
def test_which_lists_new_verdicts_can_change(state: TriageState, depends: bool) -> None:
    assert depends_on_verdicts(state) is depends


def test_every_trial_of_a_grader_is_counted_once_among_its_flips() -> None:
    recorded = [said(True)]
    board = board_of(
        trial(0, "a", RAISES, recorded=recorded),  # now fails
        trial(1, "a", RAISES, recorded=[said(False)]),  # now passes
        trial(2, "a", RAISES, recorded=recorded),  # the same
        trial(3, "a", RAISES, recorded=recorded),  # no evidence
        trial(4, "a", RAISES, recorded=recorded),  # stopped
        trial(5, "a", RAISES),  # nothing to compare with
        trial(6, "a", RAISES, recorded=recorded),  # not judged yet
        trial(7, "a", RAISES, has_trajectory=False),  # never judged
    )
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL, t1=PASS, t2=PASS, t3=LACKING, t4=SLOW, t5=FAIL)

    flips = flips_of(board, slot, ALL)

    assert (flips.now_pass, flips.now_fail) == ((1,), (0,))
    assert (flips.same, flips.no_evidence, flips.unrecorded, flips.waiting) == (1, 2, 2, 1)
    assert flips.total == 8


def test_while_a_pattern_is_incomplete_its_trials_wait_with_the_verdicts_of_before() -> None:
    board = board_of(trial(0, "a", RAISES, recorded=[said(False)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=PASS)
    state = replace(ALL, edits=NO_EDITS.with_config(slot, contains("rais"), RAISES))

    assert flips_of(board, slot, state).waiting == 1


def test_an_invalid_pattern_counts_as_lacking_not_as_failing() -> None:
    board = board_of(trial(0, "a", contains("("), recorded=[said(True)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=INVALID)

    flips = flips_of(board, slot, ALL)

    assert (flips.now_fail, flips.no_evidence) == ((), 1)


def test_standings_of_a_heading_are_told_worst_first() -> None:
    board = _board()
    counts = failing_count(board, trial_list(board, ALL).groups[0])

    assert list(counts.items()) == [(Standing.FAILED, 1), (Standing.PENDING, 1), (Standing.PASSED, 1)]
    assert worst(counts) is Standing.FAILED
    assert worst({Standing.PASSED: 2}) is None


def test_graders_that_are_not_judged_again_flip_nothing() -> None:
    board = board_of(trial(0, "a", GraderConfig("prompt"), recorded=[said(True)]))

    flips = flips_of(board, board.slots_of(0, NO_EDITS)[0], ALL)

    assert (flips.now_pass, flips.now_fail, flips.same) == ((), (), 1)


def test_a_trial_is_found_by_its_number_wherever_it_stands() -> None:
    # The bytes of the first two, side by side, hold those of 1 and of 256 across their border.
    numbers = [1 << 40, 0, ~0, 256, ~1, 1, 3, 255, 2, 256, 3]
    rows = TrialList(array("q", numbers), array("q", [number for number in numbers if number >= 0]), (), 9, False)
    for number in numbers:
        assert rows.row_of(number) == numbers.index(number)
    assert [rows.place_of(number) for number in (1 << 40, 0, 256, 1)] == [0, 1, 2, 3]
    assert rows.row_of(4) is None
    assert rows.place_of(~0) is None
    assert TrialList(array("q"), array("q"), (), 0, False).row_of(0) is None
