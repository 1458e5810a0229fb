"""The trial list: headings, trials with their strips of signs, flips. Rows are asked for as they come into view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from rich.style import Style
from textual.strip import Strip

from vally_tui.triage.views_model import GroupRow, Mark, Phrase, Tone, TrialColumns, TrialRow, Word
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, fit
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row, phrase_cells
from vally_tui.ui.render.signs import ARROW, BAR, SIGNS, TONES, WORDS
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.widgets.pane import Pane
from vally_tui.ui.widgets.row_list import RowList

WIDE = 70
"""From so many cells on the first failing grader's result is shown."""
MARGIN = 2
SIGN_COLUMN = 2
NUMBER_COLUMN = 5
FLIP_CELLS = 10
"""``now pass`` and two blanks, or the focused grader's result; longer words are left out."""
WIDE_FLIP_CELLS = 12
"""The same in wide lists, where ``no evidence`` fits."""
LEAST_STIMULUS = 16
"""Cells of the name of a stimulus with one trial that stay before what flipped goes beside it."""
LEAST_NAME = 12
"""Cells of the first failing grader's name that stay where its result is lacking room."""
MOST_SIGNS = 12
"""Signs of a strip for which a narrow list keeps room, so that names stay readable."""

_LOUD = (Mark.FAIL, Mark.ERROR, Mark.NO_EVIDENCE)
"""Worst first."""

RowAt = Callable[[int], TrialRow | GroupRow]


class TrialsPane(Pane):
    """The trial list with its title."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.list = TrialList()
        super().__init__("Trials", self.list, Ground.SURFACE, id=id)


class TrialList(RowList):
    """The rows of the trial list; the cursor stands on trials only."""

    DEFAULT_CSS = """
    TrialList { scrollbar-background: $surface; scrollbar-background-hover: $surface;
                scrollbar-background-active: $surface; }
    """
    ground = Ground.SURFACE

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._row_at_index: RowAt | None = None
        self._keys: Sequence[int] | None = None
        self._columns = TrialColumns()
        self._rows: dict[int, TrialRow | GroupRow] = {}
        """The rows that were looked at since they were shown."""
        self._version: Hashable | None = None

    def show(
        self,
        count: int,
        row_at: RowAt,
        columns: TrialColumns,
        *,
        cursor: int | None = None,
        keys: Sequence[int] | None = None,
        version: Hashable | None = None,
    ) -> None:
        """Shows ``count`` rows that ``row_at`` makes; ``keys``: each row's trial, below 0 for a heading.

        Of one ``version`` all rows are the same, so that none is made twice; None: they may be others every time.
        """
        self._row_at_index, self._keys, self._columns = row_at, keys, columns
        if version is None or version != self._version:
            self._rows = {}
        self._version = version
        self.set_rows(count, cursor=cursor)

    def trial_at(self, index: int) -> int:
        """The trial of a row that is shown; what is known by now may have other rows."""
        return self._keys[index] if self._keys is not None else -1

    def selectable(self, index: int) -> bool:
        """Whether a row is a trial."""
        if self._keys is not None:
            return self._keys[index] >= 0
        return self._row_at_index is not None and isinstance(self._row_at_index(index), TrialRow)

    def row_content(self, index: int, part: int, width: int) -> Hashable | None:
        """The heading or trial, and the columns of all."""
        return self._row(index), self._columns

    def _row(self, index: int) -> TrialRow | GroupRow | None:
        row = self._rows.get(index)
        if row is None and self._row_at_index is not None:
            row = self._rows[index] = self._row_at_index(index)
        return row

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        """Draws a heading or a trial."""
        row = self._row(index)
        if row is None:
            return Row(width).strip()
        if isinstance(row, GroupRow):
            return group_strip(row, width, self.look)
        return trial_strip(row, self._columns, width, self.look, is_cursor=is_cursor, active=self.active)


def group_strip(group: GroupRow, width: int, look: Look) -> Strip:
    """A heading: its name, and its tally at the right; in bold while something in it failed."""
    row = Row(width, look.ground(Ground.SURFACE)).to(1 + group.level)
    tally = phrase_cells(group.tallies)
    style = look.text(Tone.STRONG) if group.failed else look.text(Tone.MUTED)
    row.put(group.name, style, limit=width - row.column - tally - MARGIN - 1)
    return row.to(width - MARGIN - tally).put_phrase(group.tallies, look).strip()


def trial_strip(
    trial: TrialRow, columns: TrialColumns, width: int, look: Look, *, is_cursor: bool, active: bool
) -> Strip:
    """A trial: sign, number, label, what flipped, strip of the graders' signs, and in wide lists the first result."""
    ground = _ground(trial, is_cursor=is_cursor, active=active)
    row = Row(width, look.ground(ground))
    put_cursor_bar(row, look, is_cursor=is_cursor, active=active)
    put_sign(row.to(SIGN_COLUMN), trial.mark, trial.before, look, dimmed=trial.dimmed)
    text = _text_style(trial, look, is_cursor=is_cursor)
    label_column = NUMBER_COLUMN + columns.number + 2
    if trial.sole:
        label_column = NUMBER_COLUMN + 1
    else:
        row.to(NUMBER_COLUMN).put(fit(trial.number, columns.number, right=True), text)
    row.to(label_column)
    if width >= WIDE:
        _put_wide(row, trial, columns, label_column, text, look, ground)
    else:
        _put_narrow(row, trial, columns, text, look, ground)
    return row.strip()


