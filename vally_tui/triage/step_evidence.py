"""The recorded texts of a few trials that are judged while they are read. Keeps what the reader has in hand anyway.

For one thread, and for as long as a step takes; the screen has a store of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, Evidence, Present
from vally_tui.runs.evidence import is_whole_diff, read_evidence
from vally_tui.runs.model import RunSource, Trial
from vally_tui.runs.said import read_said

KEPT = 16_000_000
"""Code points of the texts of a step that stay in memory; the others are read from the disk again."""

Whereabouts = tuple[Trial, bool]
"""A trial, and whether its stimulus has one prompt."""


class SeenDiffs:
    """Gathers the inline diffs of the trials that are being read, as far as there is room."""

    def __init__(self) -> None:
        self._diffs: dict[int, str] = {}
        self._kept = 0

    def add(self, trial: Trial, diff: str) -> None:
        """Take over a diff, if there is room."""
        if self._kept + len(diff) <= KEPT:
            self._diffs[trial.key] = diff
            self._kept += len(diff)

    def taken(self) -> dict[int, str]:
        """What was gathered since the last call, by the trial's key."""
        diffs, self._diffs, self._kept = self._diffs, {}, 0
        return diffs


class StepEvidence:
    """Answers ``holds`` and ``text`` for grading."""

    def __init__(
        self, source: RunSource, trials: Mapping[int, Whereabouts], diffs: Mapping[int, str], max_bytes: int
    ) -> None:
        """By key the trials that can be asked for, and their diffs in hand; ``max_bytes``: a larger sidecar is refused."""
        self._source = source
        self._trials = trials
        self._diffs = diffs
        self._max_bytes = max_bytes
        self._held: dict[EvidenceKey, Absent | int] = {}
        self._last: tuple[EvidenceKey, Evidence] | None = None

    def holds(self, key: EvidenceKey) -> Absent | int:
        """The length of a text in code points, or why there is none."""
        held = self._held.get(key)
        if held is None:
            evidence = self._read(key)
            held = self._held[key] = evidence if isinstance(evidence, Absent) else len(evidence.text)
        return held

    def text(self, key: EvidenceKey) -> str:
        """The text; empty where it is gone by now, which only a run that changes meanwhile can cause."""
        evidence = self._read(key)
        return evidence.text if isinstance(evidence, Present) else ""

    def _read(self, key: EvidenceKey) -> Evidence:
        diff = self._diffs.get(key.trial) if key.subject is Subject.DIFF else None
        if diff is not None and key.turn is None:
            return Present(diff)
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        trial, single_turn = self._trials[key.trial]
        if diff is not None and is_whole_diff(trial, key.turn, single_turn):
            return Present(diff)
        evidence = self._read_again(key, trial, single_turn)
        self._last = (key, evidence)
        return evidence

    def _read_again(self, key: EvidenceKey, trial: Trial, single_turn: bool) -> Evidence:
        if key.subject is not Subject.DIFF:
            return read_said(self._source, trial, key.subject)
        return read_evidence(self._source, trial, key.turn, single_turn_stimulus=single_turn, max_bytes=self._max_bytes)
