"""Which recorded result belongs to which grader. Pure; the results are not judged here."""

from collections.abc import Sequence

from vally_tui.grading.graders import turn_of
from vally_tui.grading.model import GraderConfig, RecordedDetail, State, Verdict


def pair_recorded(
    graders: Sequence[GraderConfig], details: Sequence[RecordedDetail]
) -> tuple[RecordedDetail | None, ...]:
    """The recorded detail of each recorded grader: the one at its index, where name and type do not contradict.

    In all known runs the details stand in the order of the graders. Where one contradicts, the first free detail that
    names the grader is taken, else none.
    """
    paired: list[RecordedDetail | None] = [
        details[index] if index < len(details) and _fits(grader, details[index]) else None
        for index, grader in enumerate(graders)
    ]
    taken = {id(detail) for detail in paired if detail is not None}
    for index, grader in enumerate(graders):
        if paired[index] is None:
            free = (detail for detail in details if id(detail) not in taken and _names(grader, detail))
            paired[index] = detail = next(free, None)
            taken.add(id(detail))
    return tuple(paired)


def pair_spec(
    graders: Sequence[GraderConfig],
    recorded: Sequence[GraderConfig],
    details: Sequence[RecordedDetail | None],
) -> tuple[RecordedDetail | None, ...]:
    """For each grader of a spec the detail of the recorded grader that it is.

    Tried in this order, each recorded grader being used once: the same name; the same type, turn and config; the same
    type and turn at the same ordinal.
    """
    matched: dict[int, int] = {}
    free = set(range(len(recorded)))
    for same in (_same_name, _same_check):
        for index, grader in enumerate(graders):
            if index in matched:
                continue
            other = next((other for other in sorted(free) if same(grader, recorded[other])), None)
            if other is not None:
                matched[index] = other
                free.discard(other)
    for index, grader in enumerate(graders):
        if index not in matched:
            ordinal = _ordinal(graders, index)
            other = next(
                (
                    other
                    for other in sorted(free)
                    if _kin(grader, recorded[other]) and _ordinal(recorded, other) == ordinal
                ),
                None,
            )
            if other is not None:
                matched[index] = other
                free.discard(other)
    return tuple(details[matched[index]] if index in matched else None for index in range(len(graders)))


def recorded_verdict(detail: RecordedDetail | None) -> Verdict:
    """The verdict of a grader that is not judged again: what was recorded, or that nothing was."""
    if detail is None:
        return Verdict(
            State.UNRECORDED,
            None,
            None,
            "No result of this grader is recorded, and it cannot be judged from the record",
            0,
        )
    passed = detail.passed if detail.is_verdict else None
    return Verdict(State.RECORDED, passed, detail.score if detail.is_verdict else None, detail.evidence, 0)


def _fits(grader: GraderConfig, detail: RecordedDetail) -> bool:
    """Whether nothing in a detail says that it belongs to another grader."""
    if detail.grader_type is not None and detail.grader_type != grader.type:
        return False
    return detail.configured_name is None or grader.name is None or detail.configured_name == grader.name


def _names(grader: GraderConfig, detail: RecordedDetail) -> bool:
    """Whether a detail says that it belongs to this grader."""
    if not _fits(grader, detail):
        return False
    if grader.name is not None:
        return grader.name in (detail.configured_name, detail.name)
    return grader.type in (detail.grader_type, detail.name)


def _same_name(grader: GraderConfig, other: GraderConfig) -> bool:
    return grader.name is not None and grader.name == other.name and grader.type == other.type


def _same_check(grader: GraderConfig, other: GraderConfig) -> bool:
    return _kin(grader, other) and grader.config == other.config


def _kin(grader: GraderConfig, other: GraderConfig) -> bool:
    return grader.type == other.type and turn_of(grader.turn) == turn_of(other.turn)


def _ordinal(graders: Sequence[GraderConfig], index: int) -> int:
    """How many graders of the same type and turn stand before this one."""
    return sum(1 for other in graders[:index] if _kin(graders[index], other))
