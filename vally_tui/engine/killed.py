"""What has cost a worker its life: patterns that V8 cannot stop, texts on which it ended. Says what is answered instead
of trying again."""

from __future__ import annotations

from collections.abc import Hashable

from vally_tui.grading.pattern import Answer, Outcome, Pattern

_SHRINK = 4
"""A pattern is tried again on texts of less than a quarter of the size on which the worker had to be ended.

Our decision: what V8 cannot stop grows with the text, so a small text still gets its real verdict, and a pattern that is
hopeless on any text costs a few workers in all.
"""

NOT_AGAIN = "is not run again: V8 could not interrupt it before"


class Killed:
    """Limits play no part here: what was killed stays so until somebody asks for it again."""

    def __init__(self) -> None:
        self._never: dict[Pattern, int] = {}
        self._first_only: dict[Pattern, int] = {}
        self._texts: dict[Hashable, Answer] = {}

    def __bool__(self) -> bool:
        """Whether there is anything to remember; nearly always false, and quick to ask."""
        return bool(self._never or self._first_only or self._texts)

    def patterns(self) -> frozenset[Pattern]:
        """The patterns that V8 could not stop."""
        return frozenset(self._never) | frozenset(self._first_only)

    def stuck(self, pattern: Pattern, units: int, counting: bool) -> None:
        """V8 could not be stopped on a text of so many units; ``counting``: only after the verdict."""
        sizes = self._first_only if counting else self._never
        sizes[pattern] = min(units, sizes.get(pattern, units))

    def crashed(self, text: Hashable, message: str) -> None:
        """The worker ended by itself again and again on this text: it is too large for V8's memory, most likely."""
        self._texts[text] = Answer(Outcome.ERROR, message)

    def forgive(self, pattern: Pattern) -> None:
        """Somebody asks for this again."""
        self._never.pop(pattern, None)
        self._first_only.pop(pattern, None)

    def forget_text(self, text: Hashable) -> None:
        """The text has changed."""
        self._texts.pop(text, None)

    def forget_texts(self) -> None:
        """All texts have changed."""
        self._texts.clear()

    def on_text(self, text: Hashable) -> Answer | None:
        """What is answered to any search of this text; None where it may be loaded."""
        return self._texts.get(text)

    def answer(self, pattern: Pattern, units: int) -> Answer | None:
        """What is answered instead of searching a text of so many units; None where the pattern may run."""
        return Answer(Outcome.TIMEOUT, NOT_AGAIN) if _covers(self._never, pattern, units) else None

    def only_first(self, pattern: Pattern, units: int) -> bool:
        """Whether the verdict and the first match may be searched for, but no more."""
        return _covers(self._first_only, pattern, units)


def _covers(sizes: dict[Pattern, int], pattern: Pattern, units: int) -> bool:
    smallest = sizes.get(pattern)
    return smallest is not None and units * _SHRINK >= smallest
