"""Edits carried over to graders that were read anew, so that no reading of a spec or run loses what the person typed."""

from __future__ import annotations

from types import MappingProxyType

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.board import Board
from vally_tui.triage.edits import Edits


def carry(old: Board, edits: Edits, new: Board) -> Edits:
    """The same edits for the slots of another board.

    A slot is found again in its stimulus by its config and place, else by its name, else by its type at its place. An
    edit whose grader is gone becomes an added grader: what was typed is never dropped.
    """
    configs: dict[int, GraderConfig] = {}
    added: dict[str | None, tuple[int, ...]] = {}
    removed: set[int] = set()
    for slot in sorted({*edits.configs, *edits.removed, *(slot for slots in edits.added.values() for slot in slots)}):
        stimulus = old.slots[slot].stimulus
        config = edits.configs.get(slot)
        found = None if edits.is_added(slot) else find_slot(old, slot, new)
        if found is not None:
            if slot in edits.removed:
                removed.add(found)
            elif config is not None and config != new.slots[found].base:
                configs[found] = config
        elif config is not None:
            made = new.add_slot(stimulus, config)
            added[stimulus] = (*added.get(stimulus, ()), made)
            configs[made] = config
    return Edits(MappingProxyType(configs), frozenset(removed), MappingProxyType(added))


def find_slot(old: Board, slot: int, new: Board) -> int | None:
    """The slot of another board that is the same grader; None where none or several could be."""
    wanted = old.slots[slot]
    kin = [other for other in new.slots.values() if other.stimulus == wanted.stimulus and other.position is not None]
    same = [other for other in kin if other.base == wanted.base]
    in_place = [other for other in same if other.position == wanted.position]
    if in_place or len(same) == 1:
        return (in_place or same)[0].id
    named = [other for other in kin if wanted.base.name is not None and other.base.name == wanted.base.name]
    if len(named) == 1:
        return named[0].id
    # A grader that only stands in the same place may be its neighbour, moved up: then it is another one.
    neighbours = [other.base for other in old.slots.values() if other.stimulus == wanted.stimulus]
    alike = [other for other in kin if other.position == wanted.position and _is_kin(other.base, wanted.base)]
    return alike[0].id if len(alike) == 1 and alike[0].base not in neighbours else None


def _is_kin(one: GraderConfig, other: GraderConfig) -> bool:
    return (one.type, one.name, one.turn) == (other.type, other.name, other.turn)
