"""Where one can go by typing a few letters: trials, files of the evidence in view, stimuli. Pure.

A run may have 100,000 trials: labels are made once, and scoring can be stopped between two portions.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from vally_tui.triage.fuzzy import fuzzy

PORTION = 2_000
MOST = 50
"""Places that are shown."""


class Kind(StrEnum):
    """What a place is."""

    TRIAL = "trial"
    FILE = "file"
    STIMULUS = "stimulus"


@dataclass(frozen=True, slots=True)
class Target:
    """A place to go to."""

    kind: Kind
    label: str
    key: int
    """A trial's key (of a stimulus its first one's), or a file's index."""


@dataclass(frozen=True, slots=True)
class Found:
    """The places that fit best, and how many fit."""

    targets: tuple[Target, ...] = ()
    count: int = 0


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
