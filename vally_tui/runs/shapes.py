"""One line of JSON as the fields that a loader needs, whatever their types; everything else is skipped unread.

Owns the decoding of untrusted JSON. Checking the fields is the duty of who uses them: each may hold any JSON value.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, TypeVar, cast

import msgspec
from msgspec import Struct

BOM = b"\xef\xbb\xbf"
_MOST_DIGITS = 4300
"""Longer whole numbers become floats: Python refuses to convert them, and JavaScript knows only floats."""
_MOST_SIGNS = 1_000_000
"""Commas and opening brackets that the standard decoder is given: no other thread works while it does, which would stop
the screen for seconds."""


class Malformed(Struct, frozen=True):
    """Why a text is not the JSON that was expected."""

    why: str


class StimulusShape(msgspec.Struct, rename="camel", gc=False):
    """``trajectory.stimulus``."""

    name: Any = None
    prompt: Any = None
    turns: Any = None
    graders: Any = msgspec.Raw()
    """The undecoded JSON (empty when absent), or the decoded value of a line that needed the standard decoder."""


class EventShape(msgspec.Struct, gc=False):
    """One of ``trajectory.events``."""

    turn: Any = None


class TrajectoryShape(msgspec.Struct, rename="camel", gc=False):
    """``trajectory``."""

    stimulus: Any = None
    events: Any = None
    diff: Any = None
    diff_path: Any = None
    turn_diffs: Any = None


class DetailShape(msgspec.Struct, rename="camel", gc=False):
    """One of ``gradeResult.details``."""

    name: Any = None
    configured_name: Any = None
    grader_type: Any = None
    passed: Any = None
    score: Any = None
    status: Any = None
    label: Any = None
    evidence: Any = None


class GradeShape(msgspec.Struct, rename="camel", gc=False):
    """``gradeResult``."""

    passed: Any = None
    score: Any = None
    evidence: Any = None
    status: Any = None
    stimulus_name: Any = None
    details: Any = None
    """The undecoded JSON (empty when absent; see ``read_details``), or the decoded value of a line that needed the standard
    decoder."""


class RecordShape(msgspec.Struct, rename="camel", gc=False):
    """One line of a results file: a trial of either age, a summary, or something unknown."""

    type: Any = None
    item_id: Any = None
    eval_name: Any = None
    eval_file_path: Any = None
    variant: Any = None
    stimulus: Any = None
    model: Any = None
    status: Any = None
    duration_ms: Any = None
    trial_index: Any = None
    total_trials: Any = None
    skip_reason: Any = None
    error: Any = None
    grade_result: Any = msgspec.UNSET
    trajectory: Any = msgspec.UNSET
    passed: Any = None
    had_execution_errors: Any = None
    evals: Any = None


# The same fields with the types that a right record has, so that the quick decoder skips what is not asked for.
class _Stimulus(StimulusShape, rename="camel", gc=False):
    graders: msgspec.Raw = msgspec.Raw()


class _Trajectory(TrajectoryShape, rename="camel", gc=False):
    stimulus: _Stimulus | None = None
    events: list[EventShape] | None = None


class _Grade(GradeShape, rename="camel", gc=False):
    details: msgspec.Raw = msgspec.Raw()


class _Record(RecordShape, rename="camel", gc=False):
    grade_result: _Grade | msgspec.UnsetType | None = msgspec.UNSET
    trajectory: _Trajectory | msgspec.UnsetType | None = msgspec.UNSET


_quick = msgspec.json.Decoder(_Record)
_quick_detail = msgspec.json.Decoder(DetailShape)
_quick_details = msgspec.json.Decoder(list[msgspec.Raw])
_quick_any = msgspec.json.Decoder()
REFUSALS = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What the quick decoders raise for lines that need the standard one."""

_PARTS: dict[tuple[type[msgspec.Struct], str], type[msgspec.Struct]] = {
    (RecordShape, "grade_result"): GradeShape,
    (RecordShape, "trajectory"): TrajectoryShape,
    (TrajectoryShape, "stimulus"): StimulusShape,
}
_LISTS: dict[tuple[type[msgspec.Struct], str], type[msgspec.Struct]] = {
    (TrajectoryShape, "events"): EventShape,
    (GradeShape, "details"): DetailShape,
}

Shape = TypeVar("Shape", bound=msgspec.Struct)


def read_shape(line: bytes) -> RecordShape | Malformed:
    """The needed fields of one line; a byte order mark must be cut off before. Never raises."""
    try:
        return _quick.decode(line)
    except REFUSALS:
        pass
    value = _read_slowly(line)
    if isinstance(value, Malformed):
        return value
    if not isinstance(value, dict):
        return Malformed("it is not a JSON object")
    return _shaped(RecordShape, value)


def read_details(value: object) -> object:
    """``GradeShape.details`` as a list, each entry its undecoded or its decoded JSON; what is no array is given as it is."""
    if not isinstance(value, msgspec.Raw):
        return value
    text = bytes(value)
    if not text:
        return None
    try:
        return _quick_details.decode(text)
    except REFUSALS:
        return read_json(text)


def read_detail_shape(text: bytes) -> object:
    """One entry of ``gradeResult.details``; what is no object is given as it is. Never raises."""
    try:
        return _quick_detail.decode(text)
    except REFUSALS:
        value = read_json(text)
        return _shaped(DetailShape, value) if isinstance(value, dict) else value


def read_json(text: bytes) -> object | Malformed:
    """Any JSON as plain Python values; lone surrogates, huge numbers and invalid UTF-8 are taken as Node takes them."""
    try:
        return cast(object, _quick_any.decode(text))
    except REFUSALS:
        return _read_slowly(text)


def _read_slowly(text: bytes) -> object | Malformed:
    if len(text) > _MOST_SIGNS and sum(map(text.count, (b",", b"[", b"{"))) > _MOST_SIGNS:
        return Malformed(f"it is no plain JSON, and with more than {_MOST_SIGNS:,} values it takes too long to read")
    try:
        return cast(
            object,
            json.loads(text.decode("utf-8", "replace"), parse_constant=_refuse_constant, parse_int=_whole),
        )
    except json.JSONDecodeError as error:
        # Some of the messages end with the word already.
        message = error.msg.removesuffix(" at")
        return Malformed(f"{message[:1].lower()}{message[1:]} at character {error.pos + 1}")
    except ValueError as error:
        return Malformed(str(error))
    except RecursionError:
        return Malformed("it is nested too deeply")


def _refuse_constant(word: str) -> object:
    raise ValueError(f"{word} is no JSON")


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) < _MOST_DIGITS else float(digits)


def _shaped(shape: type[Shape], value: dict[str, object]) -> Shape:
    fields = {name: _part(shape, name, value[key]) for name, key in _keys_of(shape) if key in value}
    return shape(**fields)


@cache
def _keys_of(shape: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """The fields of a shape and their keys in JSON."""
    return tuple((field.name, field.encode_name) for field in msgspec.structs.fields(shape))


def _part(shape: type[msgspec.Struct], name: str, value: object) -> object:
    part = _PARTS.get((shape, name))
    if part is not None and isinstance(value, dict):
        return _shaped(part, value)
    item = _LISTS.get((shape, name))
    if item is not None and isinstance(value, list):
        return [_shaped(item, entry) if isinstance(entry, dict) else entry for entry in value]
    return value
