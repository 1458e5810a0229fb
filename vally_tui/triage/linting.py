"""Lint findings for the graders of the trial in view, looked for once for each set of configs. Judges nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import Matcher
from vally_tui.triage.board import Board
from vally_tui.triage.edits import Edits
from vally_tui.triage.explain.lens import TRIALS
from vally_tui.triage.lint import Check, Linted, LintFinding, Severity, lint

KEPT = 12
"""Sets of graders whose findings stay in memory."""
SHORT = {
    Check.NEVER_MATCHES: "never matches",
    Check.ALWAYS_MATCHES: "always matches",
    Check.ANCHORS: "no (?m)",
    Check.PATH_DOT: "bare dot",
    Check.DOT_LINES: "no (?s)",
    Check.SLOW: "slow",
    Check.DUPLICATE: "duplicate",
    Check.NODE_LEVEL: "Node 23",
}
"""The checks in a word or two, for lists; an invalid config is told in other ways."""


class Graders(Struct, frozen=True):
    """The graders of a trial, and how much is known of each."""

    slots: tuple[int, ...]
    configs: tuple[GraderConfig, ...]
    verdicts: tuple[int, ...]
    """How many trials each is judged on."""


class LintDone(Struct, frozen=True):
    """What a job has found."""

    graders: Graders
    findings: tuple[LintFinding, ...]
    """``grader`` is the place among the graders."""


LintJob = Callable[[Matcher, EvidenceSource, Callable[[], bool]], LintDone | None]


class Linting:
    """Keeps what is known."""

    def __init__(self) -> None:
        self._known: list[LintDone] = []
        """The newest last."""

    def take(self, done: LintDone) -> None:
        """Keep what a job has found."""
        self._known = [*self._known, done][-KEPT:]

    def findings(self, board: Board, key: int, edits: Edits) -> tuple[LintFinding, ...] | None:
        """All findings for the graders of a trial, as they are now; None while they are not known."""
        graders = graders_of(board, key, edits)
        return next((done.findings for done in reversed(self._known) if done.graders == graders), None)

    def marks(self, board: Board, key: int, edits: Edits) -> Mapping[int, LintFinding]:
        """Slot -> the finding to be marked in the list of graders: the first one that is more than a note."""
        slots = board.slots_of(key, edits)
        marked: dict[int, LintFinding] = {}
        for finding in self.findings(board, key, edits) or ():
            if _is_marked(finding):
                marked.setdefault(slots[finding.grader], finding)
        return marked

    def job(self, board: Board, key: int, edits: Edits) -> LintJob | None:
        """The job that looks at the graders of a trial; None where they are known."""
        if self.findings(board, key, edits) is not None:
            return None
        graders = graders_of(board, key, edits)
        linted = [_linted(board, slot, place, edits) for place, slot in enumerate(graders.slots)]

        def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> LintDone | None:
            found = lint(linted, matcher, evidence, cancelled)
            return None if found is None else LintDone(graders, found)

        return job


def graders_of(board: Board, key: int, edits: Edits) -> Graders:
    """The graders of a trial as they are now."""
    slots = board.slots_of(key, edits)
    asked = [board.asked(slot, edits) for slot in slots]
    known = [0 if own is None else len(board.known(slot, own)) for slot, own in zip(slots, asked, strict=True)]
    return Graders(slots, tuple(board.config(slot, edits) for slot in slots), tuple(known))


def _linted(board: Board, slot: int, place: int, edits: Edits) -> Linted:
    asked = board.asked(slot, edits)
    verdicts = () if asked is None else tuple(board.known(slot, asked))
    trials = tuple(board.trials_of(slot)[:TRIALS])
    return Linted(board.slots[slot].stimulus, place, board.config(slot, edits), trials, verdicts=verdicts)


def _is_marked(finding: LintFinding) -> bool:
    """Whether a finding is marked in lists; that nothing is found is red there already."""
    if finding.check not in SHORT or finding.severity is Severity.NOTE:
        return False
    return finding.check is not Check.NEVER_MATCHES or finding.severity is Severity.ERROR
