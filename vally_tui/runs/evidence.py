"""The recorded diff of a trial, whole or of one turn -> its text, or which of the ways of not being there it is.

Owns the turn rule and the sentences for missing evidence. Judging is not done here, and nothing outside the run
directory is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.files import Refusal, decode_all, open_below, size_of
from vally_tui.runs.model import DiffForm, DiffRecord, IssueKind, LoadIssue, RunSource, Trial
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.said import no_trajectory
from vally_tui.runs.shapes import RecordShape, TrajectoryShape
from vally_tui.runs.turns import turn_text
from vally_tui.runs.words import listed, megabytes, shortened, shown_path

DEFAULT_MAX_BYTES = 256 << 20
"""Bytes of a sidecar; a larger one is refused with its size."""

_NEVER_RECORDED = (
    "No workspace diff is available for this run. A run records one only when a diff grader is configured, git is "
    "there and the agent works on this machine; session logs never hold one. Run the eval again with a diff grader "
    "configured."
)


def read_evidence(
    source: RunSource,
    trial: Trial,
    turn: int | None,
    *,
    single_turn_stimulus: bool | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Evidence:
    """The diff that a grader looks at: of the whole run (``turn`` None), or of one 0-based turn.

    ``single_turn_stimulus`` says whether the stimulus that is judged by has one prompt; None: the recorded one decides.
    ``max_bytes`` limits sidecars. Reads at most the trial's record and one sidecar; never raises for what they hold.
    """
    with RecordFile(source) as records:
        return _evidence(records, trial, turn, single_turn_stimulus, max_bytes)


def read_evidences(
    source: RunSource,
    wanted: Iterable[tuple[Trial, int | None, bool | None]],
    max_bytes: int = DEFAULT_MAX_BYTES,
) -> Iterator[Evidence]:
    """The same for many (trial, turn, single-turn stimulus), in their order, with the file opened once."""
    with RecordFile(source) as records:
        for trial, turn, single_turn in wanted:
            yield _evidence(records, trial, turn, single_turn, max_bytes)


def is_whole_diff(trial: Trial, turn: int | None, single_turn_stimulus: bool | None = None) -> bool:
    """Whether a grader with this turn looks at the diff of the whole run.

    Turn 0 does when stimulus and trajectory are both single-turn, whatever ``turnDiffs`` holds; in every other case only
    ``turnDiffs`` counts, without a way back to the whole diff.
    """
    if turn is None:
        return True
    single = trial.prompts == 1 if single_turn_stimulus is None else single_turn_stimulus
    return turn == 0 and single and not trial.multi_turn


def turns_of(trial: Trial) -> tuple[int, ...]:
    """The turns that a trial is known to have, in order: those with a recorded diff, and those of its prompts."""
    prompts = range(trial.prompts) if trial.prompts > 1 else ()
    return tuple(sorted({*trial.turn_diffs.by_turn, *prompts}))


def sidecar_issues(source: RunSource, trial: Trial, max_bytes: int = DEFAULT_MAX_BYTES) -> tuple[LoadIssue, ...]:
    """Sidecars that differ from the diff recorded in line, which is the one judged. Reads them all."""
    records = [(None, trial.diff), *trial.turn_diffs.by_turn.items()]
    both = [(turn, record) for turn, record in records if record.form is DiffForm.INLINE and record.path]
    found = []
    with RecordFile(source) as file:
        for turn, record in both:
            inline, sidecar = _inline(file, trial, turn), _sidecar(source, record, turn, max_bytes)
            if isinstance(inline, Present) and isinstance(sidecar, Present) and inline.text != sidecar.text:
                message = f"{_sidecar_name(record, turn)} differs from the diff in the record: the record's is judged"
                found.append(LoadIssue(IssueKind.SIDECAR, source.shown, trial.place.line, message))
    return tuple(found)


def _evidence(
    records: RecordFile, trial: Trial, turn: int | None, single_turn: bool | None, max_bytes: int
) -> Evidence:
    if not trial.has_trajectory:
        return Absent(Absence.NO_TRAJECTORY, no_trajectory(trial, "diff"))
    if is_whole_diff(trial, turn, single_turn):
        turn, record = None, trial.diff
    else:
        assert turn is not None
        found = _turn_record(trial, turn)
        if isinstance(found, Absent):
            return found
        record = found
    match record.form:
        case DiffForm.INLINE:
            return _inline(records, trial, turn)
        case DiffForm.SIDECAR:
            return _sidecar(records.source, record, turn, max_bytes)
        case _:
            return _not_there(record, turn)


def _turn_record(trial: Trial, turn: int) -> DiffRecord | Absent:
    turns = trial.turn_diffs
    if turns.malformed is not None:
        return _malformed_turn(turn, turns.malformed)
    record = turns.by_turn.get(turn)
    if record is not None:
        return record
    held = list(turns.by_turn)
    if held:
        holds = f"turnDiffs holds turn{'s' if len(held) > 1 else ''} {listed(held)}"
    elif turns.recorded:
        holds = "turnDiffs is empty"
    else:
        holds = "turnDiffs is not recorded; the executor may not report when a turn ends"
    message = f"turn {_number(turn)} of this trial has no recorded diff ({holds}): the grader cannot be judged"
    return Absent(Absence.TURN_MISSING, message)


def _not_there(record: DiffRecord, turn: int | None) -> Absent:
    detail = shortened(record.detail or "no reason is recorded")
    if record.form is DiffForm.ABSENT:
        return Absent(Absence.NEVER_RECORDED, _NEVER_RECORDED)
    if turn is None:
        message = f"the recorded diff of this trial cannot be used ({detail}): the grader cannot be judged"
        return Absent(Absence.MALFORMED, message)
    if record.form is DiffForm.MALFORMED:
        return _malformed_turn(turn, detail)
    message = (
        f"the diff of turn {_number(turn)} could not be captured ({detail}): the grader cannot be judged; "
        "run the stimulus again"
    )
    return Absent(Absence.CAPTURE_FAILED, message)


def _malformed_turn(turn: int, why: str) -> Absent:
    message = f"the recorded diff of turn {_number(turn)} cannot be used ({why}): the grader cannot be judged"
    return Absent(Absence.TURN_MALFORMED, message)


def _number(turn: int) -> str:
    return shortened(str(turn), 20)


def _inline(records: RecordFile, trial: Trial, turn: int | None) -> Evidence:
    shape = records.read(trial)
    if isinstance(shape, LoadIssue):
        return Absent(Absence.UNREADABLE, shape.message)
    text = _inline_text(shape, turn)
    if isinstance(text, str):
        return Present(text)
    return Absent(Absence.UNREADABLE, "the record holds no such diff any more: read the run again")


def _inline_text(shape: RecordShape, turn: int | None) -> object:
    trajectory = shape.trajectory
    if not isinstance(trajectory, TrajectoryShape):
        return None
    return trajectory.diff if turn is None else turn_text(trajectory.turn_diffs, turn)


def _sidecar_name(record: DiffRecord, turn: int | None) -> str:
    whose = "" if turn is None else f" of turn {_number(turn)}"
    return f"sidecar {shown_path(record.path or '')}{whose}"


def _sidecar(source: RunSource, record: DiffRecord, turn: int | None, max_bytes: int) -> Evidence:
    name = _sidecar_name(record, turn)
    file = open_below(source.folder, record.path or "")
    if isinstance(file, Refusal):
        return Absent(file.absence, _refused(name, file, source))
    with file:
        size = size_of(file)
        text = decode_all(file, max_bytes) if size <= max_bytes else None
        if text is not None:
            return Present(text)
    message = (
        f"{name} has {megabytes(size)}, above the limit of {megabytes(max_bytes)}: pass a larger --max-diff to judge it"
    )
    return Absent(Absence.TOO_LARGE, message)


def _refused(name: str, refusal: Refusal, source: RunSource) -> str:
    match refusal.absence:
        case Absence.SIDECAR_GONE if source.from_stdin:
            return f"{name} is recorded but not there: records on standard input need --run-dir to find it"
        case Absence.SIDECAR_GONE:
            return f"{name} is recorded but not there: copy the whole run directory, or pass --run-dir"
        case Absence.SIDECAR_OUTSIDE:
            return f"{name} {refusal.why} and is not read: copy the file into it, or pass --run-dir"
        case _:
            return f"{name} {refusal.why}: mend that and read the run again"
