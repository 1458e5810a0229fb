"""From the person's edits to a spec's new text: which grader of the spec each one means, and what would be written.

Pure: nothing is read from or written to disk here. Planning reads YAML again, so it is done on a thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.apply import AppliedEdit, apply, others_changed
from vally_tui.spec.document import SpecDocument
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RenameKey,
    ReplaceGrader,
    Sharing,
    SpecEdit,
    as_mapping,
    edits_between,
)
from vally_tui.spec.model import SpecGrader, SpecStimulus
from vally_tui.spec.preview import unified_diff
from vally_tui.spec.sharing import Sharer
from vally_tui.triage import update
from vally_tui.triage.align import aligned
from vally_tui.triage.board import Board
from vally_tui.triage.edits import TypedText, same_config
from vally_tui.triage.merge import merged
from vally_tui.triage.state import TriageState
from vally_tui.triage.typed_text import is_of, read_text


class SlotChange(Struct, frozen=True):
    """What the person did to one grader since the last save."""

    slot: int
    stimulus: str | None
    position: int | None
    """0-based place among ``siblings``, of one that comes back the place in front of which it stands; None: the end."""
    before: GraderConfig | None
    """None: it was added."""
    after: GraderConfig | None
    """None: it was removed."""
    siblings: tuple[GraderConfig, ...] = ()
    """The graders of the stimulus as they were saved last."""
    typed: TypedText | None = None
    """Its text as it was typed, where that is not saved."""


class Placed(Struct, frozen=True):
    """A change and the edits that make it in the spec."""

    change: SlotChange
    edits: tuple[SpecEdit, ...]
    number: int
    """The grader's number in its stimulus of the spec, from 1."""
    line: int
    """1-based line of the spec on which the grader begins; of an added one that of its stimulus."""
    keys: str
    """What is edited: ``config.pattern``."""
    differs: bool
    """The spec had another value than the run that the edit was made on."""
    sharers: tuple[Sharer, ...]
    """Who else is written in the same place of the text."""


class Unplaced(Struct, frozen=True):
    """A change that the spec has no place for."""

    change: SlotChange
    reason: str


class SavePlan(Struct, frozen=True):
    """What saving would do."""

    document: SpecDocument
    placed: tuple[Placed, ...]
    unplaced: tuple[Unplaced, ...]
    applied: AppliedEdit | None
    """The new text, read again; None where nothing can be written."""
    refusal: str | None
    """Why nothing can be written."""
    undecided: tuple[int, ...]
    """Slots whose value is shared: the person has to say whom the edit is for."""
    diff: str
    """The change as a unified diff."""

    @property
    def edits(self) -> tuple[SpecEdit, ...]:
        """All edits, in their order."""
        return tuple(edit for placed in self.placed for edit in placed.edits)


def changes_of(board: Board, state: TriageState) -> tuple[SlotChange, ...]:
    """What differs from the last save, in the order of the slots."""
    now, saved = state.edits, state.saved
    added_now = {slot for slots in now.added.values() for slot in slots}
    added_before = {slot for slots in saved.added.values() for slot in slots}
    slots = {*now.configs, *saved.configs, *now.removed, *saved.removed, *added_now, *added_before, *now.texts}
    found = []
    for slot in sorted(slots):
        is_added = board.slots[slot].position is None
        there = slot not in now.removed and (not is_added or slot in added_now)
        was_there = slot not in saved.removed and (not is_added or slot in added_before)
        before = board.config(slot, saved) if was_there else None
        after = board.config(slot, now) if there else None
        typed = now.texts[slot] if there and was_there and now.is_typed(slot, saved) else None
        if not same_config(before, after) or typed is not None:
            position, siblings = _place_of(board, slot, state)
            found.append(SlotChange(slot, board.slots[slot].stimulus, position, before, after, siblings, typed))
    return tuple(found)


def _place_of(board: Board, slot: int, state: TriageState) -> tuple[int | None, tuple[GraderConfig, ...]]:
    """Where a slot stands among the graders that its trials were left with by the last save, and these."""
    own, keys = board.slots[slot], board.trials_of(slot)
    if not keys:
        return (None, ()) if own.position is None else (0, (board.config(slot, state.saved),))
    slots = board.slots_of(keys[0], state.saved)
    siblings = tuple(board.config(each, state.saved) for each in slots)
    if slot in slots:
        return slots.index(slot), siblings
    if own.position is None:
        return None, siblings
    before = [place for each in slots if (place := board.slots[each].position) is not None and place < own.position]
    return len(before), siblings


def grader_in(document: SpecDocument, board: Board, slot: int, state: TriageState) -> SpecGrader | None:
    """The grader of a spec that a slot is, as it was saved last; None where there is none, or several could be meant."""
    stimulus = document.spec.stimulus(board.slots[slot].stimulus)
    position, siblings = _place_of(board, slot, state)
    if stimulus is None or position is None or slot in state.saved.removed:
        return None
    return _found(stimulus, siblings, position, board.config(slot, state.edits))


