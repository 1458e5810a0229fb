"""Asks the engine for an explanation: whole batches, a limit for each pattern, a budget for all. Owns no judgement."""

import time
from collections.abc import Callable, Hashable, Sequence

from msgspec import Struct

from vally_tui.grading.judge import EvidenceKey, EvidenceSource
from vally_tui.grading.pattern import TYPING_LIMIT, Answer, Matcher, Outcome, Pattern, Search

RESERVE = 0.35
"""Seconds more to confirm what was found by then."""


class Budget(Struct, frozen=True):
    """Seconds from the first question in which an explanation looks for what helps; what is left then is given up."""

    content: float
    """Once something helps."""
    most: float
    """While nothing does."""


SMALL = 200_000
"""Code points up to which a text is small."""
GENEROUS = Budget(3.0, 3.0)
"""For small texts: all is tried in a moment, but on a machine that has much else to do."""
LARGE = Budget(0.35, 1.2)
"""For larger ones: whoever asked waits for half a second at most where something can be offered."""


def budget_for(length: int) -> Budget:
    """The budget of an explanation on a text of so many code points."""
    return GENEROUS if length <= SMALL else LARGE


class Cancelled(Exception):
    """Whoever asked does not wait for the answer any more. Never leaves the package."""


class Sample(Struct, frozen=True):
    """A text of our own, to see what a pattern does with it."""

    text: str


class Probe:
    """One explanation's way to the engine."""

    def __init__(
        self,
        matcher: Matcher,
        evidence: EvidenceSource,
        cancelled: Callable[[], bool] = lambda: False,
        budget: Budget = GENEROUS,
    ) -> None:
        self._matcher = matcher
        self._evidence = evidence
        self._cancelled = cancelled
        self._budget = budget
        self._began: float | None = None
        self.exhausted = False
        """Whether something was given up for want of time."""
        self.content = False
        """Whether something helps already, so that it is not worth waiting long for more."""

    @property
    def evidence(self) -> EvidenceSource:
        """The recorded texts."""
        return self._evidence

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        """V8's message for each pattern that it refuses, else None."""
        return self._matcher.check(patterns)

    def ask(
        self,
        asked: Sequence[tuple[Pattern, Hashable]],
        *,
        spans: int = 0,
        count: bool = False,
        reserve: float = 0.0,
    ) -> list[Answer]:
        """The answer to each (pattern, key of its text), in their order; raises Cancelled.

        The keys are those of recorded texts, or samples. ``reserve``: seconds that may be taken beyond the budget.
        """
        self.breathe()
        left = self._left() + reserve
        if left <= 0:
            self.exhausted = True
            return [Answer(Outcome.PENDING)] * len(asked)
        searches = [Search(pattern, key, spans, count) for pattern, key in asked]
        answers: list[Answer | None] = [None] * len(searches)
        for index, answer in self._matcher.search(
            searches, self._load, limit=TYPING_LIMIT, budget=left, cancelled=self._cancelled
        ):
            answers[index] = answer
        self.breathe()
        whole = [answer or Answer(Outcome.PENDING) for answer in answers]
        self.exhausted |= any(answer.outcome in (Outcome.PENDING, Outcome.TIMEOUT) for answer in whole)
        return whole

    def found(self, patterns: Sequence[Pattern], key: Hashable) -> list[bool]:
        """Whether each pattern is found in one text."""
        return [answer.outcome is Outcome.FOUND for answer in self.ask([(pattern, key) for pattern in patterns])]

    def _left(self) -> float:
        now = time.monotonic()
        if self._began is None:
            self._began = now
        seconds = self._budget.content if self.content else self._budget.most
        return self._began + seconds - now

    def breathe(self) -> None:
        """Raise Cancelled if nobody waits any more."""
        if self._cancelled():
            raise Cancelled

    def _load(self, key: Hashable) -> str:
        if isinstance(key, Sample):
            return key.text
        assert isinstance(key, EvidenceKey)
        return self._evidence.text(key)
