"""What a trial is in lists and tallies: one standing each, so that tallies add up to all trials. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from vally_tui.grading.model import State, Verdict
from vally_tui.runs.model import Trial, TrialStatus


class Standing(StrEnum):
    """What a trial is in the lists and tallies; each trial has exactly one."""

    FAILED = "failed"
    """Some grader says fail."""
    ERROR = "error"
    """The execution ended in an error, or a grader is invalid or was stopped."""
    NO_EVIDENCE = "no evidence"
    PENDING = "waiting"
    UNGRADED = "ungraded"
    SKIPPED = "skipped"
    PASSED = "passed"


def standing_of(trial: Trial, verdicts: Sequence[Verdict]) -> Standing:
    """The one standing of a trial, the worst thing known of it first."""
    if trial.status in (TrialStatus.SKIPPED, TrialStatus.CANCELLED):
        return Standing.SKIPPED
    if not trial.has_trajectory:
        return Standing.ERROR if trial.status is TrialStatus.ERROR else Standing.UNGRADED
    states = {verdict.state for verdict in verdicts}
    if any(verdict.passed is False and not verdict.broken for verdict in verdicts):
        return Standing.FAILED
    if trial.status is TrialStatus.ERROR or states & {State.INVALID, State.TIMEOUT, State.ERROR}:
        return Standing.ERROR
    if State.NO_EVIDENCE in states:
        return Standing.NO_EVIDENCE
    if State.PENDING in states:
        return Standing.PENDING
    if any(verdict.passed for verdict in verdicts):
        return Standing.PASSED
    return Standing.UNGRADED
