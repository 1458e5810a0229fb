"""The running count of an edit's effect must be what counting anew gives, in whatever order verdicts come in."""

from random import Random

import pytest

from tests.triage.builders import FAIL, INVALID, LACKING, PASS, SLOW, board_of, contains, put, said, trial
from vally_tui.grading.model import PENDING, State
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.effect import Flips

RAISES = contains("raise")
TRIALS = 12


def _counted_anew(board: Board, slot: int, edits: Edits, saved: Edits) -> Flips:
    now_pass, now_fail = [], []
    same = lacking = waiting = unrecorded = 0
    for key in board.trials_of(slot):
        current = board.current(key, slot, edits)
        before = board.baseline(key, slot, edits, saved)
        if current.stale or current.verdict.state is State.PENDING:
            waiting += 1
        elif current.verdict.broken:
            lacking += 1
        elif current.verdict.passed is None or before is None:
            unrecorded += 1
        elif before == current.verdict.passed:
            same += 1
        else:
            (now_pass if current.verdict.passed else now_fail).append(key)
    return Flips(tuple(now_pass), tuple(now_fail), same, lacking, waiting, unrecorded)


def _in_order(flips: Flips) -> tuple[object, ...]:
    """The order in which trials are named does not matter."""
    return (
        set(flips.now_pass), set(flips.now_fail), flips.same, flips.no_evidence, flips.waiting, flips.unrecorded,
        flips.total,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_the_running_count_is_what_counting_anew_gives(seed: int) -> None:
    random = Random(seed)
    board = board_of(
        *(
            trial(key, "a", RAISES, recorded=[said(random.random() < 0.5)], has_trajectory=random.random() < 0.9)
            for key in range(TRIALS)
        )
    )
    slot = board.slots_of(0, NO_EDITS)[0]
    texts = ["raise", "thro", "throw"]
    edits = NO_EDITS
    for _ in range(30):
        edits = NO_EDITS.with_config(slot, contains(random.choice(texts)), RAISES)
        saved = random.choice([NO_EDITS, NO_EDITS.with_config(slot, contains("thro"), RAISES)])
        asked = board.asked(slot, random.choice([edits, edits, saved]))
        assert asked is not None
        judgeable = [entry.trial.key for entry in board if entry.trial.has_trajectory]
        keys = random.sample(judgeable, random.randrange(len(judgeable) + 1))
        board.put(slot, asked, {key: random.choice([PASS, FAIL, LACKING, INVALID, SLOW, PENDING]) for key in keys})

        counted = board.flips(slot, edits, saved)

        assert _in_order(counted) == _in_order(_counted_anew(board, slot, edits, saved))


def test_trials_that_are_read_while_a_pattern_is_typed_are_counted() -> None:
    board = board_of(trial(0, "a", RAISES, recorded=[said(True)]))
    slot = board.slots_of(0, NO_EDITS)[0]
    put(board, slot, t0=FAIL)
    assert board.flips(slot, NO_EDITS, NO_EDITS).total == 1

    board.add_trials(0, [trial(1, "a", RAISES, recorded=[said(True)])])

    assert (board.flips(slot, NO_EDITS, NO_EDITS).now_fail, board.flips(slot, NO_EDITS, NO_EDITS).waiting) == ((0,), 1)
