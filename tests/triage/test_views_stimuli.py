"""Results by stimulus: counts, pass@k and pass^k by hand."""

import pytest
from msgspec.structs import replace

from tests.triage.builders import FAIL, LACKING, PASS, contains, run, trial
from vally_tui.grading.graders import ask
from vally_tui.grading.model import Verdict
from vally_tui.triage.board import Board
from vally_tui.triage.graders_of import Scoring
from vally_tui.triage.state import TriageState
from vally_tui.triage.views_stimuli import EMPTY_CELL, Cell, StimulusTable, stimulus_table

GRADER = contains("x")


def table(
    *runs: dict[int, tuple[str, Verdict]], variants: tuple[str, ...] = (), threshold: float | None = None
) -> StimulusTable:
    """A table of runs: trial key -> its stimulus and its grader's verdict."""
    board = Board()
    board.scoring = Scoring(threshold)
    asked = ask(GRADER)
    assert asked is not None
    for number, trials in enumerate(runs):
        board.add_source(replace(run(f"run-{number}"), variant=variants[number] if variants else None))
        board.add_trials(number, [trial(key, stimulus, GRADER) for key, (stimulus, _) in trials.items()])
        for key, (_, verdict) in trials.items():
            board.put(board.entries[key].slots[0], asked, {key: verdict})
    return stimulus_table(board, TriageState())


def test_passed_trials_are_counted_and_those_without_a_verdict_stand_aside() -> None:
    made = table({0: ("a", PASS), 1: ("a", FAIL), 2: ("a", LACKING), 3: ("b", PASS)})
    assert made.columns == ("",)
    assert [(row.name, row.cells[0].passed, row.cells[0].counted, row.cells[0].others) for row in made.rows] == [
        ("a", 1, 2, 1),
        ("b", 1, 1, 0),
    ]
    total = made.total.cells[0]
    assert total.passed + (total.counted - total.passed) + total.others == 4


def test_the_first_trial_that_did_not_pass_is_named() -> None:
    made = table({0: ("a", PASS), 1: ("a", LACKING), 2: ("a", FAIL)})
    assert made.rows[0].cells[0].first_failing == 1


def test_the_mean_score_is_of_the_counted_trials() -> None:
    assert table({0: ("a", PASS), 1: ("a", FAIL), 2: ("a", LACKING)}).rows[0].cells[0].mean == 0.5


def test_runs_stand_beside_each_other_and_a_stimulus_that_one_lacks_has_an_empty_cell_there() -> None:
    made = table({0: ("a", PASS)}, {1: ("a", FAIL), 2: ("b", PASS)})
    assert (made.columns, made.noun) == (("run-0", "run-1"), "run")
    assert made.rows[1].name == "b"
    assert made.rows[1].cells[0] == EMPTY_CELL
    assert made.rows[1].cells[1].passed == 1


def test_variants_of_an_experiment_are_called_so() -> None:
    made = table({0: ("a", PASS)}, {1: ("a", FAIL)}, variants=("with-skills", "without"))
    assert (made.columns, made.noun) == (("with-skills", "without"), "variant")


def test_the_threshold_is_the_specs() -> None:
    assert table({0: ("a", PASS)}, threshold=0.8).threshold == 0.8


@pytest.mark.parametrize(
    ("k", "at", "to"),
    [
        (1, 0.5, 0.5),
        (2, 5 / 6, 0.25),  # 1 - C(2,2)/C(4,2) = 1 - 1/6
        (3, 1.0, 0.125),  # no three trials without a passed one
        (5, None, None),
    ],
)
def test_chances_of_two_passed_trials_of_four(k: int, at: float | None, to: float | None) -> None:
    cell = Cell(passed=2, counted=4)
    assert cell.pass_at(k) == pytest.approx(at)
    assert cell.pass_to(k) == to
