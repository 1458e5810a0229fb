"""What the agent said in a trial, as text to be judged: its final output, or all its messages as one text.

Owns where these stand in a record and how messages are joined. Read from the record when they are asked for, never kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, TypeVar

import msgspec

from vally_tui.grading.graders import Subject
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.model import LoadIssue, RunSource, Trial
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.shapes import REFUSALS, read_json
from vally_tui.runs.words import kind_of, shortened

JOINT = "\n"
"""What stands between two messages in the text that is judged. Ours, as Vally's is not known."""


class _Event(msgspec.Struct, gc=False):
    type: Any = None
    data: msgspec.Raw = msgspec.Raw()


class _OutputPart(msgspec.Struct, gc=False):
    output: Any = None


class _EventsPart(msgspec.Struct, gc=False):
    events: list[_Event] | None = None


class _OutputRecord(msgspec.Struct, gc=False):
    trajectory: _OutputPart | None = None


class _EventsRecord(msgspec.Struct, gc=False):
    trajectory: _EventsPart | None = None


class _Content(msgspec.Struct, gc=False):
    content: Any = None


_quick_output = msgspec.json.Decoder(_OutputRecord)
_quick_events = msgspec.json.Decoder(_EventsRecord)
_quick_content = msgspec.json.Decoder(_Content)

Decoded = TypeVar("Decoded", bound=msgspec.Struct)


def read_said(source: RunSource, trial: Trial, subject: Subject) -> Evidence:
    """The output of a trial, or its messages. Reads the trial's record; never raises for what it holds."""
    what = "output" if subject is Subject.OUTPUT else "messages"
    if not trial.has_trajectory:
        return Absent(Absence.NO_TRAJECTORY, no_trajectory(trial, what))
    with RecordFile(source) as records:
        line = records.line(trial)
    if isinstance(line, LoadIssue):
        return Absent(Absence.UNREADABLE, line.message)
    return said_in(line, subject)


def said_in(line: bytes, subject: Subject) -> Evidence:
    """The output or the messages of a record with a trajectory."""
    return output_of(line) if subject is Subject.OUTPUT else transcript_of(line)


def no_trajectory(trial: Trial, what: str) -> str:
    """The sentence for a trial of which nothing was recorded; ``what`` is lacking."""
    status = f" (status {shortened(trial.status_text, 40)})" if trial.status_text else ""
    return f"this trial has no recorded trajectory{status}, so there is no {what} to look at: run the stimulus again"


def output_of(line: bytes) -> Evidence:
    """``trajectory.output`` of a record, exactly as it is recorded; also an empty one is there."""
    quick = _quickly(_quick_output, line)
    if quick is not None:
        output = quick.trajectory.output if quick.trajectory is not None else None
    else:
        output = _of(_of(read_json(line), "trajectory"), "output")
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
    quick = _quickly(_quick_events, line)
    events: object
    if quick is not None:
        said = quick.trajectory.events if quick.trajectory is not None else None
        events, contents = said, list(_quick_contents(said or ()))
    else:
        events = _of(_of(read_json(line), "trajectory"), "events")
        contents = list(_slow_contents(events)) if isinstance(events, list) else []
    if events is None:
        return Absent(
            Absence.NEVER_RECORDED,
            "this trial has no recorded messages: its trajectory holds no events; run the stimulus again",
        )
    if not isinstance(events, list):
        return _unusable("messages", f"events is {kind_of(events)}, not an array")
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


def _quickly(decoder: msgspec.json.Decoder[Decoded], text: bytes | msgspec.Raw) -> Decoded | None:
    """None where the text needs the standard decoder: a field has another type, or a string a lone surrogate."""
    try:
        return decoder.decode(text)
    except REFUSALS:
        return None


def _quick_contents(events: Iterable[_Event]) -> Iterator[object]:
    for event in events:
        if event.type == "assistant_message":
            data = _quickly(_quick_content, event.data) if event.data else None
            yield data.content if data is not None else _of(read_json(bytes(event.data)), "content")


def _slow_contents(events: Iterable[object]) -> Iterator[object]:
    for event in events:
        if _of(event, "type") == "assistant_message":
            yield _of(_of(event, "data"), "content")


def _of(value: object, key: str) -> object:
    """A member of an object; None where it has none, or is none."""
    return value.get(key) if isinstance(value, dict) else None
