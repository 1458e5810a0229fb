"""Doubts about passes, looked for when everything is judged: a portion at a time, each pass once. Judges nothing itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import State
from vally_tui.grading.pattern import Matcher
from vally_tui.runs.model import RunSource, Trial
from vally_tui.triage.board import Board
from vally_tui.triage.edits import Edits
from vally_tui.triage.explain.doubts import doubts
from vally_tui.triage.explain.model import Explained, Finding
from vally_tui.triage.explain.subject import subject_of, written_by

PORTION = 200
"""Passes that one job looks at."""

Pass = tuple[int, int, Question]
"""Trial, slot and what the slot asked when it passed."""


@dataclass(frozen=True, slots=True)
class Doubted:
    """What a job has found of its passes; None where nothing takes weight from one."""

    findings: dict[Pass, Finding | None]


DoubtJob = Callable[[Matcher, EvidenceSource, Callable[[], bool]], Doubted | None]


class Doubting:
    """Keeps the doubts that are known, and what is still to be looked at."""

    def __init__(self) -> None:
        self._known: dict[Pass, Finding | None] = {}
        self._waiting: deque[int] = deque()
        self._looked_for: tuple[object, ...] = ()

    def of(self, board: Board, key: int, slot: int, edits: Edits) -> Finding | None:
        """The doubt about the pass of a slot on a trial; None where there is none, or none is known yet."""
        asked = board.asked(slot, edits)
        return self._known.get((key, slot, asked)) if isinstance(asked, Question) else None

    def count(self) -> int:
        """All passes with a doubt that were ever found."""
        return sum(1 for finding in self._known.values() if finding is not None)

    def take(self, doubted: Doubted) -> None:
        """Keep what a job has found."""
        self._known |= doubted.findings

    def next_job(
        self, board: Board, edits: Edits
    ) -> Callable[[Matcher, EvidenceSource, Callable[[], bool]], Doubted | None] | None:
        """The job that looks at the next passes; None where all are looked at."""
        looked_for = (len(board.entries), edits)
        if looked_for != self._looked_for:
            self._looked_for = looked_for
            self._waiting = deque(board.entries)
        passes: list[tuple[Pass, Explained, RunSource, Trial]] = []
        while self._waiting and len(passes) < PORTION:
            key = self._waiting.popleft()
            if key in board.entries:
                passes += self._passes(board, key, edits)
        return _job(passes) if passes else None

    def _passes(self, board: Board, key: int, edits: Edits) -> list[tuple[Pass, Explained, RunSource, Trial]]:
        entry = board.entries[key]
        found = []
        for slot in board.slots_of(key, edits):
            asked = board.asked(slot, edits)
            if not isinstance(asked, Question) or (key, slot, asked) in self._known:
                continue
            verdict = board.settled(key, slot, asked)
            if verdict is not None and verdict.state is State.PASS:
                subject = subject_of(entry.trial, board.config(slot, edits), single_turn=entry.single_turn)
                found.append(((key, slot, asked), subject, board.sources[entry.run], entry.trial))
        return found


def _job(
    passes: Sequence[tuple[Pass, Explained, RunSource, Trial]],
) -> DoubtJob:
    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> Doubted | None:
        subjects = []
        written: dict[int, tuple[str, ...]] = {}
        for (key, _, asked), subject, source, trial in passes:
            # Only a restraint can have been kept by writing where no diff looks.
            if not asked.wants_match or asked.pattern is None:
                if key not in written:
                    written[key] = written_by(source, trial)
                subject = replace(subject, written=written[key])
            subjects.append(subject)
            if cancelled():
                return None
        found = doubts(subjects, matcher, evidence, cancelled)
        return None if found is None else Doubted({one[0]: found.get(index) for index, one in enumerate(passes)})

    return job
