"""Which grader of an earlier reading is which of a later one. Pure; refuses to guess where several could be meant."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from vally_tui.grading.model import GraderConfig


def aligned(
    old: Sequence[GraderConfig], new: Sequence[GraderConfig], wanted: Mapping[int, GraderConfig]
) -> tuple[int | None, ...]:
    """For each of the old graders of a stimulus the 0-based place of the new one that it is; None where it is gone.

    ``wanted``: place of an old grader -> what the person made of it, which may be what stands there now. Tried in this
    order: equal ones in the same order; equal ones that were moved; those that became what is wanted; an only one of the
    same name; and between two that are found, where as many of a type, name and turn come out as went in, those, in their
    order; an only one with the same config between two that are found.
    """
    found = _Found(old, new)
    for a, b, size in SequenceMatcher(None, _keys(old), _keys(new), autojunk=False).get_matching_blocks():
        for step in range(size):
            found.pair(a + step, b + step)
    gaps = tuple(found.gaps())
    found.pair_in_turn(_keys(old), _keys(new))
    found.pair_in_turn([_key(wanted[i]) if i in wanted else None for i in range(len(old))], _keys(new))
    found.pair_equal([one.name for one in old], [one.name for one in new])
    for olds, news in gaps:
        found.pair_equal([_kin(one) for one in old], [_kin(one) for one in new], olds, news)
        found.pair_lonely(olds, news)
    return tuple(found.places)


class _Found:
    """The pairs so far."""

    def __init__(self, old: Sequence[GraderConfig], new: Sequence[GraderConfig]) -> None:
        self._old, self._new = old, new
        self.places: list[int | None] = [None] * len(old)
        self._taken: set[int] = set()

    def pair(self, one: int, other: int) -> None:
        self.places[one] = other
        self._taken.add(other)

    def gaps(self) -> Iterator[tuple[range, range]]:
        """The places without a partner between two pairs, old and new; to be asked while the pairs stand in order."""
        pairs = [(one, other) for one, other in enumerate(self.places) if other is not None]
        before = (-1, -1)
        for one, other in (*pairs, (len(self._old), len(self._new))):
            yield range(before[0] + 1, one), range(before[1] + 1, other)
            before = (one, other)

    def pair_in_turn(self, olds: Sequence[Hashable], news: Sequence[Hashable]) -> None:
        """Pair what has the same key, the first with the first."""
        waiting: dict[Hashable, deque[int]] = {}
        for other in self._free(range(len(news))):
            waiting.setdefault(news[other], deque()).append(other)
        for one in self._open(range(len(olds))):
            if waiting.get(olds[one]):
                self.pair(one, waiting[olds[one]].popleft())

    def pair_equal(
        self,
        olds: Sequence[Hashable],
        news: Sequence[Hashable],
        among_old: Iterable[int] | None = None,
        among_new: Iterable[int] | None = None,
    ) -> None:
        """Pair what has the same key, where as many of the key are left on both sides; without places: only one each."""
        ones = list(self._open(range(len(olds)) if among_old is None else among_old))
        others = list(self._free(range(len(news)) if among_new is None else among_new))
        old_counts, new_counts = Counter(olds[one] for one in ones), Counter(news[other] for other in others)
        waiting: dict[Hashable, deque[int]] = {}
        for other in others:
            waiting.setdefault(news[other], deque()).append(other)
        for one in ones:
            key = olds[one]
            most = 1 if among_old is None else len(ones)
            if key is not None and old_counts[key] == new_counts[key] <= most:
                self.pair(one, waiting[key].popleft())

    def pair_lonely(self, among_old: Iterable[int], among_new: Iterable[int]) -> None:
        """Pair the only ones that are left, where they look for the same."""
        ones, others = list(self._open(among_old)), list(self._free(among_new))
        if len(ones) == len(others) == 1 and self._old[ones[0]].config == self._new[others[0]].config:
            self.pair(ones[0], others[0])

    def _open(self, places: Iterable[int]) -> Iterator[int]:
        return (one for one in places if self.places[one] is None)

    def _free(self, places: Iterable[int]) -> Iterator[int]:
        return (other for other in places if other not in self._taken)


def _keys(graders: Iterable[GraderConfig]) -> list[Hashable]:
    return [_key(one) for one in graders]


def _key(grader: GraderConfig) -> Hashable:
    try:
        return repr((grader.type, grader.name, grader.config, grader.turn, grader.scope))
    except RecursionError:
        # Too deep to be compared: a grader of its own.
        return id(grader)


def _kin(grader: GraderConfig) -> Hashable:
    return grader.type, grader.name, repr(grader.turn)
