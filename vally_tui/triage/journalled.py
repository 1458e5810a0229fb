"""The person's unsaved edits as journal entries, and back. Owns the translation; keeping them is the journal's."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused
from vally_tui.spec.edit import AddGrader, RemoveGrader, ReplaceGrader, SpecEdit, as_mapping, same
from vally_tui.spec.model import GraderAddress
from vally_tui.spec.new_spec import grader_text
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.saving import SlotChange, changes_of
from vally_tui.triage.state import TriageState
from vally_tui.triage.typed_text import config_of, read_text


def unsaved_changes(board: Board, state: TriageState, *, given: bool) -> tuple[SlotChange, ...]:
    """The unsaved changes as the next start needs them: on top of the graders that it will read.

    ``given``: those of the spec, in which what was saved stands; else the recorded ones, in which it does not.
    """
    changes = changes_of(board, state)
    if given:
        return changes
    whole = {change.slot: change for change in changes_of(board, replace(state, saved=NO_EDITS))}
    return tuple(whole.get(change.slot, change) for change in changes)


def entries_of(changes: Sequence[SlotChange]) -> tuple[SpecEdit, ...]:
    """The unsaved changes as edits that need no spec to be understood; what cannot be written down is left out."""
    found: list[SpecEdit] = []
    for change in changes:
        try:
            found.append(_entry(change))
        except SpecEditRefused:
            continue
    return tuple(found)


def _entry(change: SlotChange) -> SpecEdit:
    if change.before is None:
        assert change.after is not None
        return AddGrader(change.stimulus, -1, 0, as_mapping(change.after))
    address = GraderAddress(
        change.stimulus, -1, change.position or 0, change.before.name, change.before.type, change.before.turn, 0
    )
    old = as_mapping(change.before)
    if change.after is None:
        return RemoveGrader(address, old)
    return ReplaceGrader(address, grader_text(change.after), old)


def restored(board: Board, edits: Edits, entries: Sequence[SpecEdit]) -> tuple[Edits, tuple[SpecEdit, ...]]:
    """The edits with journalled ones on top, and those that found no grader; what is added again is added once."""
    lost: list[SpecEdit] = []
    for entry in entries:
        match entry:
            case AddGrader(stimulus=stimulus, value=value):
                config = config_of(value)
                if config is None or stimulus not in board.trials_by_stimulus:
                    lost.append(entry)
                else:
                    edits = edits.with_added(stimulus, board.add_slot(stimulus, config), config)
            case RemoveGrader(grader=address, old=old):
                slots = _slots(board, address, old)
                if not slots:
                    lost.append(entry)
                for slot in slots:
                    edits = edits.without(slot)
            case ReplaceGrader(grader=address, text=text, old=old):
                config, slots = read_text(text), _slots(board, address, old)
                if config is None or not slots:
                    lost.append(entry)
                    continue
                for slot in slots:
                    edits = edits.with_config(slot, config, board.slots[slot].base)
    return edits, tuple(lost)


def _slots(board: Board, address: GraderAddress, old: object) -> list[int]:
    """The slots that are still what they were when the edit was made."""
    alike = [
        slot
        for slot in board.slots.values()
        if slot.stimulus == address.stimulus and slot.position is not None and same(as_mapping(slot.base), old)
    ]
    in_place = [slot.id for slot in alike if slot.position == address.index]
    only_place = len({slot.position for slot in alike}) == 1
    return in_place or ([slot.id for slot in alike] if only_place else [])
