"""A judged trial as JSON, in the shape of Vally's own results with what was judged again added; all keys always there."""

from __future__ import annotations

from collections.abc import Iterator

from vally_tui.cli.output import JsonObject, JsonValue
from vally_tui.grading.graders import turn_of
from vally_tui.grading.model import State
from vally_tui.triage.judged import JudgedGrader, JudgedTrial

_WITHOUT_RESULT = frozenset({State.TIMEOUT, State.ERROR, State.UNRECORDED})


def trial_objects(judged: JudgedTrial) -> Iterator[JsonObject]:
    """The one object of a trial."""
    yield trial_object(judged)


def trial_object(judged: JudgedTrial) -> JsonObject:
    """A trial; ``gradeResult`` is null without graders or without a trajectory."""
    trial, grade = judged.trial, judged.grade
    result: JsonValue = None
    if grade is not None:
        details: list[JsonValue] = [_detail(grader) for grader in judged.graders]
        result = {
            "passed": grade.passed,
            "score": _number(grade.score),
            "evidence": grade.evidence,
            "details": details,
        }
    return {
        "type": "trial-result",
        "itemId": trial.item_id,
        "stimulus": trial.stimulus,
        "variant": trial.variant,
        "model": trial.model,
        "trialIndex": trial.trial_index,
        "status": trial.status_text or None,
        "error": trial.error,
        "gradeResult": result,
    }


def _detail(grader: JudgedGrader) -> JsonObject:
    verdict, config = grader.verdict, grader.config
    turn = turn_of(config.turn)
    matches: list[JsonValue] = list(_matches(grader))
    return {
        "name": grader.name,
        "graderType": config.type,
        "turn": turn if isinstance(turn, int) else None,
        "passed": verdict.passed,
        "score": _number(verdict.score),
        "label": _label(grader),
        "status": "error" if verdict.state in _WITHOUT_RESULT else "success",
        "evidence": grader.evidence,
        "regraded": verdict.regraded,
        "recordedPassed": grader.recorded_passed,
        "state": verdict.state.value,
        "matchCount": verdict.match_count,
        "matches": matches,
    }


def _matches(grader: JudgedGrader) -> Iterator[JsonValue]:
    for (start, end), place in zip(grader.verdict.spans, grader.places, strict=True):
        yield {"start": start, "end": end, "file": place.file, "line": place.line, "kind": place.kind.value}


def _label(grader: JudgedGrader) -> str | None:
    """``incorrect`` for what has not passed; a recorded label stays where it says something else of a pass."""
    if grader.verdict.passed is None:
        return None
    if not grader.verdict.passed:
        return "incorrect"
    recorded = grader.recorded.label if grader.recorded is not None and not grader.verdict.regraded else None
    return recorded or "correct"


def _number(value: float | None) -> float | None:
    """A score as JavaScript writes it: 1, not 1.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
