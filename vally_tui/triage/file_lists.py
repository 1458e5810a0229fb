"""The files of each trial's diffs, for a report: the whole run's and each turn's. Reads texts, judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import FileDiff
from vally_tui.grading.model import Absent, Evidence
from vally_tui.runs.evidence import read_evidences
from vally_tui.runs.load import load_run
from vally_tui.runs.model import IssueKind, LoadIssue, RunSource, Trial


class FileList(Struct, frozen=True):
    """The files of one diff."""

    turn: int | None
    """0-based; None: the diff of the whole run."""
    files: tuple[FileDiff, ...]
    absent: Absent | None = None
    """Why there is no diff, where there is none."""
    notice: str | None = None
    """Why a text that is there shows no file."""


class TrialFiles(Struct, frozen=True):
    """The diffs of one trial: the whole run's first, then those of the turns that are recorded."""

    trial: Trial
    lists: tuple[FileList, ...]


class FilesStep(Struct, frozen=True):
    """A part of a run: the next trials, and what was wrong in it."""

    source: RunSource
    trials: tuple[TrialFiles, ...]
    """Those that are wanted, in the order of the file."""
    issues: tuple[LoadIssue, ...]
    unknown_records: int
    last: bool
    torn: bool


def file_steps(sources: Iterable[RunSource], wanted: Callable[[Trial], bool], max_bytes: int) -> Iterator[FilesStep]:
    """Read runs one after the other; ``max_bytes``: a larger sidecar is refused."""
    for source in sources:
        for step in load_run(source):
            trials = files_of(source, [trial for trial in step.trials if wanted(trial)], max_bytes)
            yield FilesStep(source, trials, step.issues, step.unknown_records, step.last, step.torn)


def files_of(source: RunSource, trials: Sequence[Trial], max_bytes: int) -> tuple[TrialFiles, ...]:
    """The files of some trials of a run."""
    turns = [(None, *trial.turn_diffs.by_turn) for trial in trials]
    asked = [(trial, turn, False) for trial, own in zip(trials, turns, strict=True) for turn in own]
    texts = read_evidences(source, asked, max_bytes)
    return tuple(
        TrialFiles(trial, tuple(_file_list(turn, next(texts)) for turn in own))
        for trial, own in zip(trials, turns, strict=True)
    )


def _file_list(turn: int | None, evidence: Evidence) -> FileList:
    if isinstance(evidence, Absent):
        return FileList(turn, (), evidence)
    index = DiffIndex.build(evidence.text)
    notice = index.notice
    if evidence.text and not index.files and notice is None:
        notice = "The diff is not empty, but it names no file."
    return FileList(turn, tuple(index.files), None, notice)


def absences(step: FilesStep) -> Iterator[LoadIssue]:
    """The diffs that are not there, as issues."""
    for own in step.trials:
        for diff in own.lists:
            if diff.absent is not None:
                place = own.trial.place.line
                yield LoadIssue(IssueKind.NO_DIFF, step.source.shown, place, diff.absent.message)
