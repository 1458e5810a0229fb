"""The evidence as one continuous document: every row of the text, drawn as it comes into view. Owns cursor and scrolling.

It takes a document and the layers to draw over it; which match is the current one, and what is searched, is its caller's.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable

from msgspec import Struct
from textual import events
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from vally_tui.diffs.model import DiffLine
from vally_tui.triage.views_model import NO_LAYERS, EmptyView, Layers
from vally_tui.ui.render import folds
from vally_tui.ui.render.diff_rows import (
    Geometry,
    RowState,
    diff_strip,
    fold_strip,
    geometry_for,
    heading_strip,
    line_window,
    notice_strip,
    seen_layers,
)
from vally_tui.ui.render.document import EMPTY_DOCUMENT, Document
from vally_tui.ui.render.empty import empty_strips
from vally_tui.ui.render.lines import Lines, longest_number
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.row_map import Fold, RowMap, ScreenRow, Shown
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.pane import Pane
from vally_tui.ui.widgets.row_list import WHEEL_ROWS
from vally_tui.ui.widgets.themed import Themed

SIDE_STEP = 8
"""Cells that one step to the side moves the text."""
MARGIN = 8
"""Cells that stay visible around a place that is shown."""


class DiffPane(Pane):
    """The diff with its title."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.view = DiffView()
        super().__init__("Diff", self.view, Ground.BACKGROUND, id=id)


class DiffPosition(Struct, frozen=True):
    """Where the cursor stands."""

    row: int
    """From 0 over the whole text."""
    offset: int
    """Where that row begins, in code points."""
    file: int | None
    """Index into the document's files; None outside of files."""
    hunk: int | None
    """Index into that file's hunks; None in headers and gaps."""