def _found(
    stimulus: SpecStimulus, siblings: tuple[GraderConfig, ...], position: int, after: GraderConfig | None
) -> SpecGrader | None:
    wanted = {} if after is None else {position: after}
    place = aligned(siblings, stimulus.configs, wanted)[position]
    return None if place is None else stimulus.graders[place]


def saved_by(plan: SavePlan, state: TriageState) -> TriageState:
    """The state after a plan was written: all edits are on disk, but for those that the spec has no place for."""
    left_out = frozenset(unplaced.change.slot for unplaced in plan.unplaced)
    return update.mark_saved(state, state.edits.with_slots_of(state.saved, left_out))


def plan_save(
    changes: Sequence[SlotChange], document: SpecDocument, path: str, sharing: Mapping[int, Sharing] | None = None
) -> SavePlan:
    """What saving these changes into a spec would write; ``sharing`` is what the person chose for slots that share."""
    placed: list[Placed] = []
    unplaced: list[Unplaced] = []
    for change in changes:
        outcome = _place(change, document, sharing or {})
        if isinstance(outcome, Placed):
            placed.append(outcome)
        else:
            unplaced.append(outcome)
    chosen = sharing or {}
    undecided = tuple(one.change.slot for one in placed if one.sharers and one.change.slot not in chosen)
    edits = [edit for one in placed for edit in one.edits]
    applied = refusal = None
    if placed and not edits:
        # The spec says all of it already.
        applied = AppliedEdit(document.text, document)
    elif not undecided and edits:
        try:
            applied = apply(document, edits)
        except SpecEditRefused as error:
            refusal = str(error)
    diff = unified_diff(document.text, applied.text, path) if applied is not None else ""
    return SavePlan(document, tuple(placed), tuple(unplaced), applied, refusal, undecided, diff)


def _place(change: SlotChange, document: SpecDocument, sharing: Mapping[int, Sharing]) -> Placed | Unplaced:
    stimulus = document.spec.stimulus(change.stimulus)
    if stimulus is None:
        return Unplaced(change, f"the spec has no stimulus {change.stimulus!r}")
    if change.before is None:
        assert change.after is not None
        count = len(stimulus.graders)
        place = count if change.position is None else min(change.position, count)
        edit = AddGrader(stimulus.name, stimulus.index, place, as_mapping(change.after))
        return _placed(change, document, (edit,), place + 1, stimulus.line, "a new grader", False, sharing)
    grader = None
    if change.position is not None:
        grader = _found(stimulus, change.siblings or (change.before,), change.position, change.after)
    if grader is None:
        return Unplaced(change, f"{change.stimulus} in the spec has no grader like {change.before.label}")
    differs = grader.config != change.before
    number = grader.address.index + 1
    if change.after is None:
        removal = RemoveGrader(grader.address, as_mapping(grader.config))
        return _placed(change, document, (removal,), number, grader.line, "the grader", differs, sharing)
    edits = edits_between(grader.address, grader.config, merged(grader.config, change.before, change.after))
    keys = _keys(edits)
    if change.typed is not None:
        typed = _typed_edits(change.typed, change.after, document, grader)
        keys = "the text of the grader" if typed else f"{keys}; typed comments are left out, as its text has changed"
        edits = typed or edits
    return _placed(change, document, edits, number, grader.line, keys, differs, sharing)


def _typed_edits(
    typed: TypedText, after: GraderConfig, document: SpecDocument, grader: SpecGrader
) -> tuple[SpecEdit, ...]:
    """The edits that put a typed text in a grader's place; none where it stands there otherwise, or they are refused."""
    says = read_text(typed.text)
    if says is None or not is_of(typed, document, grader):
        return ()
    whole = ReplaceGrader(grader.address, typed.text, as_mapping(grader.config))
    edits = (whole, *edits_between(grader.address, says, after))
    try:
        apply(document, edits)
    except SpecEditRefused:
        return ()
    return edits


def _placed(
    change: SlotChange,
    document: SpecDocument,
    edits: tuple[SpecEdit, ...],
    number: int,
    line: int,
    keys: str,
    differs: bool,
    sharing: Mapping[int, Sharing],
) -> Placed:
    shared = tuple(dict.fromkeys(sharer for edit in edits for sharer in others_changed(document, edit)))
    choice = sharing.get(change.slot)
    if shared and choice is not None:
        edits = tuple(replace(edit, sharing=choice) if others_changed(document, edit) else edit for edit in edits)
    return Placed(change, edits, number, line, keys, differs, shared)


def _keys(edits: Sequence[SpecEdit]) -> str:
    return ", ".join(dict.fromkeys(_key_words(edits))) or "the spec says so already"


def _key_words(edits: Sequence[SpecEdit]) -> Iterator[str]:
    for edit in edits:
        if isinstance(edit, RenameKey):
            yield f"{'.'.join(map(str, edit.key))} becomes {edit.to}"
        elif not isinstance(edit, AddGrader | RemoveGrader) and hasattr(edit, "key"):
            yield ".".join(map(str, edit.key))
        else:
            yield "the whole grader"
