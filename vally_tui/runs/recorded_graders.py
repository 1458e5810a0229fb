"""The graders that a record names: those of its stimulus, else made from its results. Judges nothing."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.model import UNSET, GraderConfig, RecordedDetail
from vally_tui.runs.fields import Fields
from vally_tui.runs.model import Trial
from vally_tui.runs.shapes import Malformed
from vally_tui.runs.words import kind_of

NO_TYPE = "(no type)"
"""Stands for the type of a recorded grader that has none, so that its place is kept."""


class RecordedGraders(Struct, frozen=True):
    """The graders of a recorded stimulus."""

    configs: tuple[GraderConfig, ...]
    known: bool
    """Whether the record holds them."""
    faults: tuple[str, ...] = ()
    """What is wrong with them, as clauses."""


NO_GRADERS = RecordedGraders((), known=False)


def graders_of(value: object | Malformed) -> RecordedGraders:
    """The graders of a recorded stimulus; one that is no object, or has no type, keeps its place."""
    if value is None:
        return NO_GRADERS
    if not isinstance(value, list):
        why = value.why if isinstance(value, Malformed) else f"is {kind_of(value)}, not an array"
        return replace(NO_GRADERS, faults=(f"trajectory.stimulus.graders {why}",))
    fields = Fields()
    configs = tuple(_grader(entry, f"trajectory.stimulus.graders[{at}]", fields) for at, entry in enumerate(value))
    return RecordedGraders(configs, known=True, faults=tuple(fields.faults))


def inferred_graders(details: Iterable[RecordedDetail]) -> tuple[GraderConfig, ...]:
    """Graders made from the recorded results, where the stimulus was not recorded: their configs are unknown."""
    return tuple(
        GraderConfig(detail.grader_type or detail.name or NO_TYPE, detail.configured_name or detail.name)
        for detail in details
    )


def graders_difference(trial: Trial) -> str | None:
    """Why the recorded results do not belong to the recorded graders one by one, or None where they do."""
    if not trial.graders_known or trial.grade is None or not trial.grade.details:
        return None
    details = trial.grade.details
    if len(details) != len(trial.graders):
        return f"the stimulus has {len(trial.graders)} graders, but {len(details)} results are recorded"
    for position, (grader, detail) in enumerate(zip(trial.graders, details, strict=True), 1):
        for recorded, configured in ((detail.grader_type, grader.type), (detail.configured_name, grader.name)):
            if recorded != configured and recorded and configured:
                return f"grader {position} is {configured!r}, but its result is of {recorded!r}"
    return None


def _grader(value: object, name: str, fields: Fields) -> GraderConfig:
    if not isinstance(value, dict):
        fields.faults.append(f"{name} is {kind_of(value)}, not an object")
        return GraderConfig(NO_TYPE)
    grader_type = fields.text(value.get("type"), f"{name}.type")
    return GraderConfig(
        grader_type or NO_TYPE,
        fields.text(value.get("name"), f"{name}.name") or None,
        value.get("config", UNSET),
        value.get("turn", UNSET),
        value.get("scope", UNSET),
    )
