"""Results by stimulus: how many trials passed, pass@k, pass^k, the mean score; variants or runs beside each other. Pure.

A trial counts when its standing is passed or failed; the others are told beside the count, so that all trials are there.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from vally_tui.grading.model import Verdict
from vally_tui.grading.score import grade_trial, pass_at_k, pass_to_the_k
from vally_tui.triage.board import Board, Entry
from vally_tui.triage.standing import Standing, standing_of
from vally_tui.triage.state import TriageState


class Cell(Struct, frozen=True):
    """The trials of one stimulus in one column."""

    passed: int = 0
    counted: int = 0
    """Trials that passed or failed."""
    others: int = 0
    """Trials without evidence, with an error, skipped or not judged yet."""
    mean: float | None = None
    """Of the scores of the counted trials."""
    first_failing: int | None = None
    """Key of the first trial that did not pass."""
    first: int | None = None

    def pass_at(self, k: int) -> float | None:
        """The chance that one of k trials passes."""
        return pass_at_k(self.counted, self.passed, k)

    def pass_to(self, k: int) -> float | None:
        """The chance that k trials all pass."""
        return pass_to_the_k(self.counted, self.passed, k)


EMPTY_CELL = Cell()


class StimulusRow(Struct, frozen=True):
    """One stimulus."""

    name: str
    cells: tuple[Cell, ...]
    """In the order of the table's columns."""


class StimulusTable(Struct, frozen=True):
    """All stimuli, and the variants or runs that they are compared by."""

    columns: tuple[str, ...]
    """The names of the variants or runs; one empty name where there is only one."""
    rows: tuple[StimulusRow, ...]
    total: StimulusRow
    threshold: float | None
    """The mean score from which an eval passes; None: every grader of every trial must pass."""
    largest_k: int
    """Trials of the largest cell."""
    noun: str
    """What a column is: "variant", or "run"."""


def stimulus_table(board: Board, state: TriageState) -> StimulusTable:
    """The table of all trials on the board, as they are judged now."""
    tallies: dict[str, dict[str, _Tally]] = {}
    totals: dict[str, _Tally] = {}
    for key, entry in list(board.entries.items()):
        column = _column(board, entry)
        verdicts = board.verdicts(key, state.edits)
        standing = standing_of(entry.trial, verdicts)
        score = _score(board, state, key, verdicts) if standing in _COUNTED else None
        for tally in (
            tallies.setdefault(entry.trial.stimulus or "no stimulus", {}).setdefault(column, _Tally()),
            totals.setdefault(column, _Tally()),
        ):
            tally.add(key, standing, score)
    columns = tuple(totals)
    rows = tuple(StimulusRow(name, _cells(cells, columns)) for name, cells in tallies.items())
    largest = max((cell.counted for row in rows for cell in row.cells), default=0)
    names = columns if len(columns) > 1 else ("",)
    total = StimulusRow("all", _cells(totals, columns))
    return StimulusTable(names, rows, total, _threshold(board), largest, _noun(board))


_COUNTED = (Standing.PASSED, Standing.FAILED)


def _score(board: Board, state: TriageState, key: int, verdicts: tuple[Verdict, ...]) -> float | None:
    """The score of a trial of which the verdicts are known already, as there may be many trials."""
    recorded = board.entries[key].trial.grade
    grade = grade_trial(
        [board.config(slot, state.edits) for slot in board.slots_of(key, state.edits)],
        verdicts,
        recorded.details if recorded else (),
        recorded.score if recorded else None,
        board.scoring.weights,
    )
    return grade.score if grade is not None else None


class _Tally:
    """Counts trials one by one."""

    def __init__(self) -> None:
        self.passed = self.counted = self.others = 0
        self.scores: list[float] = []
        self.first: int | None = None
        self.first_failing: int | None = None

    def add(self, key: int, standing: Standing, score: float | None) -> None:
        self.first = key if self.first is None else self.first
        if standing is not Standing.PASSED and self.first_failing is None:
            self.first_failing = key
        if standing not in _COUNTED:
            self.others += 1
            return
        self.counted += 1
        self.passed += standing is Standing.PASSED
        if score is not None:
            self.scores.append(score)

    def cell(self) -> Cell:
        mean = sum(self.scores) / len(self.scores) if self.scores else None
        return Cell(self.passed, self.counted, self.others, mean, self.first_failing, self.first)


def _cells(tallies: dict[str, _Tally], columns: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(tallies[column].cell() if column in tallies else EMPTY_CELL for column in columns)


def _column(board: Board, entry: Entry) -> str:
    """What a trial is compared by: its variant in an experiment, its run among several, else the recorded variant."""
    source = board.sources[entry.run]
    if len(board.sources) > 1:
        return source.variant or source.name
    return entry.trial.variant or ""


def _noun(board: Board) -> str:
    """What the names of ``_column`` name; a variant beside a run is one of the runs."""
    several = len(board.sources) > 1
    return "run" if several and not all(source.variant for source in board.sources) else "variant"


def _threshold(board: Board) -> float | None:
    """The spec's threshold, else the one that the run's summary names, if it is the same for all evals."""
    if board.scoring.threshold is not None:
        return board.scoring.threshold
    recorded = {each.threshold for summary in list(board.summaries.values()) for each in summary.evals}
    return recorded.pop() if len(recorded) == 1 else None
