"""What the agent said in a trial, as text to be judged: its final output, or all its messages as one text.

Owns where these stand in a record and how messages are joined. Read from the record when they are asked for, never kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate
from typing import Any

import msgspec

from vally_tui.grading.graders import Subject
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.model import LoadIssue, RunSource, Trial
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.shapes import REFUSALS, read_json
from vally_tui.runs.words import kind_of, shortened

JOINT = "\n"
"""What stands between two messages in the text that is judged. Ours, as Vally's is not known."""


class _Data(msgspec.Struct, gc=False):
    content: Any = None


class _Event(msgspec.Struct, gc=False):
    type: Any = None
    data: _Data | None = None


class _OutputPart(msgspec.Struct, gc=False):
    output: Any = None


class _Part(_OutputPart, gc=False):
    events: list[_Event] | None = None


class _OutputRecord(msgspec.Struct, gc=False):
    trajectory: _OutputPart | None = None


class _Record(msgspec.Struct, gc=False):
    trajectory: _Part | None = None


_quick_output = msgspec.json.Decoder(_OutputRecord)
_quick = msgspec.json.Decoder(_Record)
_NOTHING = _Part()


def read_said(source: RunSource, trial: Trial, subject: Subject) -> Evidence:
    """The output of a trial, or its messages. Reads the trial's record; never raises for what it holds."""
    what = "output" if subject is Subject.OUTPUT else "messages"
    if not trial.has_trajectory:
        return Absent(Absence.NO_TRAJECTORY, no_trajectory(trial, what))
    with RecordFile(source) as records:
        line = records.line(trial)
    if isinstance(line, LoadIssue):
        return Absent(Absence.UNREADABLE, line.message)
    return said_in(line, (subject,))[subject]


def said_in(line: bytes, subjects: Collection[Subject]) -> dict[Subject, Evidence]:
    """Output and messages of a record with a trajectory, as far as they are asked for."""
    if Subject.TRANSCRIPT not in subjects:
        return {Subject.OUTPUT: output_of(line)} if Subject.OUTPUT in subjects else {}
    part = _part(_quick, line)
    said: dict[Subject, Evidence] = {Subject.TRANSCRIPT: _transcript(part)}
    if Subject.OUTPUT in subjects:
        said[Subject.OUTPUT] = _output(part)
    return said


def no_trajectory(trial: Trial, what: str) -> str:
    """The sentence for a trial of which nothing was recorded; ``what`` is lacking."""
    status = f" (status {shortened(trial.status_text, 40)})" if trial.status_text else ""
    return f"this trial has no recorded trajectory{status}, so there is no {what} to look at: run the stimulus again"


def output_of(line: bytes) -> Evidence:
    """``trajectory.output`` of a record, exactly as it is recorded; also an empty one is there."""
    return _output(_part(_quick_output, line))


def _output(part: object) -> Evidence:
    output = part.output if isinstance(part, _OutputPart) else _of(part, "output")
    if isinstance(output, str):
        return Present(output)
    if output is not None:
        return _unusable("output", f"output is {kind_of(output)}, not a string")
    return Absent(
        Absence.NEVER_RECORDED,
        "this trial has no recorded output: the run may have ended before the agent's final text; run the stimulus again",
    )


def transcript_of(line: bytes) -> Evidence:
    """The messages of the agent, one below the other, with where each of them begins.

    Ours, as nothing is known: they are joined by a newline, in the order of the events; those without text, which only
    call tools, are left out. Without any message the text is empty.
    """
    return _transcript(_part(_quick, line))


def _transcript(part: object) -> Evidence:
    events = part.events if isinstance(part, _Part) else _of(part, "events")
    if events is None:
        return Absent(
            Absence.NEVER_RECORDED,
            "this trial has no recorded messages: its trajectory holds no events; run the stimulus again",
        )
    if not isinstance(events, list):
        return _unusable("messages", f"events is {kind_of(events)}, not an array")
    contents = _quick_contents(events) if isinstance(part, _Part) else list(_slow_contents(events))
    wrong = next((content for content in contents if content is not None and not isinstance(content, str)), None)
    if wrong is not None:
        return _unusable("messages", f"the content of one is {kind_of(wrong)}, not a string")
    return _joined([content for content in contents if isinstance(content, str) and content])


def _joined(messages: list[str]) -> Present:
    starts = accumulate((len(message) + len(JOINT) for message in messages[:-1]), initial=0)
    return Present(JOINT.join(messages), tuple(starts) if messages else ())


def _unusable(what: str, why: str) -> Absent:
    message = f"the recorded {what} of this trial cannot be used ({why}): the grader cannot be judged"
    return Absent(Absence.MALFORMED, message)


def _part(decoder: msgspec.json.Decoder[_OutputRecord] | msgspec.json.Decoder[_Record], line: bytes) -> object:
    """The trajectory of a record, as plain values where a field has another type or a string a lone surrogate."""
    try:
        part = decoder.decode(line).trajectory
    except REFUSALS:
        return _of(read_json(line), "trajectory")
    return _NOTHING if part is None else part


def _quick_contents(events: Iterable[_Event]) -> list[object]:
    return [event.data and event.data.content for event in events if event.type == "assistant_message"]


def _slow_contents(events: Iterable[object]) -> Iterator[object]:
    for event in events:
        if _of(event, "type") == "assistant_message":
            yield _of(_of(event, "data"), "content")


def _of(value: object, key: str) -> object:
    """A member of an object; None where it has none, or is none."""
    return value.get(key) if isinstance(value, dict) else None
