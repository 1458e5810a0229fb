"""Everything of one trial that is not kept in memory: prompts, output, events, whole recorded results, metrics.

Read again from the record when a person asks for it. Fields of a wrong type are left out here; loading has named them.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from vally_tui.runs.fields import finite, whole
from vally_tui.runs.model import LoadIssue, RunSource, Trial
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.shapes import read_json
from vally_tui.runs.turns import error_text
from vally_tui.runs.words import json_text, shortened
from vally_tui.runs.written import written_paths

EVENT_TEXT = 4000
"""Code points of an event's text that are given."""
EVENT_ARGUMENTS = 400
"""Code points of a tool call's arguments that are given."""
_DEEPEST = 30
"""Levels of nested results that are given; real ones have two."""
_TEXT_KEYS = ("content", "message", "text", "error", "name", "turnId")
_NOTHING: Mapping[str, object] = {}


class TrialEvent(Struct, frozen=True):
    """One event of the trajectory in short."""

    type: str
    turn: int | None
    """0-based; None where it is not recorded."""
    tool: str | None
    """The tool's name, for a call or its result."""
    arguments: str | None
    """A tool call's arguments as one line of JSON, shortened."""
    text: str | None
    """What was said, returned or went wrong; shortened."""
    success: bool | None
    """Of a tool's result."""


class RecordedResult(Struct, frozen=True):
    """One recorded grader result, whole."""

    name: str | None
    grader_type: str | None
    kind: str | None
    """Who judged: "code", "llm", "human"."""
    passed: bool | None
    score: float | None
    label: str | None
    status: str | None
    evidence: str | None
    """Vally's sentence, whole; may have newlines."""
    metadata: Mapping[str, object]
    """What the grader noted, such as rubric scores; any JSON."""
    details: tuple[RecordedResult, ...]
    """The parts of this result."""


class TrialDetail(Struct, frozen=True):
    """The record of a trial, as far as a person reads it. All texts are untrusted."""

    prompts: tuple[str, ...]
    """What was asked, one text for each turn of the stimulus."""
    output: str | None
    """The agent's final text; None where it is not recorded."""
    assistant_messages: tuple[str, ...]
    """All texts of the agent, in order, without empty ones."""
    events: tuple[TrialEvent, ...]
    results: tuple[RecordedResult, ...]
    """The recorded result of each grader, in order."""
    metrics: Mapping[str, object]
    """As recorded; any JSON."""
    error: str | None
    skip_reason: str | None
    work_dir: str | None
    """Where the agent worked, on the machine of the run."""
    written_paths: tuple[str, ...]
    """Files that recorded tool calls wrote, relative to ``work_dir`` with ``/`` where they are below it."""


def read_detail(source: RunSource, trial: Trial) -> TrialDetail | LoadIssue:
    """Read a trial's record again; an issue where the file does not hold it any more. Never raises for what it holds."""
    with RecordFile(source) as records:
        line = records.line(trial)
    return line if isinstance(line, LoadIssue) else detail_of(read_json(line))


def read_stimulus(source: RunSource, trial: Trial) -> Mapping[str, object] | LoadIssue:
    """The recorded stimulus of a trial as it stands in its record, its graders included; empty where none is there."""
    with RecordFile(source) as records:
        line = records.line(trial)
    if isinstance(line, LoadIssue):
        return line
    return _mapping(_mapping(_mapping(read_json(line)).get("trajectory")).get("stimulus"))


def detail_of(record: object) -> TrialDetail:
    """The same of a decoded record."""
    whole_record = _mapping(record)
    trajectory = _mapping(whole_record.get("trajectory"))
    events = [event for event in _list(trajectory.get("events")) if isinstance(event, dict)]
    work_dir = _text(trajectory.get("workDir")) or _text(whole_record.get("workspacePath"))
    error = whole_record.get("error")
    return TrialDetail(
        prompts=_prompts(_mapping(trajectory.get("stimulus"))),
        output=_text(trajectory.get("output")),
        assistant_messages=_assistant_messages(events),
        events=tuple(_event(event) for event in events),
        results=_results(_mapping(whole_record.get("gradeResult")).get("details"), _DEEPEST),
        metrics=_mapping(trajectory.get("metrics")),
        error=error_text(error) if isinstance(error, str | dict) else None,
        skip_reason=_text(whole_record.get("skipReason")),
        work_dir=work_dir,
        written_paths=written_paths(events, work_dir),
    )


def _prompts(stimulus: Mapping[str, object]) -> tuple[str, ...]:
    prompt = _text(stimulus.get("prompt"))
    if prompt is not None:
        return (prompt,)
    return tuple(_prompt_of(turn) for turn in _list(stimulus.get("turns")))


def _prompt_of(turn: object) -> str:
    if isinstance(turn, str):
        return turn
    prompt = _text(_mapping(turn).get("prompt"))
    return prompt if prompt is not None else json_text(turn, EVENT_TEXT)


def _assistant_messages(events: list[dict[str, object]]) -> tuple[str, ...]:
    said = (
        _text(_mapping(event.get("data")).get("content"))
        for event in events
        if event.get("type") == "assistant_message"
    )
    return tuple(text for text in said if text)


def _event(event: dict[str, object]) -> TrialEvent:
    data = _mapping(event.get("data"))
    arguments = data.get("arguments")
    text = _event_text(data)
    success = data.get("success")
    return TrialEvent(
        type=shortened(_text(event.get("type")) or "(no type)", 80),
        turn=whole(event.get("turn")),
        tool=_text(data.get("toolName")),
        arguments=None if arguments is None else json_text(arguments, EVENT_ARGUMENTS),
        text=None if text is None else shortened(text, EVENT_TEXT),
        success=success if isinstance(success, bool) else None,
    )


def _event_text(data: Mapping[str, object]) -> str | None:
    for key in _TEXT_KEYS:
        text = _text(data.get(key))
        if text is not None:
            return text
    result = data.get("result")
    if result is None:
        return None
    content = _text(_mapping(result).get("content"))
    return content if content is not None else json_text(result, EVENT_TEXT)


def _results(value: object, depth: int) -> tuple[RecordedResult, ...]:
    if depth == 0:
        return ()
    return tuple(_result(_mapping(entry), depth) for entry in _list(value))


def _result(entry: Mapping[str, object], depth: int) -> RecordedResult:
    passed = entry.get("passed")
    return RecordedResult(
        name=_text(entry.get("configuredName")) or _text(entry.get("name")),
        grader_type=_text(entry.get("graderType")),
        kind=_text(entry.get("kind")),
        passed=passed if isinstance(passed, bool) else None,
        score=_number(entry.get("score")),
        label=_text(entry.get("label")),
        status=_text(entry.get("status")),
        evidence=_text(entry.get("evidence")),
        metadata=_mapping(entry.get("metadata")),
        details=_results(entry.get("details"), depth - 1),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: object) -> float | None:
    return finite(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else _NOTHING


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
