"""What is wrong with what was read, and what to do: load issues, evidence that lacks, verdicts that are not reproduced.

Each entry has a place and a next step. Nothing is read here; what is not known yet is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, State
from vally_tui.runs.model import IssueKind, LoadIssue
from vally_tui.triage.board import Board
from vally_tui.triage.graders_of import not_in_spec
from vally_tui.triage.labels import trial_label
from vally_tui.triage.session import Session
from vally_tui.triage.spec_compared import differing
from vally_tui.triage.state import TriageState
from vally_tui.triage.views import names_of

_ONLY_ANEW = "run the stimulus again: what was not recorded cannot be made later"
_LEFT_BEHIND = "copy the whole run directory, or pass --run-dir; then press R"
_LACKING = {
    Absence.SIDECAR_GONE: _LEFT_BEHIND,
    Absence.SIDECAR_OUTSIDE: _LEFT_BEHIND,
    Absence.UNREADABLE: "see to it that the file may be read, then press R",
    Absence.TOO_LARGE: "allow larger diffs with --max-diff",
    Absence.TURN_MISSING: "( and ) open the other turns and the whole run; @ makes the grader look at another turn",
}
"""What to do where evidence lacks for a reason; for all others a new run is all that helps."""
_CONFIG = "mend the file; everything else in it holds, and it is read at the start"
_RECORD = "look at that line of the file; all other records are used"
_STEPS = {
    IssueKind.MALFORMED_LINE: "copy the results file again if it was cut on its way; all other records are used",
    IssueKind.TORN_LINE: "the run may still be going on: press R to read what was added",
    IssueKind.TOO_LARGE_LINE: _RECORD,
    IssueKind.UNREADABLE_FILE: "see to it that the file is there and may be read, then press R",
    IssueKind.EMPTY_FILE: "look whether the run has ended, and how; then press R",
    IssueKind.NO_TRIALS: "look whether the run has ended, and how; then press R",
    IssueKind.UNKNOWN_RECORD: "nothing, unless trials are missing: then a newer version of this program may know it",
    IssueKind.MISTYPED_FIELD: _RECORD,
    IssueKind.UNATTRIBUTED: _RECORD,
    IssueKind.TURN_DIFFS: "run the stimulus again: a diff cannot be made later",
    IssueKind.SIDECAR: "copy the whole run directory, or pass --run-dir",
    IssueKind.GRADERS_DIFFER: "compare what was recorded (o) with the graders listed",
    IssueKind.SKIPPED_PATH: "name that path on the command line, if it is a run",
    IssueKind.NO_DIFF: _ONLY_ANEW,
    IssueKind.SPEC: "mend the spec at that line",
    IssueKind.GRADER_CONFIG: "mend the config in the spec, or with E",
    IssueKind.SCORE: "compare the recorded scores (o) with the spec's weights",
}


class Trouble(Struct, frozen=True):
    """One thing to look at."""

    place: str
    """File and line, or trial and turn."""
    message: str
    """What is wrong, in plain sentences."""
    step: str = ""
    """What to do next, where the message does not say it."""
    trial: int | None = None
    """The trial that it is about, to go to."""
    slot: int | None = None


class TroubleGroup(Struct, frozen=True):
    """Things of one kind."""

    title: str
    troubles: tuple[Trouble, ...]


def troubles(session: Session, faults: Sequence[str] = ()) -> list[TroubleGroup]:
    """Everything, most important first, without empty groups; ``faults``: of the person's configuration."""
    board, state = session.board, session.state
    engine = [Trouble("V8", session.trouble, "mend that and start the program again")] if session.trouble else []
    groups = (
        ("Nothing can be judged again", engine),
        ("Could not be read as recorded", _load_troubles(board, board.issues)),
        ("The spec", list(_spec_troubles(session))),
        ("Spec and record differ", [*_unlisted(session), *_differences(session)]),
        ("No evidence", list(_lacking(session))),
        ("The recorded verdict is not reproduced", list(_drift(board, state))),
        ("Your configuration", [Trouble("config.toml", fault, _CONFIG) for fault in faults]),
    )
    return [TroubleGroup(title, tuple(found)) for title, found in groups if found]


