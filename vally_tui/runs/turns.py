"""How diffs stand in a trajectory: ``diff`` and ``diffPath``, and the records of ``turnDiffs``. Pure; reads no sidecar.

The keys of a turn's record other than ``turn`` are not documented; ``diff`` and ``diffPath`` are accepted, as for the
whole run, which is our decision.
"""

from __future__ import annotations

from vally_tui.runs.fields import whole
from vally_tui.runs.model import NO_DIFF, NO_TURN_DIFFS, DiffForm, DiffRecord, TurnDiffs
from vally_tui.runs.words import json_text, kind_of, shortened

_GOOD_STATUS = ("success", "ok")


def diff_record(diff: object, path: object) -> DiffRecord:
    """How one diff was recorded; null is absent, a string ``diff`` (also an empty one) goes before a sidecar."""
    if isinstance(diff, str):
        return DiffRecord(DiffForm.INLINE, path if isinstance(path, str) else None, None, len(diff))
    if diff is not None:
        return DiffRecord(DiffForm.MALFORMED, None, f"diff is {kind_of(diff)}, not a string")
    if path is None:
        return NO_DIFF
    if not isinstance(path, str):
        return DiffRecord(DiffForm.MALFORMED, None, f"diffPath is {kind_of(path)}, not a string")
    if not path:
        return DiffRecord(DiffForm.MALFORMED, None, "diffPath is empty")
    return DiffRecord(DiffForm.SIDECAR, path)


def turn_diffs(value: object, faults: list[str]) -> TurnDiffs:
    """What ``turnDiffs`` holds; what cannot be used is added to ``faults`` as clauses."""
    if value is None:
        return NO_TURN_DIFFS
    if not isinstance(value, list):
        why = f"turnDiffs is {kind_of(value)}, not an array"
        faults.append(why)
        return TurnDiffs(True, why)
    by_turn: dict[int, DiffRecord] = {}
    for index, record in enumerate(value):
        turn = turn_of_record(record)
        if turn is None:
            faults.append(f"turnDiffs[{index}] has no turn, so it belongs to none")
        elif turn in by_turn:
            by_turn[turn] = DiffRecord(DiffForm.MALFORMED, None, "it is recorded more than once")
        else:
            by_turn[turn] = _turn_record(record)
    ordered = {turn: by_turn[turn] for turn in sorted(by_turn)}
    faults.extend(
        f"the diff of turn {shortened(str(turn), 20)} is malformed: {record.detail}"
        for turn, record in ordered.items()
        if record.form is DiffForm.MALFORMED
    )
    return TurnDiffs(True, None, ordered)


def turn_of_record(record: object) -> int | None:
    """The 0-based turn of one record of ``turnDiffs``; None where it has no usable one."""
    return whole(record.get("turn")) if isinstance(record, dict) else None


def turn_text(value: object, turn: int) -> str | None:
    """The inline text of a turn in a ``turnDiffs`` that was found to hold one."""
    if not isinstance(value, list):
        return None
    for record in value:
        if turn_of_record(record) == turn:
            text = record.get("diff")
            return text if isinstance(text, str) else None
    return None


def _turn_record(record: dict[str, object]) -> DiffRecord:
    failure = _failure(record)
    if failure is not None:
        return failure
    found = diff_record(record.get("diff"), record.get("diffPath"))
    if found.form is DiffForm.ABSENT:
        return DiffRecord(DiffForm.MALFORMED, None, "it holds neither diff nor diffPath")
    return found


def _failure(record: dict[str, object]) -> DiffRecord | None:
    error, status = record.get("error"), record.get("status")
    if isinstance(error, str | dict):
        return DiffRecord(DiffForm.FAILED, None, error_text(error))
    if error is not None:
        return DiffRecord(DiffForm.MALFORMED, None, f"its error is {kind_of(error)}")
    if status is None or status in _GOOD_STATUS:
        return None
    return DiffRecord(
        DiffForm.FAILED, None, f"status {shortened(status) if isinstance(status, str) else json_text(status)}"
    )


def error_text(error: str | dict[str, object]) -> str:
    """The text of an ``error``, recorded as a string or as an object with a message."""
    if isinstance(error, str):
        return error
    message = error.get("message")
    return message if isinstance(message, str) else json_text(error)
