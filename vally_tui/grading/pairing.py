"""Which recorded result belongs to which grader. Pure; the results are not judged here."""

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Mapping, Sequence

from vally_tui.grading.graders import kept_because, turn_of
from vally_tui.grading.model import GraderConfig, RecordedDetail, State, Verdict


def pair_recorded(
    graders: Sequence[GraderConfig], details: Sequence[RecordedDetail]
) -> tuple[RecordedDetail | None, ...]:
    """The recorded detail of each recorded grader: the one at its index, where name and type do not contradict.

    In all known runs the details stand in the order of the graders. Where one contradicts, the first free detail that
    names the grader is taken, else none.
    """
    own = [
        index if index < len(details) and _fits(grader, details[index]) else None
        for index, grader in enumerate(graders)
    ]
    if None in own:
        waiting = _Waiting()
        for index, detail in enumerate(details):
            if index >= len(own) or own[index] is None:
                waiting.put(index, *_what_it_names(detail))
        own = [
            waiting.take(*_how_it_is_named(grader)) if index is None else index
            for index, grader in zip(own, graders, strict=True)
        ]
    return tuple(None if index is None else details[index] for index in own)


def pair_spec(
    graders: Sequence[GraderConfig],
    recorded: Sequence[GraderConfig],
    details: Sequence[RecordedDetail | None],
) -> tuple[RecordedDetail | None, ...]:
    """For each grader of a spec the detail of the recorded grader that it is (see ``pair_graders``)."""
    return tuple(None if index is None else details[index] for index in pair_graders(graders, recorded))


def pair_graders(graders: Sequence[GraderConfig], recorded: Sequence[GraderConfig]) -> tuple[int | None, ...]:
    """For each grader of a spec the 0-based place of the recorded grader that it is.

    Tried in this order, each recorded grader being used once: the same name; the same type, turn and config; the same
    type and turn at the same ordinal.
    """
    matched: list[int | None] = [None] * len(graders)
    used: set[int] = set()
    for keys_of in (_by_name, _by_check, _by_ordinal):
        waiting = _Waiting()
        for other, key in enumerate(keys_of(recorded)):
            if other not in used and key is not None:
                waiting.put(other, key)
        for index, key in enumerate(keys_of(graders)):
            if matched[index] is None and key is not None:
                matched[index] = other_index = waiting.take(key)
                if other_index is not None:
                    used.add(other_index)
    return tuple(matched)


def recorded_verdict(grader: GraderConfig, detail: RecordedDetail | None) -> Verdict:
    """The verdict of a grader that is not judged again: what was recorded, or that nothing was.

    Where graders of its type are judged again, a notice says why this one is not.
    """
    kept = kept_because(grader)
    notices = () if kept is None else (kept,)
    if detail is None:
        return Verdict(
            State.UNRECORDED,
            None,
            None,
            "No result of this grader is recorded, and it cannot be judged from the record",
            0,
            notices=notices,
        )
    passed = detail.passed if detail.is_verdict else None
    score = detail.score if detail.is_verdict else None
    return Verdict(State.RECORDED, passed, score, detail.evidence, 0, notices=notices)


def _fits(grader: GraderConfig, detail: RecordedDetail) -> bool:
    """Whether nothing in a detail says that it belongs to another grader."""
    if detail.grader_type is not None and detail.grader_type != grader.type:
        return False
    return detail.configured_name is None or grader.name is None or detail.configured_name == grader.name


def _what_it_names(detail: RecordedDetail) -> tuple[Hashable, ...]:
    """The graders that a detail can be of, in the keys of ``_how_it_is_named``."""
    name = detail.configured_name if detail.configured_name is not None else detail.name
    return (("named", name, detail.grader_type), ("unnamed", detail.grader_type or detail.name))


def _how_it_is_named(grader: GraderConfig) -> tuple[Hashable, ...]:
    """What a detail of this grader can say; older ones say no type."""
    if grader.name is None:
        return (("unnamed", grader.type),)
    return (("named", grader.name, grader.type), ("named", grader.name, None))


def _by_name(graders: Sequence[GraderConfig]) -> Iterator[Hashable]:
    return (None if grader.name is None else (grader.name, grader.type) for grader in graders)


def _by_check(graders: Sequence[GraderConfig]) -> Iterator[Hashable]:
    for grader in graders:
        try:
            yield (_kin(grader), _frozen(grader.config))
        except RecursionError:
            # A config as deep as the parser allows is compared by its place only.
            yield None


def _by_ordinal(graders: Sequence[GraderConfig]) -> Iterator[Hashable]:
    """Type, turn, and how many graders of the same type and turn stand before."""
    seen: Counter[Hashable] = Counter()
    for grader in graders:
        kin = _kin(grader)
        yield (kin, seen[kin])
        seen[kin] += 1


def _kin(grader: GraderConfig) -> Hashable:
    return (grader.type, turn_of(grader.turn))


def _frozen(value: object) -> Hashable:
    """A parsed value as one that can be a key; equal values give equal keys, whatever the order of a mapping."""
    if isinstance(value, Mapping):
        return frozenset((key, _frozen(held)) for key, held in value.items())
    if isinstance(value, list | tuple):
        return tuple(_frozen(held) for held in value)
    assert isinstance(value, Hashable)
    return value


class _Waiting:
    """Indices that wait under keys; each is taken once, the lowest first."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[int]] = {}
        self._taken: set[int] = set()

    def put(self, index: int, *keys: Hashable) -> None:
        for key in keys:
            self._queues.setdefault(key, deque()).append(index)

    def take(self, *keys: Hashable) -> int | None:
        heads = [head for key in keys if (head := self._head(key)) is not None]
        if not heads:
            return None
        self._taken.add(min(heads))
        return min(heads)

    def _head(self, key: Hashable) -> int | None:
        queue = self._queues.get(key, deque())
        while queue and queue[0] in self._taken:
            queue.popleft()
        return queue[0] if queue else None
