"""From the verdicts of a trial's graders to its grade; from trials to pass@k and pass^k. Pure arithmetic."""

from collections.abc import Sequence
from math import comb, isclose

from vally_tui.grading.model import NO_WEIGHTS, GraderConfig, RecordedDetail, State, TrialGrade, Verdict, Weights


def grade_trial(
    graders: Sequence[GraderConfig],
    verdicts: Sequence[Verdict],
    recorded: Sequence[RecordedDetail] = (),
    recorded_score: float | None = None,
    weights: Weights = NO_WEIGHTS,
) -> TrialGrade | None:
    """The grade of a trial; None where it has no graders.

    ``recorded`` are all recorded details and ``recorded_score`` the trial's recorded score: they decide whether the plain
    or the weighted mean is Vally's formula here. Graders without a verdict are not counted; a trial of which nothing is
    known is no pass.
    """
    if not graders:
        return None
    formula, notice = _formula(recorded, recorded_score, weights)
    counted = [verdict for verdict in verdicts if verdict.passed is not None]
    passed_count = sum([verdict.passed is True for verdict in counted])
    pending = any(verdict.state is State.PENDING for verdict in verdicts)
    passed = passed_count == len(counted) if counted else None
    return TrialGrade(
        None if passed and pending else passed,
        None if pending else _score(graders, verdicts, weights if formula == "weighted" else NO_WEIGHTS),
        passed_count,
        len(counted),
        formula,
        notice,
    )


def pass_at_k(trials: int, passed: int, k: int) -> float | None:
    """The chance that at least one of k trials passes: 1 − C(n−c,k)/C(n,k); None where k exceeds the trials."""
    if not 1 <= k <= trials:
        return None
    return 1 - comb(trials - passed, k) / comb(trials, k)


def pass_to_the_k(trials: int, passed: int, k: int) -> float | None:
    """The chance that k trials all pass: (c/n)^k; None without trials."""
    if not 1 <= k <= trials:
        return None
    return float((passed / trials) ** k)


def _formula(recorded: Sequence[RecordedDetail], score: float | None, weights: Weights) -> tuple[str, str | None]:
    """Which mean reproduces the recorded score; the plain one with a notice where none does."""
    known = [(detail, detail.score) for detail in recorded if detail.score is not None]
    if score is None or not known:
        return "mean", None
    if _equal(sum([own for _, own in known]) / len(known), score):
        return "mean", None
    if weights.values:
        weighted = [
            (weights.of(detail.configured_name or detail.name, detail.grader_type or detail.name or ""), own)
            for detail, own in known
        ]
        if _equal(_mean(weighted), score):
            return "weighted", None
    hint = "" if weights.values else ", as no weights are known here"
    return (
        "mean",
        f"the recorded score {score:g} is no mean of the recorded grader scores; the plain mean is shown{hint}",
    )


def _score(graders: Sequence[GraderConfig], verdicts: Sequence[Verdict], weights: Weights) -> float | None:
    """The mean of the known scores of the verdicts that say pass or fail."""
    if not weights.values:
        scores = [verdict.score for verdict in verdicts if verdict.passed is not None and verdict.score is not None]
        return sum(scores) / len(scores) if scores else None
    return _mean(
        [
            (weights.of(grader.name, grader.type), verdict.score)
            for grader, verdict in zip(graders, verdicts, strict=True)
            if verdict.passed is not None and verdict.score is not None
        ]
    )


def _mean(scores: Sequence[tuple[float, float]]) -> float | None:
    total = sum([weight for weight, _ in scores])
    return sum([weight * score for weight, score in scores]) / total if total else None


def _equal(mean: float | None, score: float) -> bool:
    # Recorded scores come from JavaScript sums of the same numbers in another order, some of them rounded to two places.
    if mean == score:
        return True
    return mean is not None and (isclose(mean, score, abs_tol=1e-9) or isclose(round(mean, 2), score, abs_tol=1e-9))
