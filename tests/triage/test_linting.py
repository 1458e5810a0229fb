"""Lint findings for the graders in view: looked for once, marked where they are more than notes."""

from collections.abc import Iterator

import pytest

from tests.triage.builders import PASS, Texts, board_of, contains, excludes, put, trial
from vally_tui.engine.client import Engine
from vally_tui.grading.model import GraderConfig, State, Verdict
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.lint import Check
from vally_tui.triage.linting import Linting

FAIL = Verdict(State.FAIL, False, 0, "not found")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(20) as running:
        yield running


def linted(board: Board, engine: Engine) -> Linting:
    linting = Linting()
    job = linting.job(board, 1, NO_EDITS)
    assert job is not None
    done = job(engine, Texts(t1="", t2=""), lambda: False)
    assert done is not None
    linting.take(done)
    return linting


@pytest.mark.parametrize(
    ("config", "check"),
    [
        (contains("zero$"), Check.ANCHORS),
        (contains(r"(?m)^\+\+\+ b/src/calc.py"), Check.PATH_DOT),
        (contains(r"(a+)+b"), Check.SLOW),
        (contains("(?m)^def"), Check.NEVER_MATCHES),
        (contains("x*"), Check.ALWAYS_MATCHES),
    ],
)
def test_a_grader_that_cannot_be_right_is_marked(engine: Engine, config: GraderConfig, check: Check) -> None:
    board = board_of(trial(1, "s", contains("fine"), config))
    put(board, 0, t1=PASS)
    put(board, 1, t1=PASS)
    assert {slot: own.check for slot, own in linted(board, engine).marks(board, 1, NO_EDITS).items()} == {1: check}


@pytest.mark.parametrize("config", [contains("fine"), excludes("fine"), contains("[bad")])
def test_notes_what_never_matches_here_and_what_is_invalid_are_not_marked(engine: Engine, config: GraderConfig) -> None:
    board = board_of(trial(1, "s", config), trial(2, "s", config))
    put(board, 0, t1=FAIL, t2=FAIL)
    linting = linted(board, engine)
    assert linting.findings(board, 1, NO_EDITS)
    assert linting.marks(board, 1, NO_EDITS) == {}


def test_the_verdicts_that_are_known_are_not_judged_again(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("fine")), trial(2, "s", contains("fine")))
    put(board, 0, t1=PASS, t2=PASS)
    findings = linted(board, engine).findings(board, 1, NO_EDITS)
    assert findings is not None
    # The texts are empty: judged again, it would match in none of them.
    assert [own.sentence for own in findings] == ["It matches in all of its 2 trials."]


def test_graders_are_looked_at_again_when_they_change_or_more_is_known_of_them(engine: Engine) -> None:
    board = board_of(trial(1, "s", contains("fine")), trial(2, "s", contains("fine")))
    put(board, 0, t1=PASS)
    linting = linted(board, engine)
    assert linting.job(board, 1, NO_EDITS) is None
    assert linting.job(board, 2, NO_EDITS) is None
    edits = NO_EDITS.with_config(0, contains("other"), board.slots[0].base)
    assert linting.job(board, 1, edits) is not None
    put(board, 0, t2=PASS)
    assert linting.job(board, 1, NO_EDITS) is not None
