"""From a changed pattern to a grader config that differs in nothing else. Pure.

Output and transcript graders take a pattern or a text by their type, so that changes with it.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from vally_tui.grading.graders import DIFF_TYPES, TEXT_KEYS, type_taking
from vally_tui.grading.model import UNSET, GraderConfig


def with_pattern(config: GraderConfig, pattern: str) -> GraderConfig:
    """The config with this pattern in place of its pattern or text."""
    return _with(config, "pattern", pattern)


def with_value(config: GraderConfig, value: str, *, any_case: bool = False) -> GraderConfig:
    """The config with this plain text in place of its pattern or text; a diff grader's text is never found in any case."""
    if config.type in DIFF_TYPES:
        return _with(config, "value", value)
    made = _with(config, "value" if isinstance(_values(config).get("value"), str) else "substring", value)
    values = {key: own for key, own in _values(made).items() if key != "case_sensitive"}
    return replace(made, config=values if any_case else {**values, "case_sensitive": True})


def with_turn(config: GraderConfig, turn: int | None) -> GraderConfig:
    """The config for another turn; None: for the whole run."""
    return replace(config, turn=UNSET if turn is None else turn)


def _with(config: GraderConfig, key: str, text: str) -> GraderConfig:
    type_ = type_taking(config.type, pattern=key == "pattern")
    made: dict[str, object] = {}
    for name, value in _values(config).items():
        if name not in TEXT_KEYS:
            # How a text is compared means nothing to a pattern.
            made |= {} if name == "case_sensitive" and type_ != config.type else {name: value}
        elif value is not None:
            made[key] = text
    made.setdefault(key, text)
    return replace(config, type=type_, config=made)


def _values(config: GraderConfig) -> Mapping[str, object]:
    return config.config if isinstance(config.config, Mapping) else {}
