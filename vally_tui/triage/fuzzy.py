"""Finding by a few typed letters: which texts fit, and which fit best. Pure; texts come in any number."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator

_WORD_START, _INSIDE, _SCATTERED = 0, 2, 6
_GAP = 5
"""Characters between two typed letters at most: more, and nearly everything would fit."""


def fuzzy(typed: str) -> Callable[[str], int | None]:
    """A function that says how loosely a text fits, 0 for best; None where it does not fit.

    Each blank-separated part of ``typed`` must be in the text, best at the start of a word, else inside of one, else as
    letters in this order with a few others between them. Letters are compared without regard to case.
    """
    parts = [(part, _scattered(part)) for part in typed.lower().split()]

    def score(text: str) -> int | None:
        low, total = text.lower(), 0
        for part, scattered in parts:
            found = _fit(low, part, scattered)
            if found is None:
                return None
            total += found
        return total

    return score


def _scattered(part: str) -> re.Pattern[str]:
    return re.compile(f".{{0,{_GAP}}}?".join(map(re.escape, part)), re.DOTALL)


def _fit(text: str, part: str, scattered: re.Pattern[str]) -> int | None:
    at = text.find(part)
    if at >= 0:
        while at > 0 and text[at - 1].isalnum():
            at = text.find(part, at + 1)
            if at < 0:
                return _INSIDE
        return _WORD_START
    if len(part) < 2:
        return None
    found = scattered.search(text)
    return None if found is None else _SCATTERED + found.end() - found.start() - len(part)


def best(typed: str, texts: Iterable[str], most: int) -> list[int]:
    """The numbers (from 0) of the ``most`` texts that fit best, the best first, equally good ones in their order."""
    score = fuzzy(typed)
    return [number for _, number in heapq.nsmallest(most, _scored(score, texts))]


def _scored(score: Callable[[str], int | None], texts: Iterable[str]) -> Iterator[tuple[int, int]]:
    for number, text in enumerate(texts):
        found = score(text)
        if found is not None:
            yield found, number
