"""A grader's config under a person's hands: field text, flags, pattern or value, negate, turn, type. Pure values in and out.

The field holds what stands in the spec, flags prefix included; a toggle writes that prefix, and typing it sets the toggle.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from vally_tui.grading.graders import DIFF_EMPTY, DIFF_NOT_CONTAINS, DIFF_TYPES
from vally_tui.grading.model import UNSET, GraderConfig

FLAGS = ("i", "m", "s")
_PREFIX = re.compile(r"\(\?([ims]+)\)")
_TEXT_KEYS = ("pattern", "value", "substring")


def values_of(config: GraderConfig) -> dict[str, object]:
    """The config's mapping as a new dict, in its order; empty where it has none."""
    return dict(config.config) if isinstance(config.config, Mapping) else {}


def text_key(config: GraderConfig) -> str | None:
    """The key whose text is edited in the field: the one given, else ``pattern`` for a diff grader that wants one."""
    values = values_of(config)
    given = next((key for key in _TEXT_KEYS if isinstance(values.get(key), str)), None)
    if given is not None:
        return given
    return "pattern" if config.type in DIFF_TYPES and config.type != DIFF_EMPTY else None


def field_text(config: GraderConfig) -> str:
    """What the field shows."""
    key = text_key(config)
    text = values_of(config).get(key) if key is not None else None
    return text if isinstance(text, str) else ""


def with_field_text(config: GraderConfig, text: str) -> GraderConfig:
    """The config with another text in its field."""
    key = text_key(config)
    return config if key is None else replace(config, config={**values_of(config), key: text})


def flags_of(text: str) -> frozenset[str]:
    """The flags that a pattern's prefix sets."""
    prefix = _PREFIX.match(text)
    return frozenset(prefix[1]) if prefix else frozenset()


def with_flag(text: str, flag: str, on: bool) -> str:
    """A pattern with one flag set or not, written as a prefix; the prefix goes when it would be empty."""
    prefix = _PREFIX.match(text)
    rest = text[prefix.end() :] if prefix else text
    flags = flags_of(text) | {flag} if on else flags_of(text) - {flag}
    written = "".join(letter for letter in FLAGS if letter in flags)
    return f"(?{written}){rest}" if written else rest


def with_other_key(config: GraderConfig) -> GraderConfig:
    """Pattern becomes value and the other way round, in the same place; the text stays as it is."""
    key = text_key(config)
    if key not in ("pattern", "value"):
        return config
    other = "value" if key == "pattern" else "pattern"
    values = values_of(config) or {key: ""}
    swapped = {other if name == key else name: value for name, value in values.items() if name != other}
    return replace(config, config=swapped)


def is_negated(config: GraderConfig) -> bool:
    """Whether the grader passes when nothing is found."""
    negate = values_of(config).get("negate")
    return negate if isinstance(negate, bool) else config.type == DIFF_NOT_CONTAINS


def with_negation(config: GraderConfig, negated: bool) -> GraderConfig:
    """The config with ``negate`` written only where the type does not say so already."""
    values = values_of(config)
    values.pop("negate", None)
    if negated != (config.type == DIFF_NOT_CONTAINS):
        values["negate"] = negated
    return replace(config, config=values)


def with_turn(config: GraderConfig, turn: int | None) -> GraderConfig:
    """The config looking at a 0-based turn, or (None) at the whole run."""
    return replace(config, turn=UNSET if turn is None else turn)


def with_type(config: GraderConfig, type_: str) -> GraderConfig:
    """The config as another of the diff graders; diff-empty takes no config, and its text comes back with the others."""
    if type_ == DIFF_EMPTY:
        return replace(config, type=type_, config=UNSET)
    return replace(config, type=type_, config=config.config if config.config is not UNSET else {"pattern": ""})


def next_type(config: GraderConfig) -> str | None:
    """The diff grader after this one, in a round; None for other types."""
    if config.type not in DIFF_TYPES:
        return None
    return DIFF_TYPES[(DIFF_TYPES.index(config.type) + 1) % len(DIFF_TYPES)]


def open_bracket(pattern: str) -> tuple[int, str] | None:
    """The place (code point) of the last bracket that is not closed, and what would close it.

    V8 names no place, so this is told only where a scan of our own is sure.
    """
    open_: list[tuple[int, str]] = []
    in_class: int | None = None
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            at += 2
            continue
        if in_class is not None:
            in_class = None if character == "]" else in_class
        elif character == "[":
            in_class = at
        elif character == "(":
            open_.append((at, ")"))
        elif character == ")":
            if not open_:
                return None
            open_.pop()
        at += 1
    if in_class is not None:
        return in_class, "]"
    return open_[-1] if open_ else None
