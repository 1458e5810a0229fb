"""From the person's edits to a spec's new text: which grader of the spec each one means, and what would be written.

Pure: nothing is read from or written to disk here. Planning reads YAML again, so it is done on a thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.apply import AppliedEdit, apply, others_changed
from vally_tui.spec.document import SpecDocument
from vally_tui.spec.edit import (
    AddGrader,
    RemoveGrader,
    RenameKey,
    Sharing,
    SpecEdit,
    as_mapping,
    edits_between,
)
from vally_tui.spec.model import SpecGrader, SpecStimulus
from vally_tui.spec.preview import unified_diff
from vally_tui.spec.sharing import Sharer
from vally_tui.triage.board import Board
from vally_tui.triage.state import TriageState


@dataclass(frozen=True, slots=True)
class SlotChange:
    """What the person did to one grader since the last save."""

    slot: int
    stimulus: str | None
    position: int | None
    """0-based place among the stimulus's graders as read; None for an added one."""
    before: GraderConfig | None
    """None: it was added."""
    after: GraderConfig | None
    """None: it was removed."""


@dataclass(frozen=True, slots=True)
class Placed:
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


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A change that the spec has no place for."""

    change: SlotChange
    reason: str


@dataclass(frozen=True, slots=True)
class SavePlan:
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
    slots = {*now.configs, *saved.configs, *now.removed, *saved.removed, *added_now, *added_before}
    found = []
    for slot in sorted(slots):
        is_added = board.slots[slot].position is None
        there = slot not in now.removed and (not is_added or slot in added_now)
        was_there = slot not in saved.removed and (not is_added or slot in added_before)
        before = board.config(slot, saved) if was_there else None
        after = board.config(slot, now) if there else None
        if before != after:
            found.append(SlotChange(slot, board.slots[slot].stimulus, board.slots[slot].position, before, after))
    return tuple(found)


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
    if not undecided and edits:
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
        edit = AddGrader(stimulus.name, stimulus.index, count, as_mapping(change.after))
        return _placed(change, document, (edit,), count + 1, stimulus.line, "a new grader", False, sharing)
    grader = find_grader(stimulus, change.before, change.position)
    if grader is None:
        return Unplaced(change, f"{change.stimulus} in the spec has no grader like {change.before.label}")
    differs = grader.config != change.before
    number = grader.address.index + 1
    if change.after is None:
        removal = RemoveGrader(grader.address, as_mapping(grader.config))
        return _placed(change, document, (removal,), number, grader.line, "the grader", differs, sharing)
    edits = edits_between(grader.address, grader.config, _merged(grader.config, change.before, change.after))
    return _placed(change, document, edits, number, grader.line, _keys(edits), differs, sharing)


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


def find_grader(stimulus: SpecStimulus, config: GraderConfig, position: int | None) -> SpecGrader | None:
    """The grader of a spec that a config means: the same one at its place, else the only same one, else by name or kind."""
    graders = stimulus.graders
    same = [grader for grader in graders if grader.config == config]
    at_place = [grader for grader in same if grader.address.index == position]
    if at_place or len(same) == 1:
        return (at_place or same)[0]
    named = [grader for grader in graders if config.name is not None and grader.config.name == config.name]
    if len(named) == 1:
        return named[0]
    if position is not None and position < len(graders):
        other = graders[position].config
        if (other.type, other.name, other.turn) == (config.type, config.name, config.turn):
            return graders[position]
    return None


def _merged(spec: GraderConfig, before: GraderConfig, after: GraderConfig) -> GraderConfig:
    """The spec's grader with what the person changed, and nothing else."""
    if spec == before:
        return after
    return GraderConfig(
        after.type if after.type != before.type else spec.type,
        after.name if after.name != before.name else spec.name,
        _merged_config(spec.config, before.config, after.config),
        after.turn if after.turn != before.turn else spec.turn,
        after.scope if after.scope != before.scope else spec.scope,
    )


def _merged_config(spec: object, before: object, after: object) -> object:
    if before == after:
        return spec
    if not (isinstance(spec, Mapping) and isinstance(before, Mapping) and isinstance(after, Mapping)):
        return after
    kept = {key: value for key, value in spec.items() if key in after or key not in before}
    return kept | {key: value for key, value in after.items() if key not in before or before[key] != value}


def _keys(edits: Sequence[SpecEdit]) -> str:
    return ", ".join(dict.fromkeys(_key_words(edits))) or "nothing"


def _key_words(edits: Sequence[SpecEdit]) -> Iterator[str]:
    for edit in edits:
        if isinstance(edit, RenameKey):
            yield f"{'.'.join(map(str, edit.key))} becomes {edit.to}"
        elif not isinstance(edit, AddGrader | RemoveGrader) and hasattr(edit, "key"):
            yield ".".join(map(str, edit.key))
        else:
            yield "the whole grader"