class DiffView(Themed, ScrollView, can_focus=True, inherit_bindings=False):
    """The rows of the document in view."""

    DEFAULT_CSS = """
    DiffView { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: scroll; height: 1fr; }
    """
    ALLOW_SELECT = False
    virtual_size = Reactive(Size(0, 0))
    """As the base class has it, but without laying out the whole screen anew: the view keeps its size, and has no bars."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.document: Document = EMPTY_DOCUMENT
        self.drawn: Layers = NO_LAYERS
        self.empty: EmptyView | None = None
        """Said in place of the document."""
        self.cursor = 0
        """The row of the text at the cursor."""
        self.side = 0
        """Cells of the text scrolled out to the left."""
        self.wrap = False
        self.folded = False
        """Whether context is folded."""
        self.active = False
        self.follow: Callable[[], object] | None = None
        """Called when the cursor was moved: at once, as a drawing in between may put it elsewhere."""
        self._version = 0
        """Grows with each document, and where one grew: the same row may be another one."""
        self._map = RowMap(0)
        self._opened: set[int] = set()
        """Rows at which a fold was opened."""
        self._digits = 0
        self._screen_width = 0
        """Cells of the whole screen; 0 until the view has its size."""
        self._wrapped_at = 0
        self._heights: array[int] = array("Q")
        self._heights_for: tuple[Document, int] | None = None
        self._lines = Lines(EMPTY_DOCUMENT)
        self._asked: tuple[int, int] | None = None
        """A place to show, asked for before the view had a size."""
        self._mark: tuple[int, int] | None = None
        self._dragged_from: int | None = None

    # What the screen calls.

    def show(self, document: Document, layers: Layers = NO_LAYERS) -> None:
        """Shows a document from its top; a document that is shown already keeps its place."""
        self.empty = None
        self.drawn = layers
        if document is not self.document:
            self.document = document
            self.cursor, self.side = 0, 0
            self._opened = set()
            self._mark = self._asked = None
            self._scroll_row(0)
        self.grown()

    def show_empty(self, empty: EmptyView) -> None:
        """Says why there is nothing to show."""
        self.show(EMPTY_DOCUMENT)
        self.empty = empty

    def set_layers(self, layers: Layers) -> None:
        """Draws other highlights over the same document."""
        self.drawn = layers
        self.refresh_changed()

    def grown(self) -> None:
        """Reads the document's rows again: it is another one, or it has grown."""
        self._version += 1
        self._lines = Lines(self.document)
        self._digits = longest_number(self.document)
        self._lay_out()

    def set_active(self, active: bool) -> None:
        """Says whether the pane has the focus."""
        self.active = active
        self.refresh_changed()

    @property
    def position(self) -> DiffPosition:
        """Where the cursor stands."""
        return self._position(self.cursor)

    def go_row(self, row: int, *, say: bool = True) -> None:
        """Puts the cursor on a row of the text and shows it."""
        if not self.document.row_count:
            return
        row = min(max(row, 0), self.document.row_count - 1)
        moved = row != self.cursor
        self.cursor = row
        self._show_cursor()
        self.refresh_changed()
        if moved and say and self.follow is not None:
            self.follow()

    def go_offset(self, start: int, end: int | None = None, *, say: bool = True) -> None:
        """Shows a place of the text (code points): its row, unfolded, and its cells when the line is long."""
        if not self.document.row_count:
            return
        row = self.document.row_of(start)
        self._open_fold(row)
        self._show_cells(row, start, start if end is None else end)
        self.go_row(row, say=say)

    def go_file(self, index: int) -> None:
        """Shows a file from its header on."""
        if 0 <= index < len(self.document.files):
            row = self.document.files[index].row
            self.go_row(row)
            self._scroll_row(self._map.of(row))

    def step_file(self, direction: int) -> bool:
        """To the next (1) or previous (-1) file; False where there is none."""
        step = self.document.next_file_row if direction > 0 else self.document.previous_file_row
        return self._go_top(step(self.cursor))

    def step_hunk(self, direction: int) -> bool:
        """To the next (1) or previous (-1) hunk; False where there is none."""
        step = self.document.next_hunk_row if direction > 0 else self.document.previous_hunk_row
        return self._go_top(step(self.cursor))

    def scroll_rows(self, rows: int) -> None:
        """Moves the view, and the cursor with it where it would leave it."""
        self._scroll_row(self.scroll_offset.y + rows)
        at, height = self._map.of(self.cursor) if self._map.height else 0, self.size.height
        top = self.scroll_offset.y
        if self._map.height and height and not top <= at < top + height:
            edge = top if at < top else top + height - 1
            self.go_row(self._map.at(min(max(edge, 0), self._map.height - 1)).row)

    def toggle_wrap(self) -> None:
        """Wraps long lines, or scrolls them sideways again."""
        self.wrap = not self.wrap
        self.side = 0
        self._lay_out()

    def toggle_folded(self) -> None:
        """Folds context lines, or shows them again; folds that were opened close."""
        self.folded = not self.folded
        self._opened = set()
        self._lay_out()

    @property
    def has_mark(self) -> bool:
        """Whether text is marked with the mouse."""
        return self._mark is not None and self._mark[0] < self._mark[1]

    def copy_text(self) -> str:
        """The raw text that is marked with the mouse, else the line at the cursor, without its newline."""
        if not self.document.row_count:
            return ""
        if self._mark is not None and self._mark[0] < self._mark[1]:
            return self.document.text[self._mark[0] : self._mark[1]]
        line = self._lines.line(self.cursor)
        return self.document.text[line.start : line.end]

    # Layout.

    @property
    def geometry(self) -> Geometry:
        """Where the parts of a row stand now."""
        return geometry_for(self.size.width, self.app.size.width, self._digits, self.side)

    def _geometry_of(self, width: int) -> Geometry:
        """The same, for the rows of a frame: what they ask for is not looked up for each of them."""
        return geometry_for(width, self._screen_width or self.app.size.width, self._digits, self.side)

    def _lay_out(self) -> None:
        """Works out anew which screen row shows what, and keeps the cursor where it is on the screen."""
        before = self._map.of(self.cursor) - self.scroll_offset.y if self._map.height else 0
        width = self.geometry.text_width
        self._wrapped_at = width
        high = self._wrapped_heights(width) if self.wrap and width else None
        self._map = RowMap(self.document.row_count, folds.notices(self.document), self._folds(), high)
        self.cursor = min(self.cursor, max(self.document.row_count - 1, 0))
        self.virtual_size = Size(self.size.width, self._map.height)
        self._scroll_row(self._map.of(self.cursor) - before)
        self._show_cursor()
        self.refresh()

    def _wrapped_heights(self, width: int) -> array[int]:
        """Screen rows of each wrapped row; of a document that has grown only the new ones are looked at."""
        if self._heights_for != (self.document, width):
            self._heights, self._heights_for = array("Q"), (self.document, width)
        self._heights.extend(folds.heights(self.document, width, len(self._heights)))
        return self._heights

    def _folds(self) -> list[Fold]:
        made = folds.payload_folds(self.document) + (folds.context_folds(self.document) if self.folded else [])
        return sorted((fold for fold in made if fold.row not in self._opened), key=lambda fold: fold.row)

    def _open_fold(self, row: int) -> None:
        fold = self._map.fold_of(row)
        if fold is not None:
            self._opened.add(fold.row)
            self._lay_out()

    def on_resize(self) -> None:
        """Wraps anew where the width changed, and keeps the cursor in view."""
        self._screen_width = self.app.size.width
        if self.wrap and self.geometry.text_width != self._wrapped_at:
            self._lay_out()
        self.virtual_size = Size(self.size.width, self._map.height)
        self._show_cursor()
        if self._asked is not None:
            self._show_cells(self.cursor, *self._asked)
        self.refresh_changed()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """As the base class has it, but for the bar, which is not shown: moving it would arrange all widgets anew."""
        if round(old_value) != round(new_value):
            self.refresh(self.size.region)

    def _scroll_row(self, row: int) -> None:
        highest = max(self._map.height - self.size.height, 0)
        self.scroll_to(y=min(max(row, 0), highest), animate=False, force=True, immediate=True)

    def _show_cursor(self) -> None:
        """Brings the cursor's row into view: not at all where it is seen, else to a third from the top."""
        height = self.size.height
        if not height or not self._map.height:
            return
        at, top = self._map.of(self.cursor), self.scroll_offset.y
        if top <= at < top + height:
            return
        near = at in (top - 1, top + height)
        self._scroll_row((at if at < top else at - height + 1) if near else at - height // 3)

    def _show_cells(self, row: int, start: int, end: int) -> None:
        """Moves the text sideways so that a place of a line is seen; back to its beginning where that does."""
        line, width = self._lines.line(row), self.geometry.text_width
        self._asked = (start, end) if not width else None
        if self.wrap or not width:
            return
        columns = self._lines.columns(line)
        first, last = columns.column(start), columns.column(min(end, line.end))
        if last < width:
            self.side = 0
        elif not self.side <= first < self.side + width - MARGIN:
            self.side = max(first - MARGIN, 0)

    def _go_top(self, row: int | None) -> bool:
        """Puts the cursor on a row and that row near the top of the view."""
        if row is None:
            return False
        self.go_row(row)
        at, top = self._map.of(row), self.scroll_offset.y
        if at > top + self.size.height // 2:
            self._scroll_row(at - 1)
        return True

    def _position(self, row: int) -> DiffPosition:
        if not self.document.row_count:
            return DiffPosition(0, 0, None, None)
        hunk = self.document.hunk_at_row(row)
        file = self.document.file_at_row(row) if hunk is None else hunk[0]
        return DiffPosition(row, self.document.offset_of(row), file, None if hunk is None else hunk[1])

    # Rows.

    def _part(self, line: DiffLine, part: int) -> tuple[int, int] | None:
        """The stretch of a line in its screen row ``part``; None where lines are not wrapped."""
        return self._lines.part(line, part, self._wrapped_at) if self.wrap else None

    def row_shows(self, y: int, width: int) -> Hashable | None:
        """The row of the document, how it lies, and what of the layers is seen in it."""
        if self.empty is not None:
            return self.empty, width, self.size.height, y
        at = y + self.scroll_offset.y
        if not 0 <= at < self._map.height:
            return "blank", width
        shown, geometry = self._map.at(at), self._geometry_of(width)
        place = (self._version, shown, geometry, self._has_cursor(shown), self.active)
        if shown.shown is not Shown.LINE:
            return place
        line = self._lines.line(shown.row)
        part = self._part(line, shown.part)
        window = line_window(line, self._lines.columns(line), geometry, part)
        marked = self._mark if self._mark and self._mark[0] < window.end + 1 and self._mark[1] > window.start else None
        return place, part, seen_layers(line, window, self.drawn), marked

    def draw_row(self, y: int, width: int) -> Strip:
        """Row ``y`` of the view."""
        look, geometry = self.look, self._geometry_of(width)
        if self.empty is not None:
            return empty_strips(self.empty, width, self.size.height, look, look.ground(Ground.BACKGROUND))[y]
        at = y + self.scroll_offset.y
        if not 0 <= at < self._map.height:
            return Row(width, look.ground(Ground.BACKGROUND)).strip()
        shown = self._map.at(at)
        state = RowState(self._has_cursor(shown), self.active, self._mark)
        if shown.shown is Shown.NOTICE and shown.notice is not None:
            draw = heading_strip if shown.notice.heading else notice_strip
            return draw(shown.notice.text, look, geometry)
        if shown.shown is Shown.FOLD and shown.fold is not None:
            return fold_strip(folds.fold_words(shown.fold), look, geometry, state)
        line = self._lines.line(shown.row)
        state = RowState(
            state.cursor, state.active, state.selection, self._lines.tokens(line), self._part(line, shown.part)
        )
        return diff_strip(self.document.text, line, self._lines.columns(line), self.drawn, look, geometry, state)

    def _has_cursor(self, shown: ScreenRow) -> bool:
        if shown.fold is not None:
            return shown.fold.row <= self.cursor < shown.fold.row + shown.fold.count
        return shown.shown is Shown.LINE and shown.row == self.cursor

    # Actions.

    def action_cursor_down(self) -> None:
        """To the next row."""
        self.go_row(self._map.step(self.cursor, 1))

    def action_cursor_up(self) -> None:
        """To the row before."""
        self.go_row(self._map.step(self.cursor, -1))
        if self._map.of(self.cursor) == 0:
            self._scroll_row(0)

    def _move(self, rows: int) -> None:
        """Moves cursor and view by screen rows."""
        if not self._map.height:
            return
        at = min(max(self._map.of(self.cursor) + rows, 0), self._map.height - 1)
        self._scroll_row(self.scroll_offset.y + rows)
        self.go_row(self._map.at(at).row)

    def action_page_down(self) -> None:
        """A page further down."""
        self._move(max(self.size.height - 1, 1))

    def action_page_up(self) -> None:
        """A page further up."""
        self._move(-max(self.size.height - 1, 1))

    def action_half_down(self) -> None:
        """Half a page further down."""
        self._move(max(self.size.height // 2, 1))

    def action_half_up(self) -> None:
        """Half a page further up."""
        self._move(-max(self.size.height // 2, 1))

    def action_first(self) -> None:
        """To the first row."""
        self._scroll_row(0)
        self.go_row(0)

    def action_last(self) -> None:
        """To the last row."""
        self._scroll_row(self._map.height)
        self.go_row(self.document.row_count - 1)

    def action_left(self) -> None:
        """The text back from the left."""
        self._move_side(-SIDE_STEP)

    def action_right(self) -> None:
        """The text further to the left."""
        self._move_side(SIDE_STEP)

    def action_choose(self) -> None:
        """Opens the fold at the cursor."""
        self._open_fold(self.cursor)

    def _move_side(self, step: int) -> None:
        if self.wrap or (step > 0 and not self._more_to_the_right()):
            return
        self.side = max(self.side + step, 0)
        self.refresh()

    def _more_to_the_right(self) -> bool:
        """Whether a line in view goes on beyond the right edge."""
        geometry = self.geometry
        for y in range(self.scroll_offset.y, min(self.scroll_offset.y + self.size.height, self._map.height)):
            shown = self._map.at(y)
            if shown.shown is Shown.LINE:
                line = self._lines.line(shown.row)
                if line_window(line, self._lines.columns(line), geometry).end < line.end:
                    return True
        return False

    # The mouse.

    def _offset_at(self, x: int, y: int) -> int | None:
        """The code point drawn at a cell of the view; None beside the text."""
        at = y + self.scroll_offset.y
        if not 0 <= at < self._map.height:
            return None
        shown = self._map.at(at)
        if shown.shown is not Shown.LINE:
            return None
        line, geometry = self._lines.line(shown.row), self.geometry
        columns = self._lines.columns(line)
        part = self._part(line, shown.part)
        base = columns.column(part[0]) if part is not None else geometry.scroll
        last = part[1] if part is not None else line.end
        return min(columns.at(base + max(x - geometry.text, 0)).index, last)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Puts the cursor where the mouse is; marking text begins there."""
        at = event.y + self.scroll_offset.y
        if not 0 <= at < self._map.height or event.button != 1:
            return
        self._mark = None
        self._dragged_from = self._offset_at(event.x, event.y)
        self.go_row(self._map.at(at).row)
        self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Marks text while the button is held."""
        if self._dragged_from is None:
            return
        offset = self._offset_at(event.x, event.y)
        if offset is not None:
            low, high = sorted((self._dragged_from, offset))
            self._mark = (low, high + 1) if high > low else None
            self.refresh_changed()

    def on_mouse_up(self) -> None:
        """Ends marking."""
        self._dragged_from = None
        self.release_mouse()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the view."""
        self._wheel(WHEEL_ROWS, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the view."""
        self._wheel(-WHEEL_ROWS, event)

    def _wheel(self, rows: int, event: events.MouseEvent) -> None:
        event.stop()
        event.prevent_default()
        if event.shift:
            self._move_side(SIDE_STEP if rows > 0 else -SIDE_STEP)
        else:
            self._scroll_row(self.scroll_offset.y + rows)
