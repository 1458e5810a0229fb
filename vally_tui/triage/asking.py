"""What the judging service is asked for, and in which order, when trials, edits or the view change."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from vally_tui.triage.board import Asked, Board
from vally_tui.triage.judge import JudgingService
from vally_tui.triage.state import TriageState


class Desk(Protocol):
    """Where board, state and service lie together."""

    board: Board
    state: TriageState
    service: JudgingService


def ask_for_new(desk: Desk, added: Sequence[int]) -> None:
    """Ask for all verdicts on trials that were just read."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for key in added:
        if desk.board.entries[key].trial.has_trajectory:
            alike.setdefault(desk.board.slots_of(key, desk.state.edits), []).append(key)
    by_slot: dict[int, list[int]] = {}
    for slots, keys in alike.items():
        for slot in slots:
            by_slot.setdefault(slot, []).extend(keys)
    for slot, keys in by_slot.items():
        for place, asked in _questions(desk, slot):
            desk.service.more(place, asked, sorted(keys))


def ask_for_missing(desk: Desk) -> None:
    """Ask for all verdicts that are not known: of the graders as they are, and of what edits are compared with."""
    board, edits = desk.board, desk.state.edits
    for slot in sorted(board.slots, key=lambda slot: slot not in edits.configs):
        for place, asked in _questions(desk, slot) if slot not in edits.removed else ():
            missing = _in_order(desk, slot, board.missing(slot, asked))
            if missing:
                desk.service.want(place, asked, missing)


def _questions(desk: Desk, slot: int) -> Iterator[tuple[int, Asked]]:
    """What is asked of a slot: by its config now, and by the one that its verdicts are compared with where it is edited.

    The service knows one question of a slot; the second one goes by a number of its own.
    """
    board, edits, saved = desk.board, desk.state.edits, desk.state.saved
    now = board.asked(slot, edits)
    if now is not None:
        yield slot, now
    is_edited = slot in edits.configs or slot in saved.configs
    if is_edited and (board.slots[slot].position is not None or slot in saved.configs):
        before = board.asked(slot, saved)
        if before is not None and before != now:
            yield ~slot, before


def ask_for_edits(desk: Desk, before: TriageState) -> None:
    """Ask for the verdicts that an edit has made unknown, the trial in view first."""
    edits = desk.state.edits
    slots = {*edits.configs, *before.edits.configs}
    for slot in slots:
        if desk.board.config(slot, edits) is desk.board.config(slot, before.edits):
            continue
        asked = desk.board.asked(slot, edits)
        if asked is None:
            desk.service.forget(slot)
        else:
            missing = _in_order(desk, slot, desk.board.missing(slot, asked))
            desk.service.want(slot, asked, missing, typing=True)
            if len(missing) == len(desk.board.trials_of(slot)):
                # Nothing is known of the new question yet: what is shown stays until it is.
                continue
        desk.board.touch(desk.board.trials_of(slot))
    if edits.added != before.edits.added or edits.removed != before.edits.removed:
        _restand_structure(desk, before)


def ask_again(desk: Desk, slot: int, asked: Asked) -> None:
    """Ask for what is missing of a slot, also where its pattern was stopped before."""
    desk.service.want(slot, asked, _in_order(desk, slot, desk.board.missing(slot, asked)), again=True)


def _restand_structure(desk: Desk, before: TriageState) -> None:
    edits = desk.state.edits
    slots = edits.removed ^ before.edits.removed
    slots |= {slot for added in (*edits.added.values(), *before.edits.added.values()) for slot in added}
    for slot in slots:
        asked = desk.board.asked(slot, edits)
        keys = desk.board.trials_of(slot)
        if asked is not None:
            desk.service.want(slot, asked, _in_order(desk, slot, desk.board.missing(slot, asked)))
        desk.board.touch(keys)


def _in_order(desk: Desk, slot: int, keys: list[int]) -> list[int]:
    """The trial in view first; trials without a trajectory are not judged."""
    judgeable = desk.board.judgeable(slot, keys)
    if desk.state.trial in judgeable:
        judgeable.remove(desk.state.trial)
        judgeable.insert(0, desk.state.trial)
    return judgeable


def ask_for_view(desk: Desk) -> None:
    """Ask for the matches in the trial in view, those of the focused grader first."""
    key = desk.state.trial
    if key is None or key not in desk.board.entries or not desk.board.entries[key].trial.has_trajectory:
        return
    wanted: list[tuple[int, Asked]] = []
    for slot in desk.board.slots_of(key, desk.state.edits):
        asked = desk.board.asked(slot, desk.state.edits)
        shown = desk.board.in_view(key, slot, desk.state.edits)
        if asked is not None and (shown is None or shown.stale) and not desk.board.is_refused(key, slot, asked):
            wanted.append((slot, asked))
    wanted.sort(key=lambda pair: pair[0] != desk.state.slot)
    desk.service.view(key, wanted)
