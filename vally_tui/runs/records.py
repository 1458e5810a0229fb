"""One line of a results file -> a trial, a summary, something unknown, or an issue. Reads no files and keeps no texts.

Every field may be missing, null or of a wrong type; what is wrong becomes a LoadIssue, and the trial is there all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from vally_tui.grading.model import RecordedDetail
from vally_tui.runs.fields import Fields
from vally_tui.runs.model import (
    NO_DIFF,
    NO_TURN_DIFFS,
    DiffForm,
    DiffRecord,
    EvalSummary,
    IssueKind,
    LoadIssue,
    RecordedGrade,
    RecordPlace,
    RunSummary,
    Trial,
    TrialStatus,
    TurnDiffs,
)
from vally_tui.runs.recorded_graders import (
    NO_GRADERS,
    RecordedGraders,
    graders_difference,
    graders_of,
    inferred_graders,
)
from vally_tui.runs.shapes import (
    DetailShape,
    EventShape,
    GradeShape,
    Malformed,
    RecordShape,
    Shape,
    StimulusShape,
    TrajectoryShape,
    read_detail_shape,
    read_details,
    read_json,
    read_shape,
)
from vally_tui.runs.turns import diff_record, error_text, turn_diffs
from vally_tui.runs.words import kind_of, shortened

KEPT_EVIDENCE = 400
"""Code points of a recorded evidence sentence that stay in memory; the record has the rest."""
KEPT_ERROR = 4000
"""Code points of a trial's error that stay in memory."""

_turn_of_event: Callable[[object], object] = attrgetter("turn")
_RECURRING = 600
"""Bytes of a recorded result, on average of those of a trial, that is remembered while the file is read."""
_RESULTS, _GRADES = 1024, 4096
"""Different results of all graders of a trial, and different grades, that are remembered while the file is read."""
_TRIAL_PART = re.compile(r"trial-([0-9]{1,9})", re.ASCII)
Shared = TypeVar("Shared")

_STATUS = {status.value: status for status in TrialStatus}


class ParsedLine(NamedTuple):
    """What one line holds: at most one of ``trial``, ``summary`` and ``unknown``; none of them when it is malformed."""

    trial: Trial | None = None
    summary: RunSummary | None = None
    unknown: str | None = None
    """The type of a record of unknown type."""
    issues: tuple[LoadIssue, ...] = ()
    diff: str | None = None
    """The inline diff of the whole run, which the trial itself does not keep."""

    @property
    def malformed(self) -> bool:
        """Whether the line is no record at all."""
        return self.trial is None and self.summary is None and self.unknown is None


class ItemId(NamedTuple):
    """The parts of ``<eval file>::<variant>::<model>::<stimulus>::trial-<n>``; None where they are not there."""

    eval_file: str | None = None
    variant: str | None = None
    model: str | None = None
    stimulus: str | None = None
    trial: int | None = None


class _Trajectory(NamedTuple):
    there: bool = False
    stimulus: str | None = None
    graders: RecordedGraders = NO_GRADERS
    prompts: int = 0
    multi_turn: bool = False
    diff: DiffRecord = NO_DIFF
    turn_diffs: TurnDiffs = NO_TURN_DIFFS


_NO_TRAJECTORY = _Trajectory()


