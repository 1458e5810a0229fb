"""The trial list as rows: which trials are shown, in which order, under which headings. Formats nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from vally_tui.triage.board import FAILING, Board
from vally_tui.triage.doubting import Doubting
from vally_tui.triage.effect import Flips
from vally_tui.triage.filter import DOUBTS, FLIPPED, STATES, Sort, narrower
from vally_tui.triage.standing import Standing
from vally_tui.triage.state import TriageState


class Group(Struct, frozen=True):
    """A heading and the trials below it."""

    name: str
    level: int
    run: int
    stimuli: tuple[str | None, ...]
    """Those whose trials stand below it."""
    total: int
    """Their trials, shown or not."""


class TrialList(Struct, frozen=True):
    """The rows of the list; compare with ``stale`` before it is drawn again."""

    rows: array[int]
    """A trial's key, or ``~index`` of a group."""
    keys: array[int]
    """The trials shown, in the order of the rows."""
    groups: tuple[Group, ...]
    total: int
    """All trials on the board."""
    grouped: bool
    """Whether trials stand below their stimulus, so that a row need not name it."""

    def row_of(self, key: int) -> int | None:
        """The row of a trial, from 0; None where the filter hides it."""
        return _index_of(key, self.rows)

    def place_of(self, key: int) -> int | None:
        """Which of the trials shown it is, from 0; None where the filter hides it."""
        return _index_of(key, self.keys)


def _index_of(wanted: int, numbers: array[int]) -> int | None:
    """Where a number stands first, from 0.

    ``array.index`` makes a number of each item: 2 ms for 100,000 of them, where this takes 0.6.
    """
    needle, data = array(numbers.typecode, (wanted,)).tobytes(), numbers.tobytes()
    at = data.find(needle)
    while at % numbers.itemsize and at >= 0:
        # Parts of two numbers beside each other look the same.
        at = data.find(needle, at + 1)
    return at // numbers.itemsize if at >= 0 else None


def depends_on_verdicts(state: TriageState) -> bool:
    """Whether new verdicts can change which trials are shown or their order."""
    by_verdict = {*STATES, *DOUBTS, FLIPPED, "fails"}
    return state.sort in (Sort.FAILED, Sort.FLIPPED, Sort.SCORE) or any(
        term.key in by_verdict for term in state.filter.terms
    )


def trial_list(board: Board, state: TriageState, doubting: Doubting | None = None) -> TrialList:
    """The rows for what the person filters and sorts by."""
    board.settle_few(state.edits, state.saved)
    condition, edits, saved = state.filter, state.edits, state.saved
    shown = narrower(condition, board, edits, saved, state.with_text, doubting) if condition.terms else None
    if state.sort is Sort.STIMULUS:
        return _grouped(board, shown)
    keys = list(board.entries) if shown is None else shown(board.entries)
    rows = array("q", _ordered(board, state, keys))
    return TrialList(rows, rows, (), len(board.entries), False)


def _grouped(board: Board, shown: Callable[[Iterable[int]], list[int]] | None) -> TrialList:
    rows: array[int] = array("q")
    keys: array[int] = array("q")
    groups: list[Group] = []
    many = len(board.sources) > 1
    for run, source in enumerate(board.sources):
        by_stimulus = board.trials_by_run_and_stimulus(run)
        if many:
            rows.append(~len(groups))
            groups.append(Group(source.name, 0, run, tuple(by_stimulus), sum(map(len, by_stimulus.values()))))
        for stimulus, of_stimulus in by_stimulus.items():
            visible = of_stimulus if shown is None else shown(of_stimulus)
            if not visible:
                continue
            if len(of_stimulus) > 1:
                rows.append(~len(groups))
                groups.append(Group(stimulus or "no stimulus", int(many), run, (stimulus,), len(of_stimulus)))
            part = array("q", visible)
            rows.extend(part)
            keys.extend(part)
    return TrialList(rows, keys, tuple(groups), len(board.entries), True)


def _ordered(board: Board, state: TriageState, keys: list[int]) -> list[int]:
    """Trials, which are given in the order of reading, in the order that the person wants; it is a stable one."""
    match state.sort:
        case Sort.FAILED:
            now, pending = board.standings.get, Standing.PENDING
            there = [standing for standing in Standing if board.tally[standing] or standing is pending]
            return [key for standing in there for key in keys if now(key, pending) is standing]
        case Sort.FLIPPED:
            flips = board.flipped
            return [*(key for key in keys if key in flips), *(key for key in keys if key not in flips)]
        case Sort.SCORE:
            return _by_score(board, state, keys)
        case Sort.MODEL:
            return _by_model(board, keys)
        case Sort.DURATION:
            return sorted(keys, key=board.durations.__getitem__, reverse=True)
    return keys


def _by_score(board: Board, state: TriageState, keys: list[int]) -> list[int]:
    """The lowest score first, trials without one last."""
    scores: Mapping[int, float | None] = board.scores
    if board.scoring.weights.values:
        # Only then can a score be another one than the plain mean.
        grades = ((key, board.grade(key, state.edits)) for key in keys)
        scores = {key: grade.score if grade is not None else None for key, grade in grades}
    known = {key: score for key in keys if (score := scores.get(key)) is not None}
    return [*sorted(known, key=known.__getitem__), *(key for key in keys if key not in known)]


def _by_model(board: Board, keys: list[int]) -> list[int]:
    """By model, then by stimulus. ``trials_by_stimulus`` holds each stimulus' trials in the order of reading already."""
    wanted = set(keys) if len(keys) < len(board.entries) else board.entries.keys()
    groups: dict[str, list[int]] = {}
    models = board.models
    for _, of_stimulus in sorted((name or "", of_name) for name, of_name in board.trials_by_stimulus.items()):
        for key in of_stimulus:
            if key in wanted:
                groups.setdefault(models[key] or "", []).append(key)
    return [key for model in sorted(groups) for key in groups[model]]


def flipped(board: Board, keys: Iterable[int], state: TriageState) -> list[int]:
    """Those of the trials that are flipped."""
    board.settle_few(state.edits, state.saved)
    return [key for key in keys if key in board.flipped]


def flips_of(board: Board, slot: int, state: TriageState) -> Flips:
    """The effect of a slot's current config over all its trials; every trial is counted once."""
    return board.flips(slot, state.edits, state.saved)


def failing_count(board: Board, group: Group) -> dict[Standing, int]:
    """How many of a group's trials have each standing, worst first, without zeros."""
    counts = board.tally_of(group.run, group.stimuli)
    return {standing: counts[standing] for standing in Standing if counts[standing]}


def worst(counts: dict[Standing, int]) -> Standing | None:
    """The worst standing among the counted."""
    return next((standing for standing in FAILING if counts.get(standing)), None)
