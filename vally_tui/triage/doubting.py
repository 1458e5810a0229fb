"""Doubts about passes, looked for when everything is judged: a portion at a time, each pass once. Judges nothing itself.

What is found is kept by the question that a grader asked, as verdicts are: an edit asks only about the trials of its own
grader again, and what comes in late for an older question is never taken for a newer one's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import State
from vally_tui.grading.pattern import Matcher
from vally_tui.runs.model import RunSource, Trial
from vally_tui.triage.board import COLUMNS_KEPT, Board
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.explain.model import Doubt, Explained, Finding
from vally_tui.triage.explain.subject import subject_of, written_by

PORTION = 64
"""Trials that one job looks at, each with all its graders, so that a text is read once for them."""

LOOKED_AT = 200
"""Slots that are looked at for work at once, so that no key waits for it."""


class _Column(Struct):
    """How far the trials of a slot are looked at for one of its questions."""

    done: int = 0
    """So many of the slot's trials, from the first."""
    last: int | None = None
    """The last of them: where it stands elsewhere now, trials were read anew and all are looked at again."""
    findings: dict[int, Finding] = field(default_factory=dict)
    """Trial key -> the first doubt about its pass."""
    counts: Counter[Doubt] = field(default_factory=Counter)

    def next_in(self, trials: Sequence[int]) -> int | None:
        """The first trial that is not looked at; None where all are."""
        if self.done and (self.done > len(trials) or trials[self.done - 1] != self.last):
            self.done, self.findings, self.counts = 0, {}, Counter()
        return trials[self.done] if self.done < len(trials) else None

    def put(self, trial: int, finding: Finding) -> None:
        """Keep what was found of a trial."""
        before = self.findings.get(trial)
        if before is not None and before.doubt is not None:
            self.counts[before.doubt] -= 1
        if finding.doubt is not None:
            self.counts[finding.doubt] += 1
        self.findings[trial] = finding

    def pass_over(self, trial: int) -> None:
        """The next trial is looked at, or there is nothing to look at on it."""
        self.done, self.last = self.done + 1, trial


class Pass(Struct, frozen=True):
    """A pass that is to be looked at."""

    trial: int
    slot: int
    asked: Question
    subject: Explained


class Doubted(Struct, frozen=True):
    """What a job has found."""

    findings: tuple[tuple[Pass, Finding], ...]


DoubtJob = Callable[[Matcher, EvidenceSource, Callable[[], bool]], Doubted | None]


