"""Results by stimulus as one table, variants or runs beside each other. Counted on a thread, as trials may be 100,000."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace
from textual import events

from vally_tui.triage.views_model import Hint, Mark, Phrase, Tone, Word
from vally_tui.triage.views_stimuli import Cell, StimulusRow, StimulusTable
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cells, cut, fit, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.signs import SIGNS, TONES
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay
from vally_tui.ui.widgets.title_line import run_names

LEAST_NAME, MOST_NAME = 16, 32
GAP = 3
_SETS = (("passed", "pass@", "pass^", "score"), ("passed", "pass^", "score"), ("passed", "score"), ("passed",))
"""Values of a column; the fullest set that fits is shown."""
_NUMBER_WIDTH = 8
MOST_HEAD = 12
"""Cells that a column may have for its name alone; a time stamp's month to minute has room."""


class StimuliBox(Overlay[int]):
    """Dismisses with the trial to show: the first one of the stimulus that did not pass."""

    def __init__(self, keymap: Keymap, count: Callable[[], StimulusTable]) -> None:
        """``count`` is called on a thread."""
        super().__init__(keymap, "run.stimuli")
        self._count = count
        self._table: StimulusTable | None = None
        self._k = 0
        """0: not chosen yet."""
        self._head = 0
        """Rows above the first stimulus."""

    def opened(self) -> None:
        """Begins to count."""
        self.list.focus()
        super().opened()
        self.look_at_trials(self._count)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """The table is there."""
        message.stop()
        if isinstance(message.value, StimulusTable):
            self._table = message.value
            self._k = min(3, max(self._table.largest_k, 1))
            self.fill()

    def fill(self) -> None:
        """The table for the chosen k."""
        if self._table is None:
            self.show_title("By stimulus")
            self.show_lines([text_line(Word("counting", Tone.MUTED))])
            return
        self.show_title("By stimulus", f"k = {self._k}")
        self.show_keys(Hint("1 … 9", "choose k"), Hint("enter", "first trial that did not pass"), Hint("esc", "close"))
        lines = table_lines(self._table, self._k, self.text_width)
        self._head = next((index for index, line in enumerate(lines) if line.selectable), 0)
        self.show_lines(lines, cursor=max(self.list.cursor, self._head))

    def pressed(self, event: events.Key) -> None:
        """A digit chooses k."""
        if event.character and event.character in "123456789" and self._table is not None:
            event.stop()
            self._k = int(event.character)
            self.fill()
            return
        super().pressed(event)

    def choose(self, index: int) -> None:
        """Go to a trial of the stimulus."""
        if self._table is None or not self._head <= index < self._head + len(self._table.rows):
            return
        row = self._table.rows[index - self._head]
        keys = [cell.first_failing for cell in row.cells] + [cell.first for cell in row.cells]
        self.dismiss(next((key for key in keys if key is not None), None))


class _Grid(Struct, frozen=True):
    """Where the columns of the table stand."""

    name: int
    """Cells of the stimulus's name, its sign included."""
    values: tuple[str, ...]
    """What is told in each column."""
    starts: tuple[int, ...]
    """The first cell of each column that fits."""
    passed: int
    """Cells of the count of passed trials."""

    @property
    def column(self) -> int:
        """Cells of one column."""
        return sum(self.width(value) for value in self.values)

    def width(self, value: str) -> int:
        """Cells of one value of a column."""
        return self.passed if value == "passed" else _NUMBER_WIDTH


