"""From a changed pattern to a grader config that differs in nothing else. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from vally_tui.grading.model import UNSET, GraderConfig


def with_pattern(config: GraderConfig, pattern: str) -> GraderConfig:
    """The config with this ``pattern:`` in place of its pattern or value."""
    return _with(config, "pattern", pattern)


def with_value(config: GraderConfig, value: str) -> GraderConfig:
    """The config with this ``value:`` in place of its pattern or value."""
    return _with(config, "value", value)


def with_turn(config: GraderConfig, turn: int | None) -> GraderConfig:
    """The config for another turn; None: for the whole run."""
    return replace(config, turn=UNSET if turn is None else turn)


def _with(config: GraderConfig, key: str, text: str) -> GraderConfig:
    before = config.config if isinstance(config.config, Mapping) else {}
    made: dict[str, object] = {}
    for name, value in before.items():
        if name not in ("pattern", "value"):
            made[name] = value
        elif value is not None:
            made[key] = text
    made.setdefault(key, text)
    return replace(config, config=made)