def _load_troubles(board: Board, issues: Sequence[LoadIssue]) -> list[Trouble]:
    by_place = (
        {(board.sources[entry.run].shown, entry.trial.place.line): entry.trial.key for entry in list(board)}
        if issues
        else {}
    )
    return [_load_trouble(issue, by_place.get((issue.file, issue.line or 0))) for issue in issues]


def _load_trouble(issue: LoadIssue, trial: int | None) -> Trouble:
    place = f"{issue.file}:{issue.line}" if issue.line else issue.file
    return Trouble(f"{place}  {issue.kind}", issue.message, _STEPS.get(issue.kind, ""), trial)


def _spec_troubles(session: Session) -> Iterable[Trouble]:
    """What is wrong with the spec itself."""
    if session.spec_fault is not None:
        yield Trouble("spec", session.spec_fault, "mend it and press R; until then edits cannot be saved to it")
    if session.spec is not None:
        for issue in session.spec.document.spec.issues:
            yield Trouble(f"{session.spec.shown}:{issue.line}", issue.message, _STEPS[IssueKind.SPEC])


def _differences(session: Session) -> Iterable[Trouble]:
    """In what the graders of the spec and of the records differ, once for each set of recorded graders."""
    if session.spec is None:
        return
    for trial, stimulus, difference in differing(session.board, session.spec.document.spec):
        line = stimulus.line if difference.spec_index is None else stimulus.graders[difference.spec_index].line
        place = f"{session.spec.shown}:{line}  {trial.stimulus}"
        yield Trouble(place, difference.sentence, _judged_by(session), trial.key)


def _unlisted(session: Session) -> Iterable[Trouble]:
    """The stimuli of trials that a given spec does not have."""
    if session.spec is None or not session.spec.given:
        return
    spec = session.spec.document.spec
    for stimulus, keys in list(session.board.trials_by_stimulus.items()):
        if keys and spec.stimulus(stimulus) is None:
            step = "" if stimulus is None else "add it to the spec to judge its trials by the spec"
            yield Trouble(session.spec.shown, not_in_spec(stimulus), step, keys[0])


def _judged_by(session: Session) -> str:
    if session.spec is not None and session.spec.given:
        return "the spec's graders are judged; leave out --eval-spec to judge the recorded ones"
    return "the recorded graders are judged; --eval-spec judges the spec's"


def _lacking(session: Session) -> Iterable[Trouble]:
    """Evidence that some grader had to do without, one entry for each piece of it."""
    board, edits = session.board, session.state.edits
    for key in list(board.entries):
        seen: set[str] = set()
        for slot in board.slots_of(key, edits):
            verdict = board.current(key, slot, edits).verdict
            if verdict.state is not State.NO_EVIDENCE:
                continue
            absent = _absent(session, key, board.asked(slot, edits))
            message = absent.message if absent is not None else verdict.evidence or "it was not recorded"
            if message not in seen:
                seen.add(message)
                step = _LACKING.get(absent.reason, "") if absent is not None else ""
                yield Trouble(trial_label(board, key), message, step or _ONLY_ANEW, key, slot)


def _absent(session: Session, key: int, asked: object) -> Absent | None:
    """Why the evidence is not there, where it was looked for."""
    if not isinstance(asked, Question):
        return None
    held = session.evidence.known(EvidenceKey(key, asked.subject, asked.turn))
    return held if isinstance(held, Absent) else None


def _drift(board: Board, state: TriageState) -> Iterable[Trouble]:
    """Verdicts that differ from the recorded ones although the config is the recorded one."""
    for key in list(board.entries):
        entry = board.entries[key]
        for slot in entry.slots:
            flip = board.flip(key, slot, state.edits, state.saved)
            if flip is None or not board.is_as_recorded(slot, state.edits, state.saved):
                continue
            config = board.config(slot, state.edits)
            before, now = ("pass" if passed else "fail" for passed in flip)
            what = " · ".join(names_of(config))
            yield Trouble(
                trial_label(board, key),
                f"{what}: recorded {before}, judged again {now}",
                "compare what was recorded (o) with the grader: evidence or config may have changed since the run",
                key,
                slot,
            )