def _grid(table: StimulusTable, width: int) -> _Grid:
    """The fullest set of columns that fits; of many columns as many as fit with the poorest set."""
    longest = max([LEAST_NAME, *(cells(inert(row.name)) + 2 for row in table.rows)])
    count = len(table.columns)
    passed = max(len(_passed(cell)) for row in (*table.rows, table.total) for cell in row.cells) if count else 1
    head = min(max((cells(inert(_short(name))) for name in table.columns), default=0), MOST_HEAD)
    widths = [max(passed, len("passed"), head if len(values) == 1 else 0) for values in _SETS]
    grids = [_Grid(0, values, (), wide) for values, wide in zip(_SETS, widths, strict=True)]
    fitting = (grid for grid in grids if min(longest, MOST_NAME) + count * (GAP + grid.column) <= width)
    grid = next(fitting, grids[-1])
    step = GAP + grid.column
    shown = min(count, max((width - LEAST_NAME) // step, 1))
    name = max(min(longest, width - shown * step), 1)
    return replace(grid, name=name, starts=tuple(name + GAP + number * step for number in range(shown)))


def table_lines(table: StimulusTable, k: int, width: int) -> list[Line]:
    """Head, a row for each stimulus, and the total."""
    grid = _grid(table, width)
    about = [text_line(Word(row, Tone.MUTED)) for row in wrap_words(_about(table, grid, k), width)]
    names = [_names_line(table, grid)] if table.columns != ("",) else []
    return [
        *about,
        BLANK,
        *names,
        _head_line(grid, k),
        *(_row_line(row, grid, k, table.threshold, selectable=True) for row in table.rows),
        BLANK,
        _row_line(table.total, grid, k, table.threshold, selectable=False),
    ]


def _about(table: StimulusTable, grid: _Grid, k: int) -> str:
    """What a trial needs to pass, what the columns are, and what did not fit."""
    if table.threshold is None:
        sentences = ["no threshold is known: a trial passes when all its graders do"]
    else:
        sentences = [f"the eval passes with a mean score of at least {table.threshold:g}"]
    every = [cell for row in table.rows for cell in row.cells]
    if any(cell.others for cell in every):
        sentences.append("(+n): trials that are neither passed nor failed")
    if "pass@" in grid.values:
        sentences.append(f"pass@{k}: how likely it is that one of {k} trials passes")
    if "pass^" in grid.values:
        sentences.append(f"pass^{k}: that all {k} do" if "pass@" in grid.values else f"pass^{k}: all {k} trials pass")
    hidden = len(table.columns) - len(grid.starts)
    if hidden:
        sentences.append(f"{hidden} more {table.noun}{'s' * (hidden != 1)} without room here")
    return " · ".join(sentences)


def _short(name: str) -> str:
    """The name of a column where there is little room: of a time stamp what tells runs apart."""
    return run_names(name)[2]


def _names_line(table: StimulusTable, grid: _Grid) -> Line:
    room = grid.column
    fitting = (name if cells(inert(name)) <= room else _short(name) for name in table.columns)
    named = zip(grid.starts, fitting, strict=False)
    return Line(tuple((start, (Word(cut(name or f"no {table.noun}", room), Tone.STRONG),)) for start, name in named))


def _head_line(grid: _Grid, k: int) -> Line:
    head: tuple[int, Phrase] = (2, (Word("stimulus", Tone.MUTED),))
    words = {"passed": "passed", "pass@": f"pass@{k}", "pass^": f"pass^{k}", "score": "score"}
    phrase = tuple(Word(fit(words[value], grid.width(value), right=True), Tone.MUTED) for value in grid.values)
    return Line((head, *((start, phrase) for start in grid.starts)))


def _row_line(row: StimulusRow, grid: _Grid, k: int, threshold: float | None, *, selectable: bool) -> Line:
    mark = _mark(row)
    sign = Word(f"{SIGNS[mark]} ", TONES[mark], bold=True)
    name = Word(cut(row.name, grid.name - 2), Tone.MUTED if mark is Mark.PASS else Tone.PLAIN)
    parts = [
        (start, _cell_words(cell, grid, k, threshold)) for start, cell in zip(grid.starts, row.cells, strict=False)
    ]
    return Line(((0, (sign, name)), *parts), selectable=selectable)


def _mark(row: StimulusRow) -> Mark:
    if any(cell.passed < cell.counted for cell in row.cells):
        return Mark.FAIL
    return Mark.NO_EVIDENCE if any(cell.others for cell in row.cells) else Mark.PASS


def _cell_words(cell: Cell, grid: _Grid, k: int, threshold: float | None) -> Phrase:
    if not cell.counted and not cell.others:
        return (Word(fit("none", grid.passed, right=True), Tone.MUTED),)
    texts = {
        "passed": _passed(cell),
        "pass@": _share(cell.pass_at(k)),
        "pass^": _share(cell.pass_to(k)),
        "score": _share(cell.mean),
    }
    tones = dict.fromkeys(texts, Tone.PLAIN)
    if cell.passed < cell.counted:
        tones["passed"] = Tone.FAIL
    if threshold is not None and cell.mean is not None:
        tones["score"] = Tone.PASS if cell.mean >= threshold else Tone.FAIL
    return tuple(Word(fit(texts[value], grid.width(value), right=True), tones[value]) for value in grid.values)


def _passed(cell: Cell) -> str:
    return f"{cell.passed:,} of {cell.counted:,}" + (f" (+{cell.others:,})" if cell.others else "")


def _share(value: float | None) -> str:
    """A number from 0 to 1 with two places; a dash where there is none, such as pass@3 of two trials."""
    return "–" if value is None else f"{value:.2f}"
