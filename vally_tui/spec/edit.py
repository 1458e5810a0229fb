"""What can be changed in a spec, as values. Applying them is apply.py's, finding their graders again is rebase.py's.

All addresses are those of the document that the edits are for, also when edits before them add or remove graders;
the old values are those that the edits before them have left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from vally_tui.grading.graders import TEXT_KEYS
from vally_tui.grading.model import UNSET, GraderConfig
from vally_tui.spec.core_schema import paired
from vally_tui.spec.model import GraderAddress
from vally_tui.spec.nodes import Path


class Sharing(StrEnum):
    """What an edit behind an anchor or alias means for the others that share it."""

    THIS_ONLY = "this only"
    """The grader gets a copy of its own."""
    ALL = "all"
    """What is shared is changed for all."""


class SetKey(Struct, frozen=True):
    """A key of a grader gets a value; the key is added where it is not there."""

    grader: GraderAddress
    key: Path
    """The way from the grader: ``("turn",)``, ``("config", "pattern")``."""
    value: object
    old: object = UNSET
    """The value until now; UNSET where the key is not there."""
    sharing: Sharing | None = None


class RenameKey(Struct, frozen=True):
    """A key is called otherwise and keeps its value, as ``pattern`` and ``value`` do."""

    grader: GraderAddress
    key: Path
    to: str
    old: object
    """The value that it keeps."""
    sharing: Sharing | None = None


class RemoveKey(Struct, frozen=True):
    """A key goes."""

    grader: GraderAddress
    key: Path
    old: object
    sharing: Sharing | None = None


class ReplaceGrader(Struct, frozen=True):
    """A whole grader gets other text."""

    grader: GraderAddress
    text: str
    """YAML of a mapping, from column 0; comments in it are kept."""
    old: object
    """The whole grader until now, as a mapping."""
    sharing: Sharing | None = None


class AddGrader(Struct, frozen=True):
    """A stimulus gets one more grader."""

    stimulus: str | None
    stimulus_index: int
    index: int
    """0-based place in front of which it comes; the number of graders for the end."""
    value: object
    """The whole grader as a mapping."""
    sharing: Sharing | None = None


class RemoveGrader(Struct, frozen=True):
    """A grader goes."""

    grader: GraderAddress
    old: object
    """The whole grader, as a mapping."""
    sharing: Sharing | None = None


SpecEdit = SetKey | RenameKey | RemoveKey | ReplaceGrader | AddGrader | RemoveGrader

_FINEST = 8
"""Levels below a grader at which a difference is still told key by key; what is deeper is replaced as a whole."""
_RENAMED = {(one, other) for one in TEXT_KEYS for other in TEXT_KEYS if one != other}


def as_mapping(config: GraderConfig) -> dict[str, object]:
    """A grader as the mapping that a spec holds."""
    written = {"type": config.type, "name": config.name, "config": config.config, "turn": config.turn}
    written["scope"] = config.scope
    return {key: value for key, value in written.items() if value is not UNSET and (key != "name" or value is not None)}


def edits_between(address: GraderAddress, old: GraderConfig, new: GraderConfig) -> tuple[SpecEdit, ...]:
    """The smallest edits that make one grader into another; none where they are equal.

    ``pattern`` that becomes ``value`` or ``substring`` (or the reverse) is renamed, so that its place and quotes stay.
    """
    return tuple(_between(address, (), as_mapping(old), as_mapping(new)))


def is_as_before(now: object, old: object, key: Path) -> bool:
    """Whether a grader's value at a key is the old value of an edit, whatever the order of its keys.

    With an empty ``key`` both are whole graders, of which only what GraderConfig knows is compared.
    """
    if not key and isinstance(now, Mapping) and isinstance(old, Mapping):
        return same(_known(now), _known(old), ordered=False)
    return same(now, old, ordered=False)


def _known(grader: Mapping[object, object]) -> dict[str, object]:
    kind, name = grader.get("type"), grader.get("name")
    written = (grader.get(key, UNSET) for key in ("config", "turn", "scope"))
    return as_mapping(
        GraderConfig(kind if isinstance(kind, str) else "", name if isinstance(name, str) else None, *written)
    )


def _between(
    address: GraderAddress, at: Path, old: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[SpecEdit]:
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    renamed = {b: a for a in gone for b in come if (a, b) in _RENAMED}
    for to, key in renamed.items():
        yield RenameKey(address, (*at, key), to, old[key])
    for key, value in new.items():
        before = old.get(renamed.get(key, key), UNSET)
        if isinstance(value, Mapping) and isinstance(before, Mapping) and before and len(at) < _FINEST:
            yield from _between(address, (*at, key), before, value)
        elif not same(before, value):
            yield SetKey(address, (*at, key), value, before)
    for key in gone:
        if key not in renamed.values():
            yield RemoveKey(address, (*at, key), old[key])


def same(one: object, other: object, *, ordered: bool = True) -> bool:
    """Whether two values are the same for JavaScript: 1 is 1.0, true is not 1; ``ordered``: keys in the same order."""
    waiting: list[tuple[object, object]] = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        a, b = waiting.pop()
        # What is shared through aliases is compared once; else a few lines of YAML could ask for billions.
        if a is b or (id(a), id(b)) in seen:
            continue
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            if list(a) != list(b) and (ordered or a.keys() != b.keys()):
                return False
            waiting += ((a[key], b[key]) for key in a)
        elif isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            waiting += zip(a, b, strict=True)
        elif not _same_scalar(a, b):
            return False
        seen.add((id(a), id(b)))
    return True


def _same_scalar(a: object, b: object) -> bool:
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, float) and isinstance(b, float) and a != a and b != b:
        return True
    if isinstance(a, str) and isinstance(b, str) and a != b:
        return paired(a) == paired(b)
    return a == b
