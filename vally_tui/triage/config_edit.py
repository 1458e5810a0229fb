"""A grader's config under a person's hands: field text, flags, pattern or value, negate, turn, type. Pure values in and out.

The field holds what stands in the spec, flags prefix included; a toggle writes that prefix, and typing it sets the toggle.
"""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from vally_tui.grading.graders import (
    DIFF_EMPTY,
    DIFF_TYPES,
    NEGATIVE_TYPES,
    OUTPUT_TYPES,
    TEXT_KEYS,
    TRANSCRIPT_TYPES,
    subject_of,
    type_taking,
)
from vally_tui.grading.model import UNSET, GraderConfig

FLAGS = ("i", "m", "s")
_PREFIX = re.compile(r"\(\?([ims]+)\)")


def values_of(config: GraderConfig) -> dict[str, object]:
    """The config's mapping as a new dict, in its order; empty where it has none."""
    return dict(config.config) if isinstance(config.config, Mapping) else {}


def text_key(config: GraderConfig) -> str | None:
    """The key whose text is edited in the field: the one given, else the one that the grader's type wants."""
    values = values_of(config)
    given = next((key for key in TEXT_KEYS if isinstance(values.get(key), str)), None)
    if given is not None:
        return given
    if subject_of(config.type) is None or config.type == DIFF_EMPTY:
        return None
    return "substring" if takes_text_only(config.type) else "pattern"


def takes_text_only(type_: str) -> bool:
    """Whether graders of a type take a plain text and no pattern."""
    return type_ not in DIFF_TYPES and subject_of(type_) is not None and type_taking(type_, pattern=False) == type_


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
    """Pattern becomes plain text and the other way round, in the same place; the text stays as it is.

    For an output or transcript grader that is another type.
    """
    key = text_key(config)
    if key is None or subject_of(config.type) is None:
        return config
    other = "pattern" if key != "pattern" else "value" if config.type in DIFF_TYPES else "substring"
    return _with_key(replace(config, type=type_taking(config.type, pattern=other == "pattern")), key, other)


def _with_key(config: GraderConfig, key: str, other: str) -> GraderConfig:
    """The config with its text under another key; how a text is compared means nothing to a pattern."""
    dropped = {other} if takes_text_only(config.type) or config.type in DIFF_TYPES else {other, "case_sensitive"}
    values = values_of(config) or {key: ""}
    swapped = {other if name == key else name: value for name, value in values.items() if name not in dropped}
    return replace(config, config=swapped)


def is_any_case(config: GraderConfig) -> bool:
    """Whether a grader that takes a plain text finds it in any case."""
    return values_of(config).get("case_sensitive") is not True


def with_any_case(config: GraderConfig, on: bool) -> GraderConfig:
    """The config finding its plain text in any case, which is what goes without saying, or exactly."""
    values = {key: value for key, value in values_of(config).items() if key != "case_sensitive"}
    return replace(config, config=values if on else {**values, "case_sensitive": True})


def is_negated(config: GraderConfig) -> bool:
    """Whether the grader passes when nothing is found."""
    negate = values_of(config).get("negate")
    return negate if isinstance(negate, bool) else config.type in NEGATIVE_TYPES


def with_negation(config: GraderConfig, negated: bool) -> GraderConfig:
    """The config with ``negate`` written only where the type does not say so already."""
    values = values_of(config)
    values.pop("negate", None)
    if negated != (config.type in NEGATIVE_TYPES):
        values["negate"] = negated
    return replace(config, config=values)


def with_turn(config: GraderConfig, turn: int | None) -> GraderConfig:
    """The config looking at a 0-based turn, or (None) at the whole run."""
    return replace(config, turn=UNSET if turn is None else turn)


def with_type(config: GraderConfig, type_: str) -> GraderConfig:
    """The config as another type of its round; diff-empty takes no config, and its text comes back with the others."""
    if type_ == DIFF_EMPTY:
        return replace(config, type=type_, config=UNSET)
    if type_ not in DIFF_TYPES:
        key, other = text_key(config), text_key(GraderConfig(type_))
        moved = replace(config, type=type_)
        return (
            moved
            if key is None or other is None or (key == "pattern") == (other == "pattern")
            else _with_key(moved, key, other)
        )
    return replace(config, type=type_, config=config.config if config.config is not UNSET else {"pattern": ""})


def next_type(config: GraderConfig) -> str | None:
    """The type after this one in the round of those that look at the same text; None for those not judged again."""
    for types in (DIFF_TYPES, OUTPUT_TYPES, TRANSCRIPT_TYPES):
        if config.type in types:
            return types[(types.index(config.type) + 1) % len(types)]
    return None
