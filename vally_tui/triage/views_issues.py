"""What is wrong with what was read, and what to do: load issues, evidence that lacks, verdicts that are not reproduced.

Each entry has a place and a next step. Nothing is read here; what is not known yet is not told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, State
from vally_tui.runs.model import IssueKind, LoadIssue
from vally_tui.triage.board import Board
from vally_tui.triage.labels import trial_label
from vally_tui.triage.session import Session
from vally_tui.triage.state import TriageState
from vally_tui.triage.views import pattern_of

_LACKING = "run the stimulus again if it was not recorded; if files were left behind, copy the whole run and press R"
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
    IssueKind.SPEC: "mend the spec at that line",
    IssueKind.GRADER_CONFIG: "mend the config in the spec, or with E",
    IssueKind.SCORE: "compare the recorded scores (o) with the spec's weights",
}


@dataclass(frozen=True, slots=True)
class Trouble:
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


@dataclass(frozen=True, slots=True)
class TroubleGroup:
    """Things of one kind."""

    title: str
    troubles: tuple[Trouble, ...]


def troubles(session: Session, faults: Sequence[str] = (), differences: Sequence[LoadIssue] = ()) -> list[TroubleGroup]:
    """Everything, most important first, without empty groups.

    ``faults``: of the person's configuration; ``differences``: between the spec's and the recorded graders.
    """
    board, state = session.board, session.state
    engine = [Trouble("V8", session.trouble, "mend that and start the program again")] if session.trouble else []
    groups = (
        ("Nothing can be judged again", engine),
        ("Could not be read as recorded", _load_troubles(board, board.issues)),
        ("Spec and record differ", _load_troubles(board, differences)),
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


def _lacking(session: Session) -> Iterable[Trouble]:
    """Evidence that some grader had to do without, one entry for each piece of it."""
    board, edits = session.board, session.state.edits
    for key in list(board.entries):
        seen: set[str] = set()
        for slot in board.slots_of(key, edits):
            verdict = board.current(key, slot, edits).verdict
            if verdict.state is not State.NO_EVIDENCE:
                continue
            message = _why(session, key, board.asked(slot, edits)) or verdict.evidence or "it was not recorded"
            if message not in seen:
                seen.add(message)
                yield Trouble(trial_label(board, key), message, _LACKING, key, slot)


def _why(session: Session, key: int, asked: object) -> str | None:
    """The sentence with the next step, where the evidence was looked for."""
    if not isinstance(asked, Question):
        return None
    held = session.evidence.known(EvidenceKey(key, asked.subject, asked.turn))
    return held.message if isinstance(held, Absent) else None


def _drift(board: Board, state: TriageState) -> Iterable[Trouble]:
    """Verdicts that differ from the recorded ones although the config is the recorded one."""
    for key in list(board.entries):
        entry = board.entries[key]
        for slot in entry.slots:
            flip = board.flip(key, slot, state.edits, state.saved)
            if flip is None or board.config(slot, state.edits) != board.slots[slot].base:
                continue
            config = board.config(slot, state.edits)
            before, now = ("pass" if passed else "fail" for passed in flip)
            what = " ".join(part for part in (config.type, pattern_of(config)) if part)
            yield Trouble(
                trial_label(board, key),
                f"{what}: recorded {before}, judged again {now}",
                "compare what was recorded (o) with the grader: evidence or config may have changed since the run",
                key,
                slot,
            )
