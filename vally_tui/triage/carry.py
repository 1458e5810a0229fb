"""Edits carried over to graders that were read anew, so that no reading of a spec or run loses what the person typed.

What the person did since the last save is put on top of each grader as it stands there now, and so is every step of
undo and redo. A step that changed nothing of a grader follows what became of it on disk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.align import aligned
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS, Edits, same_config
from vally_tui.triage.merge import changed_in_both, merged
from vally_tui.triage.state import TriageState


class Carried(Struct, frozen=True):
    """The outcome."""

    state: TriageState
    """With edits, undo, redo, focus and open field in terms of the new graders; its ``saved`` is what was read now."""
    slots: Mapping[int, int | None] = field(default_factory=dict)
    """Slot -> the one that is the same grader now, or took its place; None where it is gone."""
    clashes: tuple[str, ...] = ()
    """A sentence about each unsaved edit whose grader was changed on disk in the same place, or is gone there."""


def carry(old: Board, state: TriageState, new: Board) -> Carried:
    """From one board to another with the same trials."""
    moves: dict[int, int | None] = dict.fromkeys(old.slots)
    seen: set[tuple[str | None, tuple[int, ...]]] = set()
    for entry in old:
        of = (entry.trial.stimulus, entry.slots)
        if of not in seen and entry.trial.key in new.entries:
            seen.add(of)
            slots = old.slots_of(entry.trial.key, state.saved)
            moves |= _moves(old, state, slots, new, new.entries[entry.trial.key].slots)
    return _Carrier(old, new, state.saved, moves).carried(state)


def carry_over_reading(board: Board, state: TriageState) -> Carried:
    """On one board, after a run was read anew: from graders that no trial has any more to those that have their place.

    Where there is none, the edit stays with the grader that is gone: the spec may still have it.
    """
    touched = _mentioned(state.saved, state.edits, *state.past, *state.future)
    if state.typing_slot is not None:
        touched.add(state.typing_slot)
    gone = {slot for slot in touched if board.slots[slot].position is not None and not board.trials_of(slot)}
    if not gone:
        return Carried(state)
    live = {entry.slots for entry in board}
    moves: dict[int, int | None] = {}
    for stimulus, eval_name, slots in board.slot_lists:
        followers = {each for of, name, each in board.slot_lists if (of, name) == (stimulus, eval_name)} & live
        if slots not in live and len(followers) == 1 and gone & {*slots}:
            there = tuple(slot for slot in slots if slot not in state.saved.removed)
            moves |= _moves(board, state, there, board, followers.pop())
    # A grader that has an edit of its own keeps that.
    moves = {slot: moves[slot] for slot in gone & moves.keys() if moves[slot] not in (None, *touched)}
    return _Carrier(board, board, state.saved, moves).carried(state) if moves else Carried(state)


def _moves(
    old: Board, state: TriageState, slots: Sequence[int], new: Board, others: Sequence[int]
) -> dict[int, int | None]:
    wanted = {place: old.config(slot, state.edits) for place, slot in enumerate(slots) if slot in state.edits.configs}
    before = [old.config(slot, state.saved) for slot in slots]
    places = aligned(before, [new.slots[slot].base for slot in others], wanted)
    return {slot: None if place is None else others[place] for slot, place in zip(slots, places, strict=True)}


class _Carrier:
    """Puts edits on top of other slots: those in ``moves``; on the same board all others stay as they are."""

    def __init__(self, old: Board, new: Board, saved: Edits, moves: Mapping[int, int | None]) -> None:
        """``moves``: slot -> the slot that is the same grader now; None where it is gone."""
        self._old, self._new, self._saved, self._moves = old, new, saved, moves
        self._made: dict[int, int] = {}
        """Slot -> the added slot that took its place."""

    def carried(self, state: TriageState) -> Carried:
        """The state in terms of the new slots."""
        typing = state.typing_slot
        edits = self._over(state.edits, typing)
        past, future = [self._over(each) for each in state.past], [self._over(each) for each in state.future]
        stays = frozenset(_mentioned(self._saved) - self._moves.keys())
        return Carried(
            replace(
                state,
                edits=edits,
                saved=NO_EDITS.with_slots_of(self._saved, stays),
                # The step that the open field begins with is the same as the edits until something is typed.
                past=_steps(past, None if typing is not None else edits),
                future=tuple(reversed(_steps(future[::-1], edits))),
                slot=self._now(state.slot),
                typing_slot=self._now(typing),
            ),
            {slot: self._now(slot) for slot in self._moves},
            tuple(self._clashes(state.edits)),
        )

    def _now(self, slot: int | None) -> int | None:
        if slot is None or slot not in self._moves:
            return slot
        return self._made.get(slot, self._moves[slot])

    def _over(self, edits: Edits, typing: int | None = None) -> Edits:
        mentioned = _mentioned(self._saved, edits) | ({typing} if typing is not None else set())
        result = NO_EDITS.with_slots_of(edits, frozenset(mentioned - self._moves.keys()))
        for slot in sorted(mentioned & self._moves.keys()):
            result = self._put(result, slot, edits, keep=slot == typing)
        return result

    def _put(self, result: Edits, slot: int, edits: Edits, *, keep: bool) -> Edits:
        """One slot's part of the edits; ``keep``: it is typed in, so that it must stand somewhere."""
        found, before, after = self._moves[slot], self._config(slot, self._saved), self._config(slot, edits)
        if before is not None and found is not None:
            if after is None:
                return result.without(found)
            base = self._new.slots[found].base
            result = result.with_config(found, merged(base, before, after), base)
            return result.with_text(found, edits.texts[slot]) if edits.is_typed(slot, self._saved) else result
        if after is None or (same_config(after, before) and not keep):
            return result
        stimulus = self._old.slots[slot].stimulus
        if slot not in self._made:
            self._made[slot] = self._new.add_slot(stimulus, after)
        return result.with_added(stimulus, self._made[slot], after)

    def _config(self, slot: int, edits: Edits) -> GraderConfig | None:
        """What a slot is under edits; None where it is not there."""
        is_there = slot not in edits.removed and (self._old.slots[slot].position is not None or edits.is_added(slot))
        return self._old.config(slot, edits) if is_there else None

    def _clashes(self, edits: Edits) -> Iterable[str]:
        for slot in sorted(_mentioned(self._saved, edits) & self._moves.keys()):
            before, after, found = self._config(slot, self._saved), self._config(slot, edits), self._moves[slot]
            if before is None or same_config(after, before):
                continue
            name = f"{self._old.slots[slot].stimulus}: {before.label}"
            if found is None:
                if after is not None:
                    yield f"{name} is gone from the file; your edit stays as a new grader"
                continue
            base = self._new.slots[found].base
            if after is None:
                if base != before:
                    yield f"{name} was changed on disk, which you removed; it stays removed"
            elif keys := changed_in_both(base, before, after):
                yield f"{name} was changed on disk, too ({', '.join(keys)}); your edit stands on top of it"


def _mentioned(*edits: Edits) -> set[int]:
    return {
        slot
        for each in edits
        for slot in (
            *each.configs,
            *each.removed,
            *each.texts,
            *(slot for slots in each.added.values() for slot in slots),
        )
    }


def _steps(steps: Sequence[Edits], now: Edits | None) -> tuple[Edits, ...]:
    """The steps without those that change nothing any more; ``now`` is what follows the last one."""
    following = (*steps, now)[1:]
    return tuple(step for step, after in zip(steps, following, strict=True) if step != after)
