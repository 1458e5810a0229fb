"""The recorded texts of all open runs, read when they are needed. Owns the cache; reading is the runs room's."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Event, Lock

from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.runs.evidence import DEFAULT_MAX_BYTES, read_evidence
from vally_tui.runs.model import RunSource, Trial
from vally_tui.runs.said import read_said

KEPT = 16_000_000
"""Code points of text that stay in memory."""
LARGE = 64_000_000
"""Code points of a text that stays in memory alone, beside the others, until the next one that is larger than KEPT."""

Whereabouts = tuple[RunSource, Trial, bool]
"""A trial, the run it is of, and whether its stimulus has one prompt."""


class _Reading:
    """A text that a thread is reading; others that want it wait, as reading a large one twice at once takes longer."""

    def __init__(self) -> None:
        self.done = Event()
        self.evidence: Evidence | None = None


class EvidenceStore:
    """Answers ``holds`` and ``text`` for grading; may be asked from any thread."""

    def __init__(self, find: Callable[[int], Whereabouts | None], max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        """``find`` gives the whereabouts of a trial's key; ``max_bytes``: a larger sidecar is refused."""
        self._find = find
        self._max_bytes = max_bytes
        self._lengths: dict[EvidenceKey, Absent | int] = {}
        self._texts: OrderedDict[EvidenceKey, Present] = OrderedDict()
        self._kept = 0
        self._large: tuple[EvidenceKey, Present] | None = None
        """The text that was read last of those that are too large to be kept with others: it takes long to read again."""
        self._lock = Lock()
        self._readings: dict[EvidenceKey, _Reading] = {}

    def holds(self, key: EvidenceKey) -> Absent | int:
        """The length of a text in code points, or why there is none."""
        held = self._lengths.get(key)
        if held is not None:
            return held
        evidence = self.read(key)
        return evidence if isinstance(evidence, Absent) else len(evidence.text)

    def known(self, key: EvidenceKey) -> Absent | int | None:
        """What ``holds`` would say, where that is known without reading."""
        return self._lengths.get(key)

    def text(self, key: EvidenceKey) -> str:
        """The text; empty where it is gone by now, which only a run that changes meanwhile can cause."""
        evidence = self.read(key)
        return evidence.text if isinstance(evidence, Present) else ""

    def read(self, key: EvidenceKey) -> Evidence:
        """The evidence itself, from the cache or the disk."""
        with self._lock:
            kept = self._texts.get(key)
            if kept is not None:
                self._texts.move_to_end(key)
                return kept
            if self._large is not None and self._large[0] == key:
                return self._large[1]
            held = self._lengths.get(key)
            if isinstance(held, Absent):
                return held
            other = self._readings.get(key)
            own = _Reading()
            if other is None:
                self._readings[key] = own
        if other is not None:
            other.done.wait()
            if other.evidence is not None:
                return other.evidence
        try:
            own.evidence = self._read(key)
        finally:
            if other is None:
                del self._readings[key]
            own.done.set()
        self._keep(key, own.evidence)
        return own.evidence

    def forget(self, trials: set[int] | None = None) -> None:
        """Drop what is known of these trials, or of all: the run has changed on disk."""
        with self._lock:
            for key in [key for key in self._lengths if trials is None or key.trial in trials]:
                del self._lengths[key]
                dropped = self._texts.pop(key, None)
                self._kept -= len(dropped.text) if dropped is not None else 0
            if self._large is not None and self._large[0] not in self._lengths:
                self._large = None

    def _read(self, key: EvidenceKey) -> Evidence:
        where = self._find(key.trial)
        if where is None:
            return Absent(Absence.UNREADABLE, "this trial is no longer part of the open runs: read them again")
        source, trial, single_turn = where
        if key.subject is not Subject.DIFF:
            return read_said(source, trial, key.subject)
        return read_evidence(source, trial, key.turn, single_turn_stimulus=single_turn, max_bytes=self._max_bytes)

    def _keep(self, key: EvidenceKey, evidence: Evidence) -> None:
        with self._lock:
            if isinstance(evidence, Absent):
                self._lengths[key] = evidence
                return
            self._lengths[key] = len(evidence.text)
            if len(evidence.text) > KEPT:
                self._large = (key, evidence) if len(evidence.text) <= LARGE else None
                return
            if key in self._texts:
                return
            self._texts[key] = evidence
            self._kept += len(evidence.text)
            while self._kept > KEPT:
                _, dropped = self._texts.popitem(last=False)
                self._kept -= len(dropped.text)
