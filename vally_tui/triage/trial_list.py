"""The trial list as rows: which trials are shown, in which order, under which headings. Formats nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from vally_tui.grading.model import State
from vally_tui.triage.board import FAILING, Board
from vally_tui.triage.doubting import Doubting
from vally_tui.triage.edits import Edits
from vally_tui.triage.filter import DOUBTS, FLIPPED, STATES, Sort, matcher
from vally_tui.triage.standing import Standing
from vally_tui.triage.state import TriageState


@dataclass(frozen=True, slots=True)
class Group:
    """A heading and the trials below it."""

    name: str
    level: int
    keys: tuple[int, ...]
    """All trials of the stimulus or run, shown or not."""


@dataclass(frozen=True, slots=True)
class TrialList:
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
        try:
            return self.rows.index(key)
        except ValueError:
            return None


def depends_on_verdicts(state: TriageState) -> bool:
    """Whether new verdicts can change which trials are shown or their order."""
    by_verdict = {*STATES, *DOUBTS, FLIPPED, "fails"}
    return state.sort in (Sort.FAILED, Sort.FLIPPED, Sort.SCORE) or any(
        term.key in by_verdict for term in state.filter.terms
    )


def trial_list(board: Board, state: TriageState, doubting: Doubting | None = None) -> TrialList:
    """The rows for what the person filters and sorts by."""
    condition, edits, saved = state.filter, state.edits, state.saved
    shown = matcher(condition, board, edits, saved, state.with_text, doubting) if condition.terms else None
    if state.sort is Sort.STIMULUS:
        return _grouped(board, shown)
    keys = [key for key in board.entries if shown is None or shown(key)]
    if state.sort is not Sort.FILE:
        keys.sort(key=_order(board, state))
    rows = array("q", keys)
    return TrialList(rows, rows, (), len(board.entries), False)


def _grouped(board: Board, shown: Callable[[int], bool] | None) -> TrialList:
    rows: array[int] = array("q")
    keys: array[int] = array("q")
    groups: list[Group] = []
    many = len(board.sources) > 1
    for run, source in enumerate(board.sources):
        by_stimulus = board.trials_by_run_and_stimulus(run)
        if many:
            everything = tuple(key for stimulus in by_stimulus.values() for key in stimulus)
            rows.append(~len(groups))
            groups.append(Group(source.name, 0, everything))
        for stimulus, of_stimulus in by_stimulus.items():
            visible = [key for key in of_stimulus if shown is None or shown(key)]
            if not visible:
                continue
            if len(of_stimulus) > 1:
                rows.append(~len(groups))
                groups.append(Group(stimulus or "no stimulus", int(many), tuple(of_stimulus)))
            rows.extend(visible)
            keys.extend(visible)
    return TrialList(rows, keys, tuple(groups), len(board.entries), True)


_SEVERITY = {standing: rank for rank, standing in enumerate(Standing)}


def _order(board: Board, state: TriageState) -> Callable[[int], tuple[object, ...]]:
    def order(key: int) -> tuple[object, ...]:
        trial = board.entries[key].trial
        match state.sort:
            case Sort.FAILED:
                return (_SEVERITY[board.standing(key, state.edits, state.saved)],)
            case Sort.FLIPPED:
                return (not board.is_flipped(key, state.edits, state.saved),)
            case Sort.SCORE:
                grade = board.grade(key, state.edits)
                return (grade is None or grade.score is None, grade.score if grade and grade.score is not None else 0)
            case Sort.MODEL:
                return (trial.model or "", trial.stimulus or "")
        return (-(trial.duration_ms or 0),)

    return order


def flipped(board: Board, keys: Iterable[int], state: TriageState) -> list[int]:
    """Those of the trials that are flipped."""
    return [key for key in keys if board.is_flipped(key, state.edits, state.saved)]


@dataclass(frozen=True, slots=True)
class Flips:
    """What an edit does to the trials that its grader applies to."""

    now_pass: tuple[int, ...]
    now_fail: tuple[int, ...]
    same: int
    no_evidence: int
    waiting: int
    unrecorded: int
    """Trials without anything to compare with."""

    @property
    def total(self) -> int:
        """All trials that the grader applies to."""
        return len(self.now_pass) + len(self.now_fail) + self.same + self.no_evidence + self.waiting + self.unrecorded


def flips_of(board: Board, slot: int, state: TriageState) -> Flips:
    """The effect of a slot's current config over all its trials; every trial is counted once."""
    now_pass: list[int] = []
    now_fail: list[int] = []
    same = lacking = waiting = unrecorded = 0
    for key in board.trials_of(slot):
        current = board.current(key, slot, state.edits)
        verdict = current.verdict
        if current.stale or verdict.state is State.PENDING:
            waiting += 1
        elif verdict.broken:
            lacking += 1
        elif verdict.passed is None:
            unrecorded += 1
        else:
            before = board.baseline(key, slot, state.edits, state.saved)
            if before is None:
                unrecorded += 1
            elif before == verdict.passed:
                same += 1
            else:
                (now_pass if verdict.passed else now_fail).append(key)
    return Flips(tuple(now_pass), tuple(now_fail), same, lacking, waiting, unrecorded)


def failing_count(board: Board, keys: Sequence[int], edits: Edits, saved: Edits) -> dict[Standing, int]:
    """How many of the trials have each standing, worst first, without zeros."""
    counts = dict.fromkeys(Standing, 0)
    for key in keys:
        counts[board.standing(key, edits, saved)] += 1
    return {standing: count for standing, count in counts.items() if count}


def worst(counts: dict[Standing, int]) -> Standing | None:
    """The worst standing among the counted."""
    return next((standing for standing in FAILING if counts.get(standing)), None)
