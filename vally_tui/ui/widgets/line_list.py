"""Rows of words at columns, for boxes: made when they come into view, however many there are. Owns no content.

The first cell of a row is the cursor's; text begins at ``LEAD`` and ends ``LEAD`` cells before the right edge, so that it
stands two cells from the box's frame while the cursor's row reaches to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from textual.strip import Strip

from vally_tui.triage.views_model import Phrase, Tone, Word
from vally_tui.ui.render.row import Row, phrase_cells
from vally_tui.ui.render.signs import BAR
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.widgets.row_list import RowList

LEAD = 2
"""Cells between a box's frame and its text."""


class Line(Struct, frozen=True):
    """One row of a box."""

    parts: tuple[tuple[int, Phrase], ...] = ()
    """(column, words), left to right; column 0 is where text begins. A part ends where the next one begins."""
    right: Phrase = ()
    """At the right edge; left out where it does not fit."""
    selectable: bool = False
    """Whether the cursor may stand here."""
    number: int = 1
    """The grader in whose look matches are drawn."""
    ground: Ground | None = None
    """What the text lies on; None: what the box lies on."""


BLANK = Line()


def text_line(*words: Word | str, indent: int = 0) -> Line:
    """A row of words from column ``indent`` on."""
    return Line(((indent, tuple(Word(word) if isinstance(word, str) else word for word in words)),))


def heading(text: str, tone: Tone = Tone.STRONG) -> Line:
    """A row that heads others."""
    return text_line(Word(text, tone, bold=True))


class LineList(RowList):
    """The rows of a box; the cursor stands on those that can be chosen."""

    DEFAULT_CSS = "LineList { height: 1fr; scrollbar-size: 0 0; }"
    ground = Ground.SURFACE

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._line_at: Callable[[int], Line] | None = None
        self._can_stand: Callable[[int], bool] | None = None
        self._scrolls = True
        self.active = True

    def show(self, lines: Sequence[Line], *, cursor: int = 0) -> None:
        """Shows these rows, with the cursor on the first one from ``cursor`` on that can be chosen."""
        self.show_made(len(lines), lines.__getitem__, lambda index: lines[index].selectable, cursor=cursor)
        if not any(line.selectable for line in lines):
            self.cursor = -1

    def show_made(
        self, count: int, line_at: Callable[[int], Line], can_stand: Callable[[int], bool], *, cursor: int = 0
    ) -> None:
        """Shows ``count`` rows that ``line_at`` makes as they come into view."""
        self._line_at, self._can_stand = line_at, can_stand
        self.set_rows(count, cursor=cursor)
        self.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.show_cursor()

    def line(self, index: int) -> Line:
        """A row."""
        return self._line_at(index) if self._line_at is not None else BLANK

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on a row."""
        return self._can_stand is not None and self._can_stand(index)

    def set_active(self, active: bool) -> None:
        """A box's list looks active while a field above it has the focus."""

    def show_cursor(self) -> None:
        """Shows also the rows that belong to the one at the cursor: those up to the next one that can be chosen."""
        height, end = self.size.height, self.cursor + 1
        while self.cursor >= 0 and end < min(self.count, self.cursor + height) and not self.selectable(end):
            end += 1
        if self.cursor >= 0 and height and end > self.scroll_offset.y + height:
            self._scroll_row(end - height)
        super().show_cursor()

    def resized(self) -> None:
        """A box grows with its rows: what stands above the cursor is seen again where there is room for it now."""
        self._scroll_row(0)
        super().resized()

    def move_by(self, rows: int) -> None:
        """Moves the cursor, or the view where there is nothing to choose."""
        if self.cursor < 0:
            self._scroll_row(min(self.scroll_offset.y + rows, max(self.count - self.size.height, 0)))
        else:
            self._go(self.cursor + rows, 1 if rows > 0 else -1)

    def action_cursor_down(self) -> None:
        """A row down."""
        self.move_by(1)

    def action_cursor_up(self) -> None:
        """A row up; above the first one that can be chosen the view goes on to the top."""
        before = self.cursor
        self.move_by(-1)
        if before == self.cursor >= 0:
            self._scroll_row(0)

    def action_page_down(self) -> None:
        """A page down."""
        self.move_by(max(self.size.height - 1, 1))

    def action_page_up(self) -> None:
        """A page up."""
        self.move_by(-max(self.size.height - 1, 1))

    def action_half_down(self) -> None:
        """Half a page down."""
        self.move_by(max(self.size.height // 2, 1))

    def action_half_up(self) -> None:
        """Half a page up."""
        self.move_by(-max(self.size.height // 2, 1))

    def action_first(self) -> None:
        """To the top."""
        if self.cursor >= 0:
            super().action_first()
        self._scroll_row(0)

    def action_last(self) -> None:
        """To the end."""
        if self.cursor >= 0:
            super().action_last()
        self._scroll_row(self.count - self.size.height)

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        """Draws a row."""
        return line_strip(self.line(index), width, self.look, is_cursor=is_cursor)


def line_strip(line: Line, width: int, look: Look, *, is_cursor: bool = False) -> Strip:
    """A row of a box, exactly ``width`` cells."""
    row = Row(width, look.ground(Ground.BOOST if is_cursor else Ground.SURFACE))
    row.put_exact(BAR if is_cursor else " ", look.cursor_bar if is_cursor else look.ink(Ink.FAINT))
    end = width - LEAD
    right = phrase_cells(line.right)
    taken = max((LEAD + column + phrase_cells(words) for column, words in line.parts[-1:]), default=0)
    # Code may give way to what stands at the right, words may not.
    has_right = bool(right) and (taken if line.ground is None else line.parts[-1][0] + LEAD) + 2 + right <= end
    room_end = end - right - 1 if has_right and line.ground is not None else end
    under = look.ground(line.ground) if line.ground is not None and not is_cursor else None
    for index, (column, words) in enumerate(line.parts):
        is_last = index + 1 == len(line.parts)
        after = room_end if is_last else line.parts[index + 1][0] + LEAD
        row.to(LEAD + column)
        for word in words:
            style = look.text(_tone(word, is_cursor), bold=word.bold, number=line.number)
            row.put(word.text, under + style if under and is_last else style, limit=min(after, end) - row.column)
        if under and is_last:
            row.to(room_end, under)
    if has_right:
        row.to(end - right)
        for word in line.right:
            row.put(word.text, look.text(_tone(word, is_cursor), bold=word.bold))
    return row.strip()


def _tone(word: Word, is_cursor: bool) -> Tone:
    return Tone.STRONG if is_cursor and word.tone is Tone.PLAIN else word.tone