class RecordReader:
    """Parses the lines of one results file, sharing equal strings, details and graders between its trials."""

    def __init__(self, file: str) -> None:
        """``file``: the path for issues, as a person knows it."""
        self._file = file
        self._shared: dict[Any, Any] = {}
        self._graders: dict[bytes, RecordedGraders] = {}
        self._details: dict[bytes, RecordedDetail] = {}
        self._all_details: dict[bytes, tuple[RecordedDetail, ...]] = {}
        self._grades: dict[object, RecordedGrade] = {}

    def parse(self, line: bytes, place: RecordPlace, key: int) -> ParsedLine:
        """One line, without a byte order mark; ``key`` is for the trial. Never raises."""
        shape = read_shape(line)
        if isinstance(shape, Malformed):
            message = f"this line is not a record ({shape.why}): it is left out"
            return ParsedLine(issues=(self._issue(IssueKind.MALFORMED_LINE, place, message),))
        match shape.type:
            case "trial-result":
                return self._trial(shape, place, key)
            case "run-summary":
                return self._summary(shape, place)
            case None if _is_legacy(shape):
                return self._trial(shape, place, key)
            case None:
                return ParsedLine(unknown="(none)")
            case str(word):
                return ParsedLine(unknown=shortened(word, 80))
            case other:
                return ParsedLine(unknown=f"({kind_of(other)})")

    def _issue(self, kind: IssueKind, place: RecordPlace, message: str) -> LoadIssue:
        return LoadIssue(kind, self._file, place.line, message)

    def _share(self, value: Shared) -> Shared:
        shared: Shared = self._shared.setdefault(value, value)
        return shared

    def _text(self, fields: Fields, value: object, name: str) -> str | None:
        if not isinstance(value, str):
            return fields.text(value, name)
        text: str = self._shared.setdefault(value, value)
        return text

    def _trial(self, shape: RecordShape, place: RecordPlace, key: int) -> ParsedLine:
        fields, turn_faults = Fields(), list[str]()
        item_text = fields.text(shape.item_id, "itemId")
        item = item_id_parts(item_text)
        trajectory = self._trajectory(shape.trajectory, fields, turn_faults)
        grade_shape = _typed(shape.grade_result, GradeShape, "gradeResult", fields)
        grade = self._grade(grade_shape, fields)
        named_in_grade = grade_shape.stimulus_name if grade_shape else None
        stimulus = (
            self._text(fields, shape.stimulus, "stimulus")
            or trajectory.stimulus
            or self._text(fields, named_in_grade, "gradeResult.stimulusName")
            or item.stimulus
        )
        graders = trajectory.graders
        if not graders.known and grade is not None:
            graders = replace(graders, configs=self._share(inferred_graders(grade.details)))
        index = fields.index(shape.trial_index, "trialIndex")
        status = fields.text(shape.status, "status") or ""
        trial = Trial(
            key=key,
            place=place,
            item_id=item_text,
            stimulus=self._share(stimulus) if stimulus else None,
            variant=self._text(fields, shape.variant, "variant") or item.variant,
            model=self._text(fields, shape.model, "model") or item.model,
            eval_name=self._text(fields, shape.eval_name, "evalName"),
            eval_file=self._text(fields, shape.eval_file_path, "evalFilePath") or item.eval_file,
            trial_index=item.trial if index is None else index,
            total_trials=fields.index(shape.total_trials, "totalTrials"),
            status=_STATUS.get(status, TrialStatus.UNKNOWN),
            status_text=self._share(status),
            error=self._share(error_of(shape.error, "error", fields)),
            skip_reason=self._text(fields, shape.skip_reason, "skipReason"),
            duration_ms=fields.number(shape.duration_ms, "durationMs"),
            grade=grade,
            graders=graders.configs,
            graders_known=graders.known,
            has_trajectory=trajectory.there,
            prompts=trajectory.prompts,
            multi_turn=trajectory.multi_turn,
            diff=trajectory.diff,
            turn_diffs=trajectory.turn_diffs,
        )
        fields.faults.extend(graders.faults)
        issues = tuple(self._trial_issues(trial, fields.faults, turn_faults))
        return ParsedLine(trial=trial, issues=issues, diff=inline_diff(shape) if trial.has_trajectory else None)

    def _trial_issues(self, trial: Trial, faults: list[str], turn_faults: list[str]) -> Iterator[LoadIssue]:
        if faults:
            yield self._issue(IssueKind.MISTYPED_FIELD, trial.place, f"{clauses(faults)}: taken as absent")
        if trial.diff.form is DiffForm.MALFORMED:
            message = f"trajectory.{trial.diff.detail}: graders of the whole diff cannot be judged"
            yield self._issue(IssueKind.MISTYPED_FIELD, trial.place, message)
        if turn_faults:
            message = f"{clauses(turn_faults)}: graders of such a turn cannot be judged"
            yield self._issue(IssueKind.TURN_DIFFS, trial.place, message)
        if trial.stimulus is None:
            message = "this trial names no stimulus: it is shown, but belongs to none"
            yield self._issue(IssueKind.UNATTRIBUTED, trial.place, message)
        difference = graders_difference(trial)
        if difference:
            yield self._issue(IssueKind.GRADERS_DIFFER, trial.place, difference)

    def _trajectory(self, value: object, fields: Fields, turn_faults: list[str]) -> _Trajectory:
        shape = _typed(value, TrajectoryShape, "trajectory", fields)
        if shape is None:
            return _NO_TRAJECTORY
        stimulus = _typed(shape.stimulus, StimulusShape, "trajectory.stimulus", fields)
        diff = diff_record(shape.diff, shape.diff_path)
        turns = turn_diffs(shape.turn_diffs, turn_faults)
        prompts, stimulus_turns = _prompts(stimulus, fields)
        return _Trajectory(
            there=True,
            stimulus=self._text(fields, stimulus.name, "trajectory.stimulus.name") if stimulus else None,
            graders=self._graders_of(stimulus) if stimulus else NO_GRADERS,
            prompts=prompts,
            multi_turn=stimulus_turns >= 2 or any(turns.by_turn) or _later_event(shape.events, fields),
            diff=diff,
            turn_diffs=turns,
        )

    def _graders_of(self, stimulus: StimulusShape) -> RecordedGraders:
        recorded = stimulus.graders
        if not isinstance(recorded, msgspec.Raw):
            return graders_of(recorded)
        text = bytes(recorded)
        if text not in self._graders:
            self._graders[text] = graders_of(read_json(text)) if text else NO_GRADERS
        return self._graders[text]

    def _grade(self, shape: GradeShape | None, fields: Fields) -> RecordedGrade | None:
        if shape is None:
            return None
        passed = fields.flag(shape.passed, "gradeResult.passed")
        score = fields.number(shape.score, "gradeResult.score")
        if passed is None and score is None:
            return None
        text = bytes(shape.details) if isinstance(shape.details, msgspec.Raw) else b""
        known = self._all_details.get(text)
        details = [] if known is not None else _array(read_details(shape.details), "gradeResult.details", fields)
        evidence = fields.text(shape.evidence, "gradeResult.evidence")
        return self._shared_grade(
            passed,
            score,
            self._share(shortened(evidence, KEPT_EVIDENCE)) if evidence is not None else None,
            self._text(fields, shape.status, "gradeResult.status"),
            known if known is not None else self._details_of(details, text, fields),
        )

    def _details_of(self, details: list[object], text: bytes, fields: Fields) -> tuple[RecordedDetail, ...]:
        """The details of a grade; ``text``: their JSON, empty where it is not at hand."""
        faults = len(fields.faults)
        made = tuple([self._detail_of(detail, at, fields) for at, detail in enumerate(details)])
        # As with a single one: what recurs is short, and a fault is told each time.
        if text and len(text) <= _RECURRING * len(details) and len(fields.faults) == faults:
            if len(self._all_details) >= _RESULTS:
                self._all_details.clear()
            self._all_details[text] = made
        return made

    def _shared_grade(
        self,
        passed: bool | None,
        score: float | None,
        evidence: str | None,
        status: str | None,
        details: tuple[RecordedDetail, ...],
    ) -> RecordedGrade:
        """The grade, as the object that an earlier trial has already where its details are shared, too."""
        # By identity, as hashing details is slow; a grade that is remembered keeps its details, and so their identities.
        key = (passed, score, evidence, status, *map(id, details))
        known = self._grades.get(key)
        if known is None:
            if len(self._grades) >= _GRADES:
                self._grades.clear()
            known = self._grades[key] = RecordedGrade(passed, score, evidence, status, details)
        return known

    def _detail_of(self, value: object, index: int, fields: Fields) -> RecordedDetail:
        if not isinstance(value, msgspec.Raw):
            return self._detail(value, index, fields)
        text = bytes(value)
        known = self._details.get(text)
        if known is None:
            faults = len(fields.faults)
            known = self._detail(read_detail_shape(text), index, fields)
            # Results of code graders are few and recur; a long one is a model's, and unique. A faulty one is told each time.
            if len(text) <= _RECURRING and len(fields.faults) == faults:
                self._details[text] = known
        return known

    def _detail(self, value: object, index: int, fields: Fields) -> RecordedDetail:
        shape = _typed(value, DetailShape, f"gradeResult.details[{index}]", fields) or DetailShape()
        own = Fields()
        evidence = own.text(shape.evidence, "evidence")
        detail = RecordedDetail(
            name=self._text(own, shape.name, "name"),
            configured_name=self._text(own, shape.configured_name, "configuredName"),
            grader_type=self._text(own, shape.grader_type, "graderType"),
            passed=own.flag(shape.passed, "passed"),
            score=own.number(shape.score, "score"),
            status=self._text(own, shape.status, "status"),
            label=self._text(own, shape.label, "label"),
            evidence=shortened(evidence, KEPT_EVIDENCE) if evidence is not None else None,
            evidence_whole=evidence is None or len(evidence) <= KEPT_EVIDENCE,
        )
        fields.faults.extend(f"gradeResult.details[{index}].{fault}" for fault in own.faults)
        return detail

    def _summary(self, shape: RecordShape, place: RecordPlace) -> ParsedLine:
        fields = Fields()
        evals = [
            _eval_summary(entry, f"evals[{index}]", fields)
            for index, entry in enumerate(_array(shape.evals, "evals", fields))
        ]
        summary = RunSummary(
            fields.flag(shape.passed, "passed"),
            fields.flag(shape.had_execution_errors, "hadExecutionErrors"),
            tuple(entry for entry in evals if entry is not None),
        )
        if not fields.faults:
            return ParsedLine(summary=summary)
        message = f"{clauses(fields.faults)}: taken as absent"
        return ParsedLine(summary=summary, issues=(self._issue(IssueKind.MISTYPED_FIELD, place, message),))


