"""A person's change of a grader put on top of another reading of the same grader. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from vally_tui.grading.model import UNSET, GraderConfig


def merged(now: GraderConfig, before: GraderConfig, after: GraderConfig) -> GraderConfig:
    """What stands there ``now`` with what the person changed between ``before`` and ``after``, and nothing else."""
    if now == before:
        return after
    return GraderConfig(
        after.type if after.type != before.type else now.type,
        after.name if after.name != before.name else now.name,
        _merged_config(now.config, before.config, after.config),
        after.turn if after.turn != before.turn else now.turn,
        after.scope if after.scope != before.scope else now.scope,
    )


def _merged_config(now: object, before: object, after: object) -> object:
    if before == after:
        return now
    if not (isinstance(now, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping)):
        return after
    kept = {key: value for key, value in now.items() if key in after or key not in before}
    return kept | {key: value for key, value in after.items() if key not in before or before[key] != value}


def changed_in_both(now: GraderConfig, before: GraderConfig, after: GraderConfig) -> tuple[str, ...]:
    """The keys, such as ``config.pattern``, that were changed here and there, and to something else."""
    new, old, own = _parts(now), _parts(before), _parts(after)
    return tuple(
        key
        for key in dict.fromkeys((*own, *old, *new))
        if old.get(key, UNSET) not in (new.get(key, UNSET), own.get(key, UNSET))
        and new.get(key, UNSET) != own.get(key, UNSET)
    )


def _parts(config: GraderConfig) -> dict[str, object]:
    parts: dict[str, object] = {"type": config.type, "name": config.name, "turn": config.turn, "scope": config.scope}
    if isinstance(config.config, Mapping):
        return parts | {f"config.{key}": value for key, value in config.config.items()}
    return parts | {"config": config.config}
