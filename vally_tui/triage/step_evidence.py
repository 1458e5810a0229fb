"""The recorded texts of a few trials that are judged while they are read. Keeps what the reader has in hand anyway.

For one thread, and for as long as a step takes; the screen has a store of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vally_tui.grading.graders import Question, Subject, ask
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent, Evidence, GraderConfig, Present
from vally_tui.runs.evidence import is_whole_diff, read_evidence
from vally_tui.runs.model import RunSource, Trial
from vally_tui.runs.said import read_said, said_in

KEPT = 16_000_000
"""Code points of the texts of a step that stay in memory; the others are read from the disk again."""

Whereabouts = tuple[Trial, bool]
"""A trial, and whether its stimulus has one prompt."""


class SeenTexts:
    """Gathers the texts of the trials that are being read, as far as there is room: inline diffs, and what was said
    where a grader looks at it."""

    def __init__(self, subjects: frozenset[Subject]) -> None:
        """``subjects``: what graders that are not the recorded ones look at."""
        self._subjects = subjects
        self._texts: dict[EvidenceKey, Evidence] = {}
        self._kept = 0
        self._looked_at: dict[int, tuple[tuple[GraderConfig, ...], frozenset[Subject]]] = {}

    def add(self, trial: Trial, line: bytes, diff: str | None) -> None:
        """Take over a trial's texts, if there is room."""
        if diff is not None:
            self._take(EvidenceKey(trial.key, Subject.DIFF, None), Present(diff))
        if trial.has_trajectory:
            for subject, said in said_in(line, self._said_subjects(trial)).items():
                self._take(EvidenceKey(trial.key, subject, None), said)

    def _take(self, key: EvidenceKey, evidence: Evidence) -> None:
        length = len(evidence.text) if isinstance(evidence, Present) else 0
        if self._kept + length <= KEPT:
            self._texts[key] = evidence
            self._kept += length

    def _said_subjects(self, trial: Trial) -> frozenset[Subject]:
        # The loader shares equal tuples between trials; the tuple is kept, so that its identity stays its own.
        known = self._looked_at.get(id(trial.graders))
        if known is None:
            subjects = self._subjects | looked_at(trial.graders)
            known = self._looked_at[id(trial.graders)] = (trial.graders, subjects - {Subject.DIFF})
        return known[1]

    def taken(self) -> dict[EvidenceKey, Evidence]:
        """What was gathered since the last call."""
        texts, self._texts, self._kept = self._texts, {}, 0
        return texts


def looked_at(graders: Iterable[GraderConfig]) -> frozenset[Subject]:
    """The texts that these graders look at."""
    asked = (ask(grader) for grader in graders)
    return frozenset(question.subject for question in asked if isinstance(question, Question))


class StepEvidence:
    """Answers ``holds`` and ``text`` for grading."""

    def __init__(
        self,
        source: RunSource,
        trials: Mapping[int, Whereabouts],
        seen: Mapping[EvidenceKey, Evidence],
        max_bytes: int,
    ) -> None:
        """By key the trials that can be asked for, and their texts in hand; ``max_bytes``: a larger sidecar is refused."""
        self._source = source
        self._trials = trials
        self._seen = seen
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
        seen = self._seen.get(key)
        if seen is not None:
            return seen
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        trial, single_turn = self._trials[key.trial]
        whole = self._seen.get(EvidenceKey(key.trial, Subject.DIFF, None))
        if whole is not None and key.subject is Subject.DIFF and is_whole_diff(trial, key.turn, single_turn):
            return whole
        evidence = self._read_again(key, trial, single_turn)
        self._last = (key, evidence)
        return evidence

    def _read_again(self, key: EvidenceKey, trial: Trial, single_turn: bool) -> Evidence:
        if key.subject is not Subject.DIFF:
            return read_said(self._source, trial, key.subject)
        return read_evidence(self._source, trial, key.turn, single_turn_stimulus=single_turn, max_bytes=self._max_bytes)
