"""From verdicts to grades: which are counted, which mean is taken, pass@k and pass^k."""

import pytest

from vally_tui.grading.model import GraderConfig, RecordedDetail, State, TrialGrade, Verdict, Weights
from vally_tui.grading.score import grade_trial, pass_at_k, pass_to_the_k

PASS = Verdict(State.PASS, True, 1, None)
FAIL = Verdict(State.FAIL, False, 0, None)
NO_EVIDENCE = Verdict(State.NO_EVIDENCE, False, 0, None)
PARTLY = Verdict(State.RECORDED, False, 0.5, None)
UNRECORDED = Verdict(State.UNRECORDED, None, None, None)
ERRED = Verdict(State.RECORDED, None, None, None)
PENDING = Verdict(State.PENDING, None, None, None)


def graders(count: int) -> list[GraderConfig]:
    return [GraderConfig("diff-contains", f"g{index}") for index in range(count)]


def detail(name: str, score: float | None, type_: str | None = None) -> RecordedDetail:
    return RecordedDetail(name, None, type_, None if score is None else score == 1, score, "success")


@pytest.mark.parametrize(
    ("verdicts", "passed", "score", "evidence"),
    [
        ([PASS, PASS], True, 1.0, "2/2 graders passed"),
        ([PASS, FAIL, PASS], False, 2 / 3, "2/3 graders passed"),
        ([FAIL, FAIL], False, 0.0, "0/2 graders passed"),
        ([PASS, PARTLY], False, 0.75, "1/2 graders passed"),
        # Lacking evidence fails and is counted.
        ([PASS, NO_EVIDENCE], False, 0.5, "1/2 graders passed"),
        # What has no verdict is not counted, neither for nor against.
        ([PASS, UNRECORDED], True, 1.0, "1/1 graders passed"),
        ([FAIL, UNRECORDED, ERRED], False, 0.0, "0/1 graders passed"),
        # Nothing known is no pass.
        ([UNRECORDED], None, None, "0/0 graders passed"),
        ([ERRED, UNRECORDED], None, None, "0/0 graders passed"),
        # What is pending may still fail, and its score is unknown.
        ([PASS, PENDING], None, None, "1/1 graders passed"),
        ([FAIL, PENDING], False, None, "0/1 graders passed"),
        ([PENDING], None, None, "0/0 graders passed"),
    ],
)
def test_a_trial_passes_when_every_counted_grader_does_and_scores_their_mean(
    verdicts: list[Verdict], passed: bool | None, score: float | None, evidence: str
) -> None:
    grade = grade_trial(graders(len(verdicts)), verdicts)
    assert grade is not None
    assert (grade.passed, grade.evidence) == (passed, evidence)
    assert grade.score == (None if score is None else pytest.approx(score))


def test_a_trial_without_graders_has_no_grade() -> None:
    assert grade_trial([], []) is None


def test_a_recorded_verdict_without_a_score_counts_for_passing_only() -> None:
    scoreless = Verdict(State.RECORDED, True, None, None)
    assert grade_trial(graders(2), [scoreless, FAIL]) == TrialGrade(False, 0.0, 1, 2)
    assert grade_trial(graders(1), [scoreless]) == TrialGrade(True, None, 1, 1)


WEIGHTS = Weights({"diff-contains": 3, "named": 5})


@pytest.mark.parametrize(
    ("name", "type_", "weight"),
    [("named", "diff-contains", 5), ("other", "diff-contains", 3), (None, "diff-contains", 3), (None, "prompt", 1)],
)
def test_a_weight_is_looked_up_by_name_before_type(name: str | None, type_: str, weight: float) -> None:
    assert WEIGHTS.of(name, type_) == weight


