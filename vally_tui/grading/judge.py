"""Many graders on many trials: which searches that takes, and their answers as verdicts. Pure but for what it is handed."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from vally_tui.grading.graders import (
    Faults,
    Question,
    Subject,
    about_emptiness,
    about_match,
    invalid,
    lacking,
    refused,
)
from vally_tui.grading.model import Absent, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, Pattern, Search, TimeLimit

BATCH = 8_000_000
"""Code points of evidence that are looked at together, so that no text is loaded twice for want of room."""


class EvidenceKey(Struct, frozen=True, gc=False):
    """Names one recorded text."""

    trial: int
    subject: Subject
    turn: int | None
    """0-based; None: the whole run."""


class EvidenceSource(Protocol):
    """Whoever can read the recorded texts."""

    def holds(self, key: EvidenceKey) -> Absent | int:
        """The length of the text in code points, or why there is none."""
        ...

    def text(self, key: EvidenceKey) -> str:
        """The text; only asked for keys of which ``holds`` gave a length."""
        ...


class Case(NamedTuple):
    """One grader to be judged on one trial."""

    trial: int
    """The trial's key."""
    question: Question | Faults
    spans: int = 0
    """How many matches to return at most."""
    count: bool = False  # type: ignore[assignment]  # hides the count of tuples, which nobody asks for
    """Whether all matches are counted."""

    @property
    def evidence(self) -> EvidenceKey:
        """The text that a question looks at; not to be asked of faults."""
        assert isinstance(self.question, Question)
        return EvidenceKey(self.trial, self.question.subject, self.question.turn)


def judge(
    cases: Sequence[Case],
    evidence: EvidenceSource,
    matcher: Matcher,
    *,
    limit: TimeLimit = FULL_LIMIT,
    budget: float | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[int, Verdict]]:
    """Judge each case once: ``(its index, verdict)`` in any order, roughly the given one.

    Vally's order holds: config, then pattern, then evidence, then the match. When ``cancelled`` turns true the iteration
    ends early, without the verdicts that are missing.
    """
    refusals = _refusals(cases, matcher)
    batch: list[tuple[int, Search]] = []
    size = 0
    for index, case in enumerate(cases):
        if cancelled():
            return
        settled = _settle(case, refusals, evidence)
        if isinstance(settled, Verdict):
            yield index, settled
            continue
        search, length = settled
        batch.append((index, search))
        size += length
        if size > BATCH:
            yield from _search(batch, cases, evidence, matcher, limit, budget, cancelled)
            batch, size = [], 0
    yield from _search(batch, cases, evidence, matcher, limit, budget, cancelled)


def _refusals(cases: Sequence[Case], matcher: Matcher) -> dict[Pattern, str]:
    """The patterns that V8 refuses, with its messages."""
    # Cases of one grader share their question: that is quicker to see than that patterns are equal.
    questions = {id(case.question): case.question for case in cases}.values()
    asked = (question.pattern for question in questions if isinstance(question, Question))
    patterns = list(dict.fromkeys(pattern for pattern in asked if pattern is not None))
    if not patterns:
        # Nothing is waited for where nothing is to be matched.
        return {}
    return {
        pattern: message
        for pattern, message in zip(patterns, matcher.check(patterns), strict=True)
        if message is not None
    }


def _settle(case: Case, refusals: dict[Pattern, str], evidence: EvidenceSource) -> Verdict | tuple[Search, int]:
    """The verdict where no search is needed for it, else the search and the length of its text."""
    question = case.question
    if isinstance(question, Faults):
        return invalid(question)
    pattern = question.pattern
    if refusals and pattern is not None and pattern in refusals:
        return refused(question, pattern, refusals[pattern])
    key = EvidenceKey(case.trial, question.subject, question.turn)
    held = evidence.holds(key)
    if isinstance(held, Absent):
        return lacking(question, held)
    if pattern is None:
        return about_emptiness(question, held)
    return Search(pattern, key, case.spans, case.count), held


def _search(
    batch: list[tuple[int, Search]],
    cases: Sequence[Case],
    evidence: EvidenceSource,
    matcher: Matcher,
    limit: TimeLimit,
    budget: float | None,
    cancelled: Callable[[], bool],
) -> Iterator[tuple[int, Verdict]]:
    if not batch:
        return

    def load(key: Hashable) -> str:
        assert isinstance(key, EvidenceKey)
        return evidence.text(key)

    searches = [search for _, search in batch]
    for position, answer in matcher.search(searches, load, limit=limit, budget=budget, cancelled=cancelled):
        index, search = batch[position]
        question = cases[index].question
        assert isinstance(question, Question)
        yield index, about_match(question, search.pattern, answer)
