"""A judged trial as JSON, in the shape of Vally's own results with what was judged again added; all keys always there."""

from __future__ import annotations

from collections.abc import Iterator

from vally_tui.cli.output import JsonValue, Output, json_text
from vally_tui.grading.graders import turn_of
from vally_tui.grading.model import State
from vally_tui.runs.model import LoadIssue, RunSource
from vally_tui.triage.judged import JudgedGrader, JudgedTrial, Step

_WITHOUT_RESULT = frozenset({State.TIMEOUT, State.ERROR, State.UNRECORDED})


class JsonLines:
    """One object a trial, in the order of the file, as soon as it is judged."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def issue(self, issue: LoadIssue) -> None:
        """Issues are on standard error only: standard output has nothing but trials."""

    def step(self, step: Step, shown: tuple[JudgedTrial, ...]) -> None:
        """Print these trials."""
        self._out.write("".join(json_text(trial_object(trial)) + "\n" for trial in shown))

    def end(self) -> None:
        """Everything is printed."""


class JsonDocument:
    """One object with runs, trials and issues, printed at the end."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._runs: list[dict[str, JsonValue]] = []
        self._trials: list[str] = []
        self._issues: list[JsonValue] = []
        self._source: RunSource | None = None

    def issue(self, issue: LoadIssue) -> None:
        """Keep an issue for the end."""
        self._issues.append(issue_object(issue))

    def step(self, step: Step, shown: tuple[JudgedTrial, ...]) -> None:
        """Keep these trials for the end."""
        if step.source is not self._source:
            self._source = step.source
            self._runs.append(run_object(step.source))
        self._trials.extend(json_text(trial_object(trial)) for trial in shown)
        self._runs[-1] |= _counted(self._runs[-1], step, len(shown))

    def end(self) -> None:
        """Print the object."""
        runs, issues = json_text(list(self._runs)), json_text(self._issues)
        self._out.write(f'{{"runs":{runs},"trials":[{",".join(self._trials)}],"issues":{issues}}}\n')


def run_object(source: RunSource) -> dict[str, JsonValue]:
    """What is known of a run before it is read."""
    return {
        "name": source.name,
        "path": source.shown,
        "variant": source.variant,
        "experiment": source.experiment,
        "trials": 0,
        "shown": 0,
        "unknownRecords": 0,
        "complete": False,
    }


def _counted(run: dict[str, JsonValue], step: Step, shown: int) -> dict[str, JsonValue]:
    def more(key: str, number: int) -> int:
        before = run[key]
        assert isinstance(before, int)
        return before + number

    return {
        "trials": more("trials", len(step.trials)),
        "shown": more("shown", shown),
        "unknownRecords": more("unknownRecords", step.unknown_records),
        "complete": step.last and not step.torn,
    }


def issue_object(issue: LoadIssue) -> dict[str, JsonValue]:
    """What could not be read as it should be."""
    return {"kind": issue.kind.value, "file": issue.file or None, "line": issue.line, "message": issue.message}


def trial_object(judged: JudgedTrial) -> dict[str, JsonValue]:
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


def _detail(grader: JudgedGrader) -> dict[str, JsonValue]:
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