def _ground(trial: TrialRow, *, is_cursor: bool, active: bool) -> Ground:
    if is_cursor:
        return Ground.BOOST if active else Ground.PANEL
    if trial.before is None or trial.before is trial.mark:
        return Ground.SURFACE
    return {Mark.PASS: Ground.ADDED, Mark.FAIL: Ground.REMOVED}.get(trial.mark, Ground.SURFACE)


def _text_style(trial: TrialRow, look: Look, *, is_cursor: bool) -> Style:
    if is_cursor:
        return look.text(Tone.STRONG)
    quiet = trial.mark in (Mark.PASS, Mark.RECORDED, Mark.SKIPPED, Mark.PENDING) and trial.before is None
    return look.text(Tone.MUTED if quiet else Tone.PLAIN)


def put_cursor_bar(row: Row, look: Look, *, is_cursor: bool, active: bool, tone: Tone | None = None) -> None:
    """The first cell of a row: ``▌`` where the cursor stands."""
    style = look.text(tone) if tone is not None else look.cursor_bar if active else look.ink(Ink.FAINT)
    row.put_exact(BAR if is_cursor else " ", style)


def put_sign(row: Row, mark: Mark, before: Mark | None, look: Look, *, dimmed: bool = False) -> None:
    """The state of a row, and what it was before a flip: up to three cells."""
    if before is not None and before is not mark:
        row.put(SIGNS[before] + ARROW, look.text(Tone.MUTED))
    row.put(SIGNS[mark], look.text(Tone.MUTED if dimmed else TONES[mark], bold=mark is not Mark.PASS))


def _put_narrow(row: Row, trial: TrialRow, columns: TrialColumns, text: Style, look: Look, ground: Ground) -> None:
    """Label at the left, strip at the right edge, what flipped between them where there is room."""
    strip_column = row.width - MARGIN - min(max(columns.strip, 6), MOST_SIGNS)
    word_column = strip_column - FLIP_CELLS
    word = _column_word(trial, FLIP_CELLS)
    least = max(columns.label, LEAST_STIMULUS) if trial.sole else columns.label
    named = row.column + min(least, cells(inert(trial.label[:LONGEST_SHOWN])))
    if word is not None and word_column > named:
        row.put(trial.label, text, limit=word_column - row.column - 1)
        row.to(word_column).put(word.text, _word_style(word, trial, look))
    else:
        row.put(trial.label, text, limit=strip_column - row.column - 1)
    _put_signs(row.to(strip_column), trial.strip, look, ground)


def _put_wide(
    row: Row, trial: TrialRow, columns: TrialColumns, label_column: int, text: Style, look: Look, ground: Ground
) -> None:
    """Label, what flipped, strip, first result: each in its column."""
    label = max(min(max(columns.label, 8), row.width // 3), min(columns.named, row.width // 2))
    strip_column = NUMBER_COLUMN + columns.number + 2 + label + 3
    row.put(trial.label, text, limit=strip_column - 1 - label_column)
    word = _column_word(trial, WIDE_FLIP_CELLS)
    if word is not None:
        row.to(strip_column).put(word.text, _word_style(word, trial, look))
    if columns.worded or word is not None:
        strip_column += WIDE_FLIP_CELLS
    _put_signs(row.to(strip_column), trial.strip, look, ground)
    _put_result(row.to(min(strip_column + max(columns.strip + 2, FLIP_CELLS), row.width)), trial.result, look)


def _put_result(row: Row, result: Phrase, look: Look) -> None:
    """The first failing grader, cut where it must be, and its result, which is left out from the end but never cut."""
    said, named = list(result[1:]), result[:1]
    while said and phrase_cells(tuple(said)) + min(phrase_cells(named), LEAST_NAME) > row.room - MARGIN:
        said.pop()
    for word in named:
        row.put(word.text, look.text(word.tone), limit=row.room - MARGIN - phrase_cells(tuple(said)))
    row.put_phrase(tuple(said), look)


def _column_word(trial: TrialRow, room: int) -> Word | None:
    """What flipped, else the focused grader's result, where that is shorter than ``room``."""
    word = trial.column
    if trial.before is not None and trial.before is not trial.mark:
        said = {Mark.PASS: "now pass", Mark.FAIL: "now fail"}.get(trial.mark, "now " + WORDS[trial.mark])
        word = Word(said, TONES[trial.mark], bold=True)
    return word if word is not None and len(word.text) < room and cells(inert(word.text)) < room else None


def _word_style(word: Word, trial: TrialRow, look: Look) -> Style:
    return look.text(Tone.MUTED if trial.dimmed else word.tone, bold=word.bold)


def _put_signs(row: Row, strip: tuple[Mark, ...], look: Look, ground: Ground) -> None:
    """One sign for each grader: loud where it is not passed, in colour where a pass is doubtful, quiet elsewhere.

    Where not all fit the last cell is ``…``, as loud as the worst of those that are left out.
    """
    shown = strip if len(strip) <= row.room else strip[: max(row.room - 1, 0)]
    quiet = look.text(Tone.MUTED) if ground is Ground.BOOST else look.ink(Ink.FAINT)
    for mark in shown:
        loud, doubtful = mark in _LOUD, mark is Mark.DOUBTFUL
        row.put_exact(SIGNS[mark], look.text(TONES[mark], bold=loud) if loud or doubtful else quiet)
    hidden = [mark for mark in _LOUD if mark in strip[len(shown) :]]
    if len(shown) < len(strip):
        row.put_exact("…", look.text(TONES[hidden[0]], bold=True) if hidden else quiet)
