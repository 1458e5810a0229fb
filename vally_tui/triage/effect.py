"""What an edit does to all trials of its grader, counted as the verdicts come in and not anew for each drawing."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct, field

from vally_tui.grading.graders import Faults, Question
from vally_tui.grading.model import State, Verdict
from vally_tui.triage.edits import Edits

Asked = Question | Faults


class Flips(Struct, frozen=True):
    """What an edit does to the trials that its grader applies to."""

    now_pass: tuple[int, ...]
    now_fail: tuple[int, ...]
    same: int
    no_evidence: int
    waiting: int
    unrecorded: int
    """Trials without anything to compare with."""

    @property
    def total(self) -> int:
        """All trials that the grader applies to."""
        return len(self.now_pass) + len(self.now_fail) + self.same + self.no_evidence + self.waiting + self.unrecorded


class Effect(Struct):
    """The running count of one grader's current question against one baseline."""

    asked: Asked | None
    """The question whose verdicts are counted."""
    edits: Edits
    saved: Edits
    baseline: Callable[[int], bool | None]
    """Trial -> what it was before; None where nothing is there to compare with."""
    now_pass: list[int] = field(default_factory=list)
    now_fail: list[int] = field(default_factory=list)
    same: int = 0
    lacking: int = 0
    unrecorded: int = 0
    held: bool = False
    """Whether some verdict was not counted, as the one of before is shown in its place."""

    @property
    def counted(self) -> int:
        """The trials whose verdict is in."""
        return len(self.now_pass) + len(self.now_fail) + self.same + self.lacking + self.unrecorded

    def take(self, key: int, verdict: Verdict) -> None:
        """Count a trial's verdict, which is not to change any more."""
        if verdict.state is State.PENDING:
            return
        if verdict.broken:
            self.lacking += 1
            return
        before = self.baseline(key) if verdict.passed is not None else None
        if before is None:
            self.unrecorded += 1
        elif before == verdict.passed:
            self.same += 1
        else:
            (self.now_pass if verdict.passed else self.now_fail).append(key)

    def flips(self, total: int) -> Flips:
        """The counts, with what is not counted of ``total`` trials as waiting."""
        now_pass, now_fail = tuple(self.now_pass), tuple(self.now_fail)
        return Flips(now_pass, now_fail, self.same, self.lacking, total - self.counted, self.unrecorded)
