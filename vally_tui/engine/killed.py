"""Patterns for which the worker had to be killed: on which texts they are not run again, and what is said instead."""

from __future__ import annotations

from vally_tui.grading.pattern import Answer, Outcome, Pattern

_SHRINK = 4
"""A pattern is tried again on texts at most a quarter as large as the one it was killed on.

Our decision: what V8 cannot stop grows with the text, so a small text still gets its real verdict, and a pattern that is
hopeless on any text costs a few kills in all.
"""

NOT_AGAIN = "not run again: V8 could not interrupt this pattern before"


class Killed:
    """What happened, by pattern. Limits play no part: a killed pattern stays so until somebody asks for it again."""

    def __init__(self) -> None:
        self._never: dict[Pattern, tuple[int, Answer]] = {}
        self._first_only: dict[Pattern, int] = {}

    def patterns(self) -> frozenset[Pattern]:
        """The patterns that have been killed."""
        return frozenset(self._never) | frozenset(self._first_only)

    def stuck(self, pattern: Pattern, units: int, counting: bool) -> None:
        """V8 could not be stopped on a text of so many units; ``counting``: only after the verdict."""
        if counting:
            self._first_only[pattern] = min(units, self._first_only.get(pattern, units))
        else:
            self._refuse(pattern, units, Answer(Outcome.TIMEOUT, NOT_AGAIN))

    def crashed(self, pattern: Pattern, units: int, message: str) -> None:
        """V8's process ended again and again on this search."""
        self._refuse(pattern, units, Answer(Outcome.ERROR, message))

    def _refuse(self, pattern: Pattern, units: int, answer: Answer) -> None:
        smallest, _ = self._never.get(pattern, (units, answer))
        self._never[pattern] = min(units, smallest), answer

    def forgive(self, pattern: Pattern) -> None:
        """Somebody asks for it again."""
        self._never.pop(pattern, None)
        self._first_only.pop(pattern, None)

    def answer(self, pattern: Pattern, units: int) -> Answer | None:
        """What is answered instead of searching; None where the pattern may run."""
        killed_on, answer = self._never.get(pattern, (0, None))
        return answer if units * _SHRINK >= killed_on else None

    def only_first(self, pattern: Pattern, units: int) -> bool:
        """Whether the verdict and the first match may be searched for, but no more."""
        killed_on = self._first_only.get(pattern)
        return killed_on is not None and units * _SHRINK >= killed_on