class Doubting:
    """Keeps the doubts that are known, and what is still to be looked at."""

    def __init__(self) -> None:
        self._columns: dict[int, dict[Question, _Column]] = {}
        self._doubted: dict[int, None] = {}
        """Slots of which some pass was doubted."""
        self._open: dict[int, None] = {}
        """Slots of which trials may still have to be looked at."""
        self._opened_for: tuple[Board | None, tuple[int, int | None], Edits] = (None, (0, None), NO_EDITS)
        self._counted: tuple[object, ...] = ()
        self._counts: Counter[Doubt] = Counter()
        self.version = 0
        """Grows when a doubt comes in, so that views know when they are old."""

    def of(self, board: Board, key: int, slot: int, edits: Edits) -> Finding | None:
        """The doubt about the pass of a slot on a trial; None where there is none, or none is known yet."""
        asked = board.asked(slot, edits)
        column = self._columns.get(slot, {}).get(asked) if isinstance(asked, Question) else None
        return column.findings.get(key) if column is not None else None

    def counts(self, board: Board, edits: Edits) -> Counter[Doubt]:
        """How many passes of the graders as they are now are doubted, by how much weight that takes."""
        wanted = (self.version, edits.configs, edits.removed, edits.added, len(board.entries))
        if wanted != self._counted:
            self._counted = wanted
            self._counts = Counter()
            for slot in self._doubted:
                asked = _asked(board, slot, edits)
                column = self._columns[slot].get(asked) if asked is not None else None
                if column is not None:
                    self._counts.update(column.counts)
        return self._counts

    def take(self, doubted: Doubted) -> None:
        """Keep what a job has found."""
        for own, finding in doubted.findings:
            column = self._columns.get(own.slot, {}).get(own.asked)
            if column is not None:
                column.put(own.trial, finding)
                self._doubted[own.slot] = None
        self.version += bool(doubted.findings)

    def next_job(self, board: Board, edits: Edits) -> DoubtJob | None:
        """The job that looks at the next passes; None where all are looked at, or are not judged yet."""
        self._open_slots(board, edits)
        closed = 0
        for slot in list(islice(self._open, LOOKED_AT)):
            del self._open[slot]
            asked = _asked(board, slot, edits)
            trials = board.trials_of(slot)
            column = None if asked is None else self._column(slot, asked)
            first = None if column is None else column.next_in(trials)
            if asked is None or column is None or first is None:
                closed += 1
                continue
            self._open[slot] = None
            if _is_settled(board, first, slot, asked):
                portion = trials[column.done : column.done + PORTION]
                return _job([each for key in portion for each in self._passes(board, key, edits)])
        # A job that looks at nothing comes back for the slots that are left.
        return _job(()) if closed and self._open else None

    def _open_slots(self, board: Board, edits: Edits) -> None:
        """Look again at the slots that a change of the board or of the edits may have brought something for."""
        before, trials, were = self._opened_for
        # Trials that are read anew have keys of their own.
        read = len(board.entries), next(reversed(board.entries), None)
        if before is not board or trials != read:
            self._open = dict.fromkeys(board.slots)
        elif were is not edits:
            added = (slot for each in (were, edits) for slots in each.added.values() for slot in slots)
            self._open |= dict.fromkeys((*were.configs, *edits.configs, *were.removed, *edits.removed, *added))
        self._opened_for = (board, read, edits)

    def _passes(self, board: Board, key: int, edits: Edits) -> Iterator[tuple[Pass, RunSource, Trial]]:
        """The passes of a trial of which it is the next to be looked at."""
        entry = board.entries[key]
        for slot in board.slots_of(key, edits):
            asked = board.asked(slot, edits)
            if not isinstance(asked, Question):
                continue
            column = self._column(slot, asked)
            if column.next_in(board.trials_of(slot)) != key or not _is_settled(board, key, slot, asked):
                continue
            column.pass_over(key)
            verdict = board.settled(key, slot, asked)
            if verdict is not None and verdict.state is State.PASS:
                subject = subject_of(entry.trial, board.config(slot, edits), single_turn=entry.single_turn)
                yield Pass(key, slot, asked, subject), board.sources[entry.run], entry.trial

    def _column(self, slot: int, asked: Question) -> _Column:
        columns = self._columns.setdefault(slot, {})
        column = columns.pop(asked, None) or _Column()
        # The newest last: those of patterns that were typed long ago are dropped.
        columns[asked] = column
        while len(columns) > COLUMNS_KEPT:
            del columns[next(iter(columns))]
        return column


def _asked(board: Board, slot: int, edits: Edits) -> Question | None:
    """What a slot asks; None where it is not judged, or not there now."""
    asked = board.asked(slot, edits)
    if not isinstance(asked, Question) or slot in edits.removed:
        return None
    made = board.slots[slot]
    is_there = made.position is not None or slot in edits.added.get(made.stimulus, ())
    return asked if is_there else None


def _is_settled(board: Board, key: int, slot: int, asked: Question) -> bool:
    """Whether there is a verdict, or never will be one."""
    if not board.entries[key].trial.has_trajectory:
        return True
    verdict = board.settled(key, slot, asked)
    return verdict is not None and verdict.state is not State.PENDING


def _job(passes: Sequence[tuple[Pass, RunSource, Trial]]) -> DoubtJob:
    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> Doubted | None:
        subjects = []
        written: dict[int, tuple[str, ...]] = {}
        for own, source, trial in passes:
            subject = own.subject
            # Only a restraint can have been kept by writing where no diff looks.
            if not own.asked.wants_match or own.asked.pattern is None:
                if own.trial not in written:
                    written[own.trial] = written_by(source, trial)
                subject = replace(subject, written=written[own.trial])
            subjects.append(subject)
            if cancelled():
                return None
        # Here, as nobody needs it before everything is judged.
        from vally_tui.triage.explain.doubts import doubts

        found = doubts(subjects, matcher, evidence, cancelled)
        if found is None:
            return None
        return Doubted(tuple((passes[index][0], finding) for index, finding in found.items()))

    return job