@pytest.mark.parametrize(
    ("recorded_score", "formula", "score"),
    [
        # (1 + 0) / 2: the plain mean reproduces it, whatever the weights say.
        (0.5, "mean", 0.5),
        # (3×1 + 1×0) / 4.
        (0.75, "weighted", 0.75),
        (None, "mean", 0.5),
    ],
)
def test_the_mean_that_reproduces_the_recorded_score_is_taken(
    recorded_score: float | None, formula: str, score: float
) -> None:
    checks = [GraderConfig("diff-contains"), GraderConfig("prompt")]
    recorded = [detail("diff-contains", 1, "diff-contains"), detail("prompt", 0, "prompt")]
    grade = grade_trial(checks, [PASS, FAIL], recorded, recorded_score, Weights({"diff-contains": 3}))
    assert grade == TrialGrade(False, score, 1, 2, formula, None)


def test_the_formula_that_was_found_holds_for_other_verdicts() -> None:
    checks = [GraderConfig("diff-contains"), GraderConfig("prompt")]
    recorded = [detail("diff-contains", 1, "diff-contains"), detail("prompt", 0, "prompt")]
    grade = grade_trial(checks, [FAIL, PASS], recorded, 0.75, Weights({"diff-contains": 3}))
    assert grade == TrialGrade(False, 0.25, 1, 2, "weighted", None)


def test_a_score_that_no_mean_reproduces_is_told_and_the_plain_mean_shown() -> None:
    recorded = [detail("a", 1), detail("b", 0)]
    grade = grade_trial(graders(2), [PASS, FAIL], recorded, 0.9, Weights({"a": 3}))
    assert grade is not None
    assert (grade.score, grade.formula) == (0.5, "mean")
    assert grade.notice == "the recorded score 0.9 is no mean of the recorded grader scores; the plain mean is shown"


@pytest.mark.parametrize("score", [2 / 3, 0.67, 0.6666666667])
def test_a_rounded_recorded_score_is_reproduced(score: float) -> None:
    recorded = [detail("a", 1), detail("b", 1), detail("c", 0)]
    grade = grade_trial(graders(3), [PASS, PASS, FAIL], recorded, score)
    assert grade is not None
    assert grade.notice is None


def test_weights_of_zero_for_all_give_no_score() -> None:
    recorded = [detail("a", 1, "x"), detail("b", 0, "y")]
    grade = grade_trial([GraderConfig("x"), GraderConfig("y")], [PASS, FAIL], recorded, 1.0, Weights({"x": 1, "y": 0}))
    assert grade == TrialGrade(False, 1.0, 1, 2, "weighted", None)
    alone = grade_trial([GraderConfig("y")], [FAIL], recorded, 1.0, Weights({"x": 1, "y": 0}))
    assert alone == TrialGrade(False, None, 0, 1, "weighted", None)


def test_scores_of_any_size_do_not_fail() -> None:
    recorded = [detail("a", float("inf")), detail("b", 1e308), detail("c", 1e308)]
    grade = grade_trial(graders(1), [PASS], recorded, 3.0)
    assert grade is not None
    assert grade.score == 1.0


@pytest.mark.parametrize(
    ("trials", "passed", "k", "at_least_one", "all_of_them"),
    [
        # 1 − C(n−c,k)/C(n,k) and (c/n)^k by hand.
        (4, 2, 1, 0.5, 0.5),
        (4, 2, 2, 1 - 1 / 6, 0.25),
        (4, 2, 3, 1.0, 0.125),
        (3, 0, 3, 0.0, 0.0),
        (3, 3, 3, 1.0, 1.0),
        (10, 1, 5, 0.5, 0.1**5),
        (4, 2, 5, None, None),
        (4, 2, 0, None, None),
        (0, 0, 1, None, None),
    ],
)
def test_pass_at_k_and_pass_to_the_k(
    trials: int, passed: int, k: int, at_least_one: float | None, all_of_them: float | None
) -> None:
    for value, expected in (
        (pass_at_k(trials, passed, k), at_least_one),
        (pass_to_the_k(trials, passed, k), all_of_them),
    ):
        assert value == (None if expected is None else pytest.approx(expected))
