"""Judged trials as plain frozen values, and what they mean: failed, in error, flipped, passed. Judges nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from vally_tui.grading.model import GraderConfig, RecordedDetail, TrialGrade, Verdict
from vally_tui.runs.model import LoadIssue, RunSource, Trial, TrialStatus
from vally_tui.triage.options import Only
from vally_tui.triage.standing import Standing

if TYPE_CHECKING:
    from vally_tui.diffs.locate import MatchPlace


class JudgedGrader(Struct, frozen=True):
    """One grader on one trial."""

    config: GraderConfig
    recorded: RecordedDetail | None
    verdict: Verdict
    evidence: str | None
    """The sentence that says why; whole only where that was wanted."""
    flipped: bool
    """Whether the verdict differs from the recorded one, as ``differs`` says."""
    places: tuple[MatchPlace, ...] = ()
    """Where each of the verdict's spans begins; only where spans were wanted."""

    @property
    def name(self) -> str:
        """What the grader is called: as configured, else as Vally recorded it, else by its type."""
        recorded = self.recorded.name if self.recorded is not None else None
        return self.config.name or recorded or self.config.type

    @property
    def recorded_passed(self) -> bool | None:
        """What Vally concluded; None where nothing is recorded, or no verdict."""
        return recorded_passed(self.recorded)


class JudgedTrial(Struct, frozen=True):
    """A trial with its verdicts of now."""

    trial: Trial
    graders: tuple[JudgedGrader, ...]
    """In the order of the stimulus; empty without a trajectory, as then nothing can be said of them."""
    grade: TrialGrade | None
    """None without graders or without a trajectory."""
    standing: Standing
    """What the trial is in lists and tallies, each of which it is in once."""

    @property
    def failed(self) -> bool:
        """A grader says fail, judged now or recorded; lacking evidence is not failing."""
        return any(says_fail(grader.verdict) for grader in self.graders)

    @property
    def in_error(self) -> bool:
        """The execution ended in an error, or a grader could not be judged as it should be."""
        return self.trial.status is TrialStatus.ERROR or any(grader.verdict.broken for grader in self.graders)

    @property
    def flipped(self) -> bool:
        """Some grader's verdict differs from the recorded one."""
        return any(grader.flipped for grader in self.graders)

    @property
    def passed(self) -> bool:
        """The execution succeeded and every grader has passed; a trial of which nothing is known has not."""
        done = self.trial.status in (TrialStatus.SUCCESS, TrialStatus.UNKNOWN)
        return done and bool(self.graders) and all(grader.verdict.passed is True for grader in self.graders)

    def shown_for(self, only: Only | None) -> bool:
        """Whether a person who asked for some trials only wants this one."""
        match only:
            case Only.FAILED:
                return self.failed
            case Only.ERROR:
                return self.in_error
            case Only.FLIPPED:
                return self.flipped
        return True


class Step(Struct, frozen=True):
    """A part of a run: the next trials, and what was wrong in it."""

    source: RunSource
    trials: tuple[JudgedTrial, ...]
    """Those that are wanted, in the order of the file."""
    issues: tuple[LoadIssue, ...]
    unknown_records: int
    """Records of unknown type in it."""
    last: bool
    """Whether the run is read to its end."""
    torn: bool
    """Whether its last line is not finished yet."""


def says_fail(verdict: Verdict) -> bool:
    """Whether a verdict is a fail that was concluded, not one for want of something."""
    return verdict.passed is False and not verdict.broken


def recorded_passed(recorded: RecordedDetail | None) -> bool | None:
    """What Vally concluded of a grader; None where nothing is recorded, or no verdict."""
    return recorded.passed if recorded is not None and recorded.is_verdict else None


def differs(verdict: Verdict, recorded: RecordedDetail | None) -> bool:
    """Whether a verdict of now is another one than the recorded one; none is where nothing could be judged again."""
    if verdict.passed is None or not verdict.regraded or verdict.unanswered:
        return False
    before = recorded_passed(recorded)
    return before is not None and before is not verdict.passed
