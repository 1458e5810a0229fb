"""Which passes are looked at for doubts, how often, and what is left of findings when graders or runs change."""

# An empty line of context is one blank.
# ruff: noqa: W293

from collections.abc import Iterator

import pytest

from tests.triage.builders import PASS, board_of, contains, excludes, put, run, trial
from vally_tui.engine.client import Engine
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, State, Verdict
from vally_tui.triage.board import Board
from vally_tui.triage.doubting import PORTION, Doubted, Doubting
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.explain.model import Doubt

FAIL = Verdict(State.FAIL, False, 0, "not found")
RETRY = """\
diff --git a/net/retry.py b/net/retry.py
index 71442c7..85c3174 100644
--- a/net/retry.py
+++ b/net/retry.py
@@ -2,4 +2,3 @@
 
 def fetch(url):
-    # TODO: retry on timeouts
-    return open_url(url)
+    return open_url(url, timeout=10)
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(20) as running:
        yield running


class Diffs:
    """The same diff for every trial; which were read is noted."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def holds(self, key: EvidenceKey) -> Absent | int:
        return len(RETRY)

    def text(self, key: EvidenceKey) -> str:
        self.read.append(key.trial)
        return RETRY


def look(doubting: Doubting, board: Board, edits: Edits, engine: Engine) -> list[Doubted]:
    """Do all jobs that there are, one after the other."""
    done: list[Doubted] = []
    engine.forget_all()
    while (job := doubting.next_job(board, edits)) is not None:
        found = job(engine, Diffs(), lambda: False)
        assert found is not None
        doubting.take(found)
        done.append(found)
    return done


@pytest.mark.parametrize(
    ("pattern", "doubt"),
    [("TODO", Doubt.VACUOUS), ("retry.py", Doubt.VACUOUS), ("def fetch", Doubt.WEAK), ("timeout=10", None)],
)
def test_a_pass_is_doubted_by_the_lines_it_was_found_in(engine: Engine, pattern: str, doubt: Doubt | None) -> None:
    board = board_of(trial(1, "s", contains(pattern)))
    put(board, 0, t1=PASS)
    doubting = Doubting()
    look(doubting, board, NO_EDITS, engine)
    found = doubting.of(board, 1, 0, NO_EDITS)
    assert (found.doubt if found else None) is doubt


def test_a_fail_is_not_looked_at_and_has_no_doubt(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO")))
    put(board, 0, t1=FAIL)
    doubting = Doubting()
    assert look(doubting, board, NO_EDITS, engine) == [Doubted(())]
    assert doubting.of(board, 1, 0, NO_EDITS) is None


def test_a_trial_that_is_not_judged_yet_is_waited_for(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO")), trial(2, "s", contains("TODO")))
    put(board, 0, t1=PASS)
    doubting = Doubting()
    look(doubting, board, NO_EDITS, engine)
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 1}
    put(board, 0, t2=PASS)
    look(doubting, board, NO_EDITS, engine)
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 2}


def test_nothing_is_looked_at_twice(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO"), excludes("nowhere")))
    put(board, 0, t1=PASS)
    put(board, 1, t1=PASS)
    doubting = Doubting()
    assert len(look(doubting, board, NO_EDITS, engine)) == 1
    assert doubting.next_job(board, NO_EDITS) is None


def test_an_edit_asks_about_its_own_grader_only_and_undo_asks_about_nothing(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO"), contains("retry")))
    put(board, 0, t1=PASS)
    put(board, 1, t1=PASS)
    doubting = Doubting()
    look(doubting, board, NO_EDITS, engine)
    edits = NO_EDITS.with_config(0, contains("def fetch"), board.slots[0].base)
    asked = board.asked(0, edits)
    assert asked is not None
    board.put(0, asked, {1: PASS})
    done = look(doubting, board, edits, engine)
    assert [own.slot for one in done for own, _ in one.findings] == [0]
    assert doubting.counts(board, edits) == {Doubt.WEAK: 1, Doubt.VACUOUS: 1}
    assert doubting.next_job(board, NO_EDITS) is None
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 2}


def test_what_comes_in_late_for_an_older_pattern_is_not_taken_for_the_newer_one(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO")))
    put(board, 0, t1=PASS)
    doubting = Doubting()
    job = doubting.next_job(board, NO_EDITS)
    assert job is not None
    edits = NO_EDITS.with_config(0, contains("timeout=10"), board.slots[0].base)
    late = job(engine, Diffs(), lambda: False)
    assert late is not None
    doubting.take(late)
    assert doubting.of(board, 1, 0, edits) is None
    assert doubting.counts(board, edits) == {}
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 1}


def test_a_removed_grader_is_neither_counted_nor_looked_at(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO")))
    put(board, 0, t1=PASS)
    doubting = Doubting()
    look(doubting, board, NO_EDITS, engine)
    assert doubting.counts(board, NO_EDITS.without(0)) == {}


def test_many_trials_are_looked_at_a_portion_at_a_time_with_all_graders_of_each(engine: Engine) -> None:
    trials = [trial(key, "s", contains("TODO"), contains("retry")) for key in range(PORTION + 1)]
    board = board_of(*trials)
    for slot in (0, 1):
        put(board, slot, **{f"t{key}": PASS for key in range(PORTION + 1)})
    doubting = Doubting()
    done = look(doubting, board, NO_EDITS, engine)
    assert [{own.trial for own, _ in one.findings} for one in done] == [set(range(PORTION)), {PORTION}]
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 2 * (PORTION + 1)}


def test_trials_of_a_run_that_is_read_anew_are_looked_at_again_and_counted_once(engine: Engine) -> None:
    board = Board()
    number = board.add_source(run())
    board.add_trials(number, [trial(1, "s", contains("TODO"))])
    put(board, 0, t1=PASS)
    doubting = Doubting()
    look(doubting, board, NO_EDITS, engine)
    board.remove_run(number)
    board.add_trials(number, [trial(2, "s", contains("TODO"))])
    put(board, 0, t2=PASS)
    look(doubting, board, NO_EDITS, engine)
    assert doubting.of(board, 2, 0, NO_EDITS) is not None
    assert doubting.counts(board, NO_EDITS) == {Doubt.VACUOUS: 1}


def test_a_job_that_is_cancelled_finds_nothing(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("TODO")))
    put(board, 0, t1=PASS)
    job = Doubting().next_job(board, NO_EDITS)
    assert job is not None
    assert job(engine, Diffs(), lambda: True) is None
