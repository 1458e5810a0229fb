"""In what the graders of a spec's stimulus differ from those that were recorded with a run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pairing import pair_graders
from vally_tui.spec.edit import as_mapping, same
from vally_tui.spec.model import SpecGrader, SpecStimulus


class Change(StrEnum):
    """How a grader differs."""

    CHANGED = "changed"
    ADDED = "added"
    """The spec has it, the recording has not."""
    REMOVED = "removed"
    """The recording has it, the spec has not."""
    MOVED = "moved"
    """It is the same, in another place among the others."""


class Difference(Struct, frozen=True):
    """One difference between the spec and the recording of a stimulus."""

    change: Change
    spec_index: int | None
    """0-based place in the spec; None where it is not there."""
    recorded_index: int | None
    """0-based place among the recorded graders; None where it is not there."""
    sentence: str
    """What differs, for a person; holds untrusted text."""


def differences(stimulus: SpecStimulus, recorded: Sequence[GraderConfig]) -> tuple[Difference, ...]:
    """The differences in the order of the spec, then what only the recording has; empty where both are the same.

    Which graders are the same one is told by ``pair_graders``. The order of keys in a config makes no difference.
    """
    pairs = pair_graders(stimulus.configs, recorded)
    found: list[Difference] = []
    last = -1
    for place, (grader, other) in enumerate(zip(stimulus.graders, pairs, strict=True)):
        difference = _difference(grader, place, other, recorded, last)
        if difference is not None:
            found.append(difference)
        last = last if other is None else max(last, other)
    taken = set(pairs)
    gone = (index for index in range(len(recorded)) if index not in taken)
    found += [
        Difference(
            Change.REMOVED, None, index, f"recorded grader {index + 1} ({recorded[index].label}) is not in the spec"
        )
        for index in gone
    ]
    return tuple(found)


def _difference(
    grader: SpecGrader, place: int, other: int | None, recorded: Sequence[GraderConfig], last: int
) -> Difference | None:
    name = f"grader {place + 1} ({grader.config.label}, line {grader.line})"
    if other is None:
        return Difference(Change.ADDED, place, None, f"{name} was not recorded")
    keys = _changed_keys(grader.config, recorded[other])
    if keys:
        shown = ", ".join(keys)
        return Difference(Change.CHANGED, place, other, f"{name} differs from the recorded one in {shown}")
    if other < last:
        return Difference(Change.MOVED, place, other, f"{name} was recorded as grader {other + 1}")
    return None


def _changed_keys(one: GraderConfig, other: GraderConfig) -> list[str]:
    mine, theirs = as_mapping(one), as_mapping(other)
    return [
        key
        for key in {**mine, **theirs}
        if key not in mine or key not in theirs or not same(mine[key], theirs[key], ordered=False)
    ]
