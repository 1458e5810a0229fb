"""Looking for a literal text as a person types it: without regard to case unless it has a capital letter. Pure.

Long texts are searched in portions, so that whoever searches can stop between two of them.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence

from vally_tui.grading.model import Spans

PORTION = 1 << 20
"""Code points that are searched at once."""
MOST = 200_000
"""Finds that are kept; where there are more, the rest is left out and told."""


def smart_case(typed: str) -> re.Pattern[str]:
    """The pattern of a literal text: a capital letter in it makes case count."""
    return re.compile(re.escape(typed), re.IGNORECASE if typed == typed.lower() else 0)


def find_all(text: str, typed: str, cancelled: Callable[[], bool] = lambda: False) -> Iterator[tuple[int, int]]:
    """Start and end of each find in order, without overlap; ends early when ``cancelled`` says so."""
    if not typed:
        return
    pattern = smart_case(typed)
    at, length = 0, len(text)
    while at < length and not cancelled():
        portion_end = at + PORTION
        # A find may reach into the next portion, but begins in this one.
        limit = min(portion_end + len(typed) - 1, length)
        last = at
        for found in pattern.finditer(text, at, limit):
            if found.start() >= portion_end:
                break
            last = found.end()
            yield found.span()
        at = max(portion_end, last)


def finds_in(text: str, typed: str, cancelled: Callable[[], bool] = lambda: False) -> Spans:
    """The first finds, at most ``MOST``, as spans."""
    starts, ends = array("I"), array("I")
    for start, end in find_all(text, typed, cancelled):
        starts.append(start)
        ends.append(end)
        if len(starts) == MOST:
            break
    return Spans(starts, ends)


def rows_with(texts: Sequence[str] | Iterator[str], typed: str) -> list[int]:
    """The numbers (from 0) of the texts that hold what is typed."""
    if not typed:
        return []
    search = smart_case(typed).search
    return [number for number, text in enumerate(texts) if search(text)]
