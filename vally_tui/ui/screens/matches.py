"""Walking matches: which place comes next, over one grader or all. Plain arithmetic on spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from msgspec import Struct

from vally_tui.grading.model import Spans


class Step(Struct, frozen=True):
    """Where a walk has come to."""

    span: tuple[int, int]
    wrapped: bool
    """Whether it went past the end and on from the other one."""


def step_match(spans: Sequence[Spans], at: tuple[int, int], direction: int) -> Step | None:
    """The next (1) or previous (−1) match after ``at`` over several graders' spans, in the order of the text.

    ``at`` is the current match or an empty span at the cursor, in code points; None where there is no match at all.
    """
    candidates = [found for each in spans if (found := _beside(each, at, direction)) is not None]
    if candidates:
        return Step(min(candidates) if direction > 0 else max(candidates), wrapped=False)
    ends = [each[0] if direction > 0 else each[len(each) - 1] for each in spans if len(each)]
    if not ends:
        return None
    return Step(min(ends) if direction > 0 else max(ends), wrapped=True)


def _beside(spans: Spans, at: tuple[int, int], direction: int) -> tuple[int, int] | None:
    if direction > 0:
        index = bisect_right(spans.starts, at[0])
        # Two graders may match from the same character on; the longer one comes second.
        same = index - 1
        if same >= 0 and spans.starts[same] == at[0] and spans.ends[same] > at[1]:
            return spans[same]
        return spans[index] if index < len(spans) else None
    index = bisect_left(spans.starts, at[0])
    if index < len(spans) and spans.starts[index] == at[0] and spans.ends[index] < at[1]:
        return spans[index]
    return spans[index - 1] if index > 0 else None


def position_of(spans: Sequence[Spans], span: tuple[int, int]) -> tuple[int, int]:
    """(which, of how many): the 1-based place of a match among all, and their number."""
    before = sum(bisect_left(each.starts, span[0]) for each in spans)
    same = sum(
        1
        for each in spans
        for index in range(bisect_left(each.starts, span[0]), bisect_right(each.starts, span[0]))
        if each.ends[index] < span[1]
    )
    return before + same + 1, sum(len(each) for each in spans)
