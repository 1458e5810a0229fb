"""Where one can go by typing a few letters: trials, graders, files of the evidence in view, stimuli. Pure.

A run may have 100,000 trials: labels are made once, and scoring can be stopped between two portions.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from vally_tui.triage.board import Board
from vally_tui.triage.fuzzy import fuzzy
from vally_tui.triage.state import TriageState
from vally_tui.triage.views import names_of

PORTION = 2_000
MANY_STIMULI = 5_000
"""With more stimuli than this only the graders of the trial in view are places."""
MOST = 50
"""Places that are shown."""


class Kind(StrEnum):
    """What a place is."""

    TRIAL = "trial"
    FILE = "file"
    STIMULUS = "stimulus"
    GRADER = "grader"


class Target(Struct, frozen=True):
    """A place to go to."""

    kind: Kind
    label: str
    key: int
    """A trial's key (of a stimulus its first one's), a file's index, or a grader's slot."""


class Found(Struct, frozen=True):
    """The places that fit best, and how many fit."""

    targets: tuple[Target, ...] = ()
    count: int = 0


def graders(board: Board, state: TriageState) -> list[Target]:
    """The graders of the trial in view, and those with a name of each other stimulus's first trial."""
    own = board.slots_of(state.trial, state.edits) if state.trial is not None else ()
    places = [
        Target(Kind.GRADER, " · ".join((str(number), *names_of(board.config(slot, state.edits)))), slot)
        for number, slot in enumerate(own, 1)
    ]
    stimuli = list(board.trials_by_stimulus.items())
    known = set(own)
    for stimulus, keys in stimuli if len(stimuli) <= MANY_STIMULI else ():
        for slot in board.slots_of(keys[0], state.edits) if keys else ():
            name = board.config(slot, state.edits).name
            if name and slot not in known:
                known.add(slot)
                places.append(Target(Kind.GRADER, f"{name} · {stimulus or 'no stimulus'}", slot))
    return places


def trial_with(board: Board, state: TriageState, slot: int) -> int | None:
    """The trial to see a grader in: the one in view, else the first that it fails, else its first; None without any."""
    keys = [key for key in board.trials_of(slot) if key in board.entries and slot in board.slots_of(key, state.edits)]
    if state.trial in keys:
        return state.trial
    failing = (key for key in keys if board.current(key, slot, state.edits).verdict.passed is False)
    return next(failing, keys[0] if keys else None)


def find(targets: Sequence[Target], typed: str, cancelled: Callable[[], bool] = lambda: False) -> Found | None:
    """The best places for what is typed, the best first; None when it was cancelled. Nothing typed: the first places."""
    if not typed.strip():
        return Found(tuple(targets[:MOST]), len(targets))
    score = fuzzy(typed)
    best: list[tuple[int, int]] = []
    count = 0
    for start in range(0, len(targets), PORTION):
        if cancelled():
            return None
        scored = [
            (value, start + index)
            for index, target in enumerate(targets[start : start + PORTION])
            if (value := score(target.label)) is not None
        ]
        count += len(scored)
        best = heapq.nsmallest(MOST, best + scored)
    return Found(tuple(targets[index] for _, index in best), count)