def inline_diff(shape: RecordShape) -> str | None:
    """The diff of the whole run that a record holds in line."""
    trajectory = shape.trajectory
    diff = trajectory.diff if isinstance(trajectory, TrajectoryShape) else None
    return diff if isinstance(diff, str) else None


def item_id_parts(text: str | None) -> ItemId:
    """The parts of an ``itemId``, split from the right, since only the eval file's path may hold the separator."""
    parts = (text or "").rsplit("::", 4)
    trial = _TRIAL_PART.fullmatch(parts[-1])
    number = int(trial[1]) if trial else None
    if trial is None or len(parts) < 5:
        return ItemId(trial=number)
    eval_file, variant, model, stimulus, _ = parts
    return ItemId(eval_file or None, variant or None, model or None, stimulus or None, number)


def clauses(faults: list[str], most: int = 8) -> str:
    """Faults as one sentence part."""
    shown = ", ".join(faults[:most])
    return shown if len(faults) <= most else f"{shown} and {len(faults) - most} more"


def error_of(value: object, name: str, fields: Fields) -> str | None:
    """An ``error``, recorded as a string or an object, shortened; None where there is none."""
    if isinstance(value, str | dict):
        return shortened(error_text(value), KEPT_ERROR)
    if value is not None:
        fields.faults.append(f"{name} is {kind_of(value)}")
    return None


