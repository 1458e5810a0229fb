"""The values that grading takes and gives: evidence, grader configs, verdicts. Owns no rule; those are in graders.py."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from enum import Enum, StrEnum

from msgspec import Struct, field


class Spans:
    """Half-open places in a text, in Unicode code points, in order and without overlap. Never changed once made."""

    __slots__ = ("ends", "starts")

    def __init__(self, starts: array[int], ends: array[int]) -> None:
        self.starts = starts
        """Where each match begins (``array('I')``)."""
        self.ends = ends
        """Where each match ends; equal to its start for a match of nothing."""

    @classmethod
    def of(cls, *pairs: tuple[int, int]) -> Spans:
        """Spans from pairs, for tests and small cases."""
        return cls(array("I", (start for start, _ in pairs)), array("I", (end for _, end in pairs)))

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __getitem__(self, index: int) -> tuple[int, int]:
        return self.starts[index], self.ends[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spans) and self.starts == other.starts and self.ends == other.ends

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.ends.tobytes()))

    def __repr__(self) -> str:
        return f"Spans.of({', '.join(map(repr, self))})"

    def __contains__(self, span: object) -> bool:
        """Whether a place, as a pair, is one of these."""
        if not isinstance(span, tuple) or len(span) != 2:
            return False
        index = bisect_left(self.starts, span[0])
        return index < len(self.starts) and self[index] == span

    def before(self, offset: int) -> int:
        """How many spans begin at or before ``offset``."""
        return bisect_right(self.starts, offset)


NO_SPANS = Spans(array("I"), array("I"))


class Absence(StrEnum):
    """Why a grader has no text to look at."""

    NEVER_RECORDED = "never recorded"
    SIDECAR_GONE = "sidecar gone"
    SIDECAR_OUTSIDE = "sidecar outside the run directory"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"
    CAPTURE_FAILED = "capture failed"
    MALFORMED = "malformed"
    TURN_MISSING = "turn missing"
    TURN_MALFORMED = "turn malformed"
    NO_TRAJECTORY = "no trajectory"


class Present(Struct, frozen=True):
    """Evidence that is there; an empty text is a real, empty diff or output."""

    text: str
    """The exact recorded text, decoded as Node decodes it; never normalised."""
    parts: tuple[int, ...] = ()
    """Where each part begins, in code points, of a text that is made of several: the messages of a transcript."""


class Absent(Struct, frozen=True):
    """Evidence that is not there."""

    reason: Absence
    message: str
    """A sentence: which case this is, why it happens, what to do next."""


Evidence = Present | Absent


class Unset(Enum):
    """The type of UNSET: a key that the recorded object does not have (null is None)."""

    UNSET = "unset"


UNSET = Unset.UNSET


class GraderConfig(Struct, frozen=True):
    """A configured check, as the record or the spec has it: values are untouched, also where their type is wrong."""

    type: str
    name: str | None = None
    """The written name; None where there is none."""
    config: object = UNSET
    """A mapping for a well-formed grader; UNSET when absent, None for null."""
    turn: object = UNSET
    """As written; UNSET when absent. A turn is a number with an integer value from 0."""
    scope: object = UNSET
    """As written; UNSET when absent."""

    @property
    def label(self) -> str:
        """What a person calls the grader: its name, else its type."""
        return self.name or self.type


class State(StrEnum):
    """What is known of a grader on a trial."""

    PASS = "pass"
    FAIL = "fail"
    NO_EVIDENCE = "no-evidence"
    INVALID = "invalid-config"
    TIMEOUT = "timeout"
    ERROR = "error"
    RECORDED = "recorded"
    """Not judged again; the recorded verdict stands."""
    UNRECORDED = "unrecorded"
    """Not judged again, and nothing was recorded."""
    PENDING = "pending"
    """Not judged yet; never shown as pass or fail."""


class RecordedDetail(Struct, frozen=True):
    """One entry of the recorded ``gradeResult.details``: what Vally said of a grader."""

    name: str | None
    configured_name: str | None
    grader_type: str | None
    passed: bool | None
    score: float | None
    status: str | None
    """"success", "error" or something unknown, as recorded."""
    label: str | None = None
    evidence: str | None = None
    """Vally's sentence; may have newlines."""
    evidence_whole: bool = True
    """False where a loaded run keeps only the beginning of a long sentence; the record has the rest."""

    @property
    def is_verdict(self) -> bool:
        """Whether this says pass or fail; a detail with status "error" does not."""
        return self.status != "error" and self.passed is not None


class Verdict(Struct, frozen=True):
    """What a grader concludes of a trial now."""

    state: State
    passed: bool | None
    """None while pending, and for unrecorded graders."""
    score: float | None
    evidence: str | None
    """The sentence that says why, in Vally's words where they are known."""
    match_count: int | None = 0
    """All matches in the evidence; None when they were not counted or counting ran over."""
    spans: Spans = NO_SPANS
    notices: tuple[str, ...] = ()
    """Faults of the config that do not change the verdict, such as unknown keys."""

    @property
    def regraded(self) -> bool:
        """Whether this was concluded now, not taken from the record."""
        return self.state not in (State.RECORDED, State.UNRECORDED, State.PENDING)

    @property
    def broken(self) -> bool:
        """Whether this is a verdict for which evidence, config or engine was lacking."""
        return self.state in (State.NO_EVIDENCE, State.INVALID, State.TIMEOUT, State.ERROR)

    @property
    def unanswered(self) -> bool:
        """Whether the grader was not judged for want of evidence or engine: that is no news about the grader."""
        return self.broken and self.state is not State.INVALID


PENDING = Verdict(State.PENDING, None, None, None, None)


class TrialGrade(Struct, frozen=True):
    """The result of a whole trial."""

    passed: bool | None
    """Every counted grader passed; None where nothing is known or something is pending."""
    score: float | None
    passed_count: int
    counted: int
    """Graders with a verdict; unrecorded and pending ones are not counted."""
    formula: str = "mean"
    """"mean" or "weighted": the one that reproduces the recorded score."""
    notice: str | None = None

    @property
    def evidence(self) -> str:
        """Vally's sentence for a trial."""
        return f"{self.passed_count}/{self.counted} graders passed"


class Weights(Struct, frozen=True):
    """``scoring.weights`` of a spec: by grader name before type."""

    values: dict[str, float] = field(default_factory=dict)

    def of(self, name: str | None, grader_type: str) -> float:
        """The weight of a grader; 1 where none is given."""
        if name is not None and name in self.values:
            return self.values[name]
        return self.values.get(grader_type, 1.0)


NO_WEIGHTS = Weights()
