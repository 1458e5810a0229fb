"""What a pattern is, and what is asked of whoever can match it. Owns no matching: the engine does that, in V8."""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from enum import StrEnum
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from vally_tui.grading.model import NO_SPANS, Spans

_FLAGS_PREFIX = re.compile(r"\(\?([ims]+)\)")


class Pattern(Struct, frozen=True):
    """What a grader looks for."""

    kind: Literal["regex", "literal", "folded"]
    """A folded text is found whatever its case, as ``text.toLowerCase().includes(value.toLowerCase())`` has it."""
    source: str
    """The regex without its flags prefix, as it is given to ``new RegExp``; or the literal text, as it is written."""
    flags: str
    """The letters of the prefix in their written order, repeated ones too (V8 refuses those); "" for a text."""
    written: str
    """The whole text as the grader's config has it."""


def regex(written: str) -> Pattern:
    """Read ``pattern:`` of a config: a prefix of the letters i, m, s in ``(?…)`` is cut off and becomes the flags.

    Any other prefix goes to V8 as it is.
    """
    prefix = _FLAGS_PREFIX.match(written)
    if prefix is None:
        return Pattern("regex", written, "", written)
    return Pattern("regex", written[prefix.end() :], prefix[1], written)


def literal(written: str) -> Pattern:
    """Read ``value:`` of a config: searched as JavaScript's ``includes`` does, case-sensitive, by UTF-16 units."""
    return Pattern("literal", written, "", written)


def folded(written: str) -> Pattern:
    """Read a text that is searched without regard to case; the engine folds it and the text, both whole."""
    return Pattern("folded", written, "", written)


def short_message(pattern: Pattern, message: str) -> str:
    """The part of V8's message that Vally shows: without the exact prefix that repeats the pattern, else the whole."""
    for flags in (pattern.flags, "".join(sorted(pattern.flags))):
        prefix = f"Invalid regular expression: /{pattern.source}/{flags}: "
        if message.startswith(prefix):
            return message[len(prefix) :]
    return message


class Outcome(StrEnum):
    """How a search ended."""

    FOUND = "found"
    NOT_FOUND = "not found"
    INVALID = "invalid"
    """V8 refuses the pattern."""
    TIMEOUT = "timeout"
    """The search ran over its time limit and was stopped."""
    ERROR = "error"
    """V8 itself threw while matching (its backtrack stack is full)."""
    PENDING = "pending"
    """Not finished within this request's budget; never shown as pass or fail."""


class Answer(Struct, frozen=True):
    """The result of one search."""

    outcome: Outcome
    message: str | None = None
    """V8's whole message for invalid and error; for timeout what became of the search, to follow the pattern."""
    count: int | None = None
    """All matches, as ``exec`` with ``g`` finds them; None when not asked for or when counting ran over."""
    spans: Spans = NO_SPANS
    """The first matches, at most as many as were asked for, in code points."""


class Search(NamedTuple):
    """One pattern to be searched in one text."""

    pattern: Pattern
    text: Hashable
    """The key under which the engine loads and keeps the text."""
    spans: int = 0
    """How many matches to return at most; 0: only whether there is one."""
    count: bool = False  # type: ignore[assignment]  # hides the count of tuples, which nobody asks for
    """Whether all matches are counted."""


class TimeLimit(Struct, frozen=True):
    """How long one pattern may take on one text: ``base + per_megabyte`` × millions of UTF-16 units, in seconds.

    Seconds of work, not on the clock: what else a machine does is no fault of a pattern.
    """

    base: float = 1.0
    per_megabyte: float = 0.05

    def seconds(self, units: int) -> float:
        """The limit for a text of so many UTF-16 units."""
        return self.base + self.per_megabyte * units / 1_000_000


FULL_LIMIT = TimeLimit()
TYPING_LIMIT = TimeLimit(0.15, 0.02)


class Matcher(Protocol):
    """Whoever can answer searches with JavaScript's semantics; the engine does, tests use fakes."""

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        """For each pattern V8's whole message when it refuses it, else None; texts are always valid."""
        ...

    def search(
        self,
        searches: Sequence[Search],
        load: Callable[[Hashable], str],
        *,
        limit: TimeLimit = FULL_LIMIT,
        budget: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[int, Answer]]:
        """Answer each search once, as ``(its index, answer)``, in any order, those first given first.

        ``load`` gives the text of a key that the engine does not hold. After ``budget`` seconds the rest is PENDING.
        When ``cancelled`` turns true the iteration ends early, without the answers that are missing.
        """
        ...


class ForgivingMatcher(Matcher, Protocol):
    """A matcher that does not run a pattern again which it could not stop, until somebody asks for it."""

    def forgive(self, pattern: Pattern) -> None:
        """The pattern is run once more when it is searched for next. From any thread."""
        ...
