"""A run as plain frozen values: what is kept in memory of each trial, and what could not be read. Reads nothing.

Trajectories are not kept; ``Trial.place`` says where the record can be read again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from msgspec import Struct, field

from vally_tui.grading.model import GraderConfig, RecordedDetail


class IssueKind(StrEnum):
    """What kind of thing could not be read; ``LOST`` kinds mean that a record is missing from the trials."""

    MALFORMED_LINE = "malformed line"
    TORN_LINE = "torn line"
    TOO_LARGE_LINE = "line too large"
    UNREADABLE_FILE = "unreadable file"
    EMPTY_FILE = "empty file"
    NO_TRIALS = "no trials"
    UNKNOWN_RECORD = "unknown record type"
    MISTYPED_FIELD = "mistyped field"
    UNATTRIBUTED = "trial without a stimulus"
    TURN_DIFFS = "turn diffs"
    SIDECAR = "sidecar"
    GRADERS_DIFFER = "graders differ"
    SKIPPED_PATH = "skipped path"
    NO_DIFF = "no diff"
    """A diff that was asked for and is not there."""
    SPEC = "spec"
    """Something in the spec, not in the run."""
    GRADER_CONFIG = "grader config"
    """A part of a grader's config that was ignored."""
    SCORE = "score"
    """A recorded score that cannot be reproduced."""


LOST_KINDS = frozenset({IssueKind.MALFORMED_LINE, IssueKind.TOO_LARGE_LINE, IssueKind.UNREADABLE_FILE})


class LoadIssue(Struct, frozen=True):
    """Something in a run that could not be read as it should be."""

    kind: IssueKind
    file: str
    """The path as a person knows it (as given or relative to the current directory), untrusted text."""
    line: int | None
    """1-based line of the file; None where the whole file is meant."""
    message: str
    """One or two plain sentences: what is wrong, and what to do next."""


class TrialStatus(StrEnum):
    """How the execution of a trial ended, as recorded; it says nothing about its graders."""

    SUCCESS = "success"
    ERROR = "error"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class RecordPlace(Struct, frozen=True):
    """Where a record stands in its file."""

    offset: int
    """Bytes from the start of the file."""
    length: int
    """Bytes of the line without its newline."""
    line: int
    """1-based."""
    check: int = 0
    """CRC-32 of the line's bytes: tells whether the file still holds this record here."""


class DiffForm(StrEnum):
    """How a diff was recorded."""

    ABSENT = "absent"
    INLINE = "inline"
    SIDECAR = "sidecar"
    MALFORMED = "malformed"
    FAILED = "failed"


class DiffRecord(Struct, frozen=True):
    """How one diff (whole run or one turn) was recorded; its text is read from the record or the sidecar when needed."""

    form: DiffForm
    path: str | None = None
    """The recorded sidecar path, as written; untrusted. Also given for an inline diff that names a sidecar, too."""
    detail: str | None = None
    """For malformed and failed ones: what is wrong or what was recorded as the error."""
    length: int = 0
    """Code points of an inline text."""


NO_DIFF = DiffRecord(DiffForm.ABSENT)


class TurnDiffs(Struct, frozen=True):
    """What ``trajectory.turnDiffs`` holds."""

    recorded: bool = False
    """Whether the key is there at all (null is not)."""
    malformed: str | None = None
    """Why every turn is malformed, where it is."""
    by_turn: Mapping[int, DiffRecord] = field(default_factory=dict)
    """0-based turn -> its diff."""


NO_TURN_DIFFS = TurnDiffs()


class RecordedGrade(Struct, frozen=True):
    """``gradeResult`` of a trial."""

    passed: bool | None
    score: float | None
    evidence: str | None
    status: str | None
    details: tuple[RecordedDetail, ...]


class Trial(Struct, frozen=True):
    """One attempt at a stimulus, as far as it is kept in memory."""

    key: int
    """Unique over all runs that are open; given by the loader in the order of reading."""
    place: RecordPlace
    item_id: str | None
    stimulus: str | None
    variant: str | None
    model: str | None
    eval_name: str | None
    eval_file: str | None
    """``evalFilePath`` as recorded; often an absolute path of another machine."""
    trial_index: int | None
    """0-based ``trialIndex``, else the n of itemId, else None."""
    total_trials: int | None
    status: TrialStatus
    status_text: str
    """The recorded status word, also where it is unknown."""
    error: str | None
    """The text of ``error``, whether a string or an object was recorded."""
    skip_reason: str | None
    duration_ms: float | None
    grade: RecordedGrade | None
    """None: ungraded."""
    graders: tuple[GraderConfig, ...]
    """The graders of the recorded stimulus, shared between trials that have the same."""
    graders_known: bool
    """Whether the record holds the stimulus's graders; else ``graders`` is made from the recorded details."""
    has_trajectory: bool
    prompts: int
    """Prompts of the recorded stimulus: 1 for ``prompt``, the length of ``turns``; 0 where neither is recorded."""
    multi_turn: bool
    """Whether the recorded trajectory has a turn after the first: in its turn diffs, events or stimulus."""
    diff: DiffRecord = NO_DIFF
    turn_diffs: TurnDiffs = NO_TURN_DIFFS


class EvalSummary(Struct, frozen=True):
    """One entry of a run-summary's ``evals``."""

    name: str | None
    variant: str | None
    model: str | None
    passed: bool | None
    overall_score: float | None
    threshold: float | None
    error: str | None = None
    """Why the eval could not be run, where it could not."""


class RunSummary(Struct, frozen=True):
    """The last ``run-summary`` record of a results file."""

    passed: bool | None
    had_execution_errors: bool | None
    evals: tuple[EvalSummary, ...]


class RunSource(Struct, frozen=True):
    """A results file that was found, before it is read."""

    results: Path
    """The JSONL file (for standard input the temporary file that it was copied to)."""
    folder: Path
    """The folder in which sidecars are looked up: the run directory, or what ``--run-dir`` says."""
    name: str
    """What a person calls the run: the folder's name, with its variant or parents where several are open."""
    shown: str
    """The path of the results file as a person knows it; "standard input" for ``-``."""
    variant: str | None = None
    """The variant's folder inside an experiment, else None."""
    experiment: str | None = None
    """The experiment's folder, else None."""
    from_stdin: bool = False
    """Whether the records came on standard input; then the folder is that of ``--run-dir``, else a private empty one."""


class Run(Struct, frozen=True):
    """One results file, read as far as it goes."""

    source: RunSource
    trials: tuple[Trial, ...]
    issues: tuple[LoadIssue, ...]
    summary: RunSummary | None
    unknown_records: int
    """Records whose type is unknown; each is counted, none taken for a trial."""
    complete: bool
    """False while the file is read, and where its last line is torn."""
    end: int = 0
    """Bytes of the file that were read as whole records; reading may go on from here."""
    lines: int = 0
    """Newlines before ``end``."""
    mark: int = 0
    """A check sum of the file's head and of what stands before ``end``: tells whether the file only grew since."""