def _is_legacy(shape: RecordShape) -> bool:
    has_part = shape.trajectory is not msgspec.UNSET or shape.grade_result is not msgspec.UNSET
    return has_part or isinstance(shape.status, str)


def _typed(value: object, shape: type[Shape], name: str, fields: Fields) -> Shape | None:
    if isinstance(value, shape):
        return value
    if value is not None and value is not msgspec.UNSET:
        fields.faults.append(f"{name} is {kind_of(value)}, not an object")
    return None


def _array(value: object, name: str, fields: Fields) -> list[object]:
    if isinstance(value, list):
        return value
    if value is not None:
        fields.faults.append(f"{name} is {kind_of(value)}, not an array")
    return []


def _prompts(stimulus: StimulusShape | None, fields: Fields) -> tuple[int, int]:
    if stimulus is None:
        return 0, 0
    turns = len(_array(stimulus.turns, "trajectory.stimulus.turns", fields))
    has_prompt = fields.text(stimulus.prompt, "trajectory.stimulus.prompt") is not None
    return 1 if has_prompt else turns, turns


def _later_event(value: object, fields: Fields) -> bool:
    events = _array(value, "trajectory.events", fields)
    if not set(map(type, events)) <= {EventShape}:
        wrong = next(event for event in events if not isinstance(event, EventShape))
        fields.faults.append(f"trajectory.events holds {kind_of(wrong)}")
        events = [event for event in events if isinstance(event, EventShape)]
    # Most events have none or are of turn 0: they are left out first.
    turns = [turn for turn in map(_turn_of_event, events) if turn]
    return any(isinstance(turn, int | float) and not isinstance(turn, bool) and turn >= 1 for turn in turns)


def _eval_summary(value: object, name: str, fields: Fields) -> EvalSummary | None:
    if not isinstance(value, dict):
        fields.faults.append(f"{name} is {kind_of(value)}, not an object")
        return None
    return EvalSummary(
        fields.text(value.get("name"), f"{name}.name"),
        fields.text(value.get("variant"), f"{name}.variant"),
        fields.text(value.get("model"), f"{name}.model"),
        fields.flag(value.get("passed"), f"{name}.passed"),
        fields.number(value.get("overallScore"), f"{name}.overallScore"),
        fields.number(value.get("threshold"), f"{name}.threshold"),
        error_of(value.get("error"), f"{name}.error", fields),
    )
