"""A list of any length that draws only the rows in view. Owns cursor and scrolling; what a row shows is its subclasses'.

The row at the cursor may be higher than one screen row. Keys are bound by the screen; the actions are here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import ClassVar

from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip

from vally_tui.triage.views_model import EmptyView
from vally_tui.ui.render.empty import empty_strips
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.themed import Themed

WHEEL_ROWS = 3


class RuleBar(ScrollBarRender):
    """The line between two columns that is a scrollbar, too: ``│``, and ``┃`` where the visible part is."""

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = Color.default(),  # noqa: B008  (an immutable default, as in the base class)
        bar_color: Color = Color.default(),  # noqa: B008
    ) -> Segments:
        """The bar's cells, top to bottom."""
        style = Style(color=bar_color, bgcolor=back_color)
        first, last = thumb(size, int(virtual_size), int(window_size), position)
        up, down, grab = (
            style + Style.from_meta({"@mouse.down": what}) for what in ("scroll_up", "scroll_down", "grab")
        )
        cells = (
            [Segment("│", up)] * first + [Segment("┃", grab)] * (last - first) + [Segment("│", down)] * (size - last)
        )
        return Segments(cells, new_lines=True)


def thumb(size: int, rows: int, visible: int, position: float) -> tuple[int, int]:
    """First and last-plus-one cell of a scrollbar's thumb; none where everything is visible."""
    if size <= 0 or rows <= visible or visible <= 0:
        return 0, 0
    length = max(round(size * visible / rows), 1)
    start = round((size - length) * min(position / (rows - visible), 1.0))
    return start, start + length


class RowList(Themed, ScrollView, can_focus=True, inherit_bindings=False):
    """A virtual list with a cursor."""

    DEFAULT_CSS = """
    RowList {
        height: 1fr;
        scrollbar-size: 0 1;
        scrollbar-color: $rule;
        scrollbar-color-hover: $rule;
        scrollbar-color-active: $primary;
        scrollbar-background: $background;
        scrollbar-background-hover: $background;
        scrollbar-background-active: $background;
    }
    """

    ALLOW_SELECT = False
    virtual_size = Reactive(Size(0, 0))
    """As the base class has it, but laying out the whole screen anew only where the list is as high as its rows."""
    ground: ClassVar[Ground] = Ground.BACKGROUND
    """What its rows lie on."""

    class Chosen(Message):
        """The row at the cursor was asked for, by key or double click."""

        def __init__(self, row_list: RowList, index: int) -> None:
            super().__init__()
            self.row_list = row_list
            self.index = index
            """The row, from 0."""

        @property
        def control(self) -> RowList:
            """The list, for ``@on`` with a selector."""
            return self.row_list

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name for it)
        super().__init__(id=id)
        self.count = 0
        """All rows."""
        self.cursor = -1
        """The row with the cursor; -1 where there is none."""
        self.follow: Callable[[int], object] | None = None
        """Told the row, from 0, where the cursor was moved to: at once, as a drawing in between would put it back."""
        self.active = False
        """Whether the list's pane has the focus; the pane says so."""
        self.empty: EmptyView | None = None
        """Said where there are no rows."""

    def on_mount(self) -> None:
        """Takes the line between the columns as its scrollbar."""
        self.vertical_scrollbar.renderer = RuleBar  # type: ignore[misc]

    # What a subclass says.

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        """Draws a row; ``part`` counts the screen rows of the row at the cursor from 0."""
        raise NotImplementedError

    def row_content(self, index: int, part: int, width: int) -> Hashable | None:
        """All that decides how a row is drawn, but for its width and what the cursor does; None: it is not known."""
        return None

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on a row."""
        return True

    def cursor_height(self, index: int, width: int) -> int:
        """How many screen rows a row has while the cursor is on it."""
        return 1

    # What the screen calls.

    def set_rows(self, count: int, *, cursor: int | None = None) -> None:
        """Says how many rows there are now; the cursor goes to ``cursor``, else stays at its number."""
        self.count = count
        wanted = self.cursor if cursor is None else cursor
        self.cursor = self._nearest(min(max(wanted, 0), count - 1), 1) if count else -1
        self._resize()
        self.show_cursor()
        self.refresh_changed()

    def move_to(self, index: int, *, say: bool = True) -> None:
        """Puts the cursor on a row and shows it; ``say``: whoever follows is told when it was elsewhere."""
        if not 0 <= index < self.count or index == self.cursor:
            self.show_cursor()
            return
        self.cursor = index
        self._resize()
        self.show_cursor()
        self.refresh_changed()
        if say and self.follow is not None:
            self.follow(index)

    def set_active(self, active: bool) -> None:
        """Says whether the pane has the focus."""
        self.active = active
        self.refresh_changed()

    @property
    def visible_rows(self) -> range:
        """The rows in view."""
        if not self.count or not self.size.height:
            return range(0)
        first, _ = self._row_at(self.scroll_offset.y)
        last, _ = self._row_at(min(self.scroll_offset.y + self.size.height, self.virtual_size.height) - 1)
        return range(first, last + 1)

    def show_cursor(self) -> None:
        """Scrolls as little as is needed to see the row at the cursor, and to leave no room empty below the last row."""
        height = self.size.height
        if not height:
            return
        highest = max(self.virtual_size.height - height, 0)
        if self.scroll_offset.y > highest:
            self._scroll_row(highest)
        if self.cursor < 0:
            return
        top = self._lead_in(self.cursor)
        bottom = self.cursor + self._cursor_rows()
        at = self.scroll_offset.y
        if top < at:
            self._scroll_row(top)
        elif bottom > at + height:
            self._scroll_row(min(bottom - height, self.cursor))

    # Arithmetic.

    def _lead_in(self, index: int) -> int:
        """The first row to show with a row: headings just above it belong to it."""
        while index > 0 and self.cursor - index < 2 and not self.selectable(index - 1):
            index -= 1
        return index

    def _cursor_rows(self) -> int:
        return max(self.cursor_height(self.cursor, self.scrollable_content_region.width), 1) if self.cursor >= 0 else 1

    def _row_at(self, line: int) -> tuple[int, int]:
        """The row and its part at a screen row of the whole list."""
        if self.cursor < 0 or line < self.cursor:
            return line, 0
        height = self._cursor_rows()
        if line < self.cursor + height:
            return self.cursor, line - self.cursor
        return line - height + 1, 0

    def _nearest(self, index: int, direction: int) -> int:
        """The next row from ``index`` on where the cursor may stand, else the one before; -1: none."""
        for step in (direction, -direction):
            at = index
            while 0 <= at < self.count:
                if self.selectable(at):
                    return at
                at += step
        return -1

    def _resize(self) -> None:
        height = self.count + self._cursor_rows() - 1 if self.count else 0
        size = Size(self.size.width, height)
        if size == self.virtual_size:
            return
        self.virtual_size = size
        if self.styles.overflow_y == "scroll" and not self.styles.auto_dimensions:
            self._scroll_update(size)
        else:
            self.refresh(layout=True)

    def _scroll_row(self, row: int) -> None:
        self.scroll_to(y=max(row, 0), animate=False, force=True, immediate=True)

    def _go(self, index: int, direction: int) -> None:
        if self.count:
            found = self._nearest(min(max(index, 0), self.count - 1), direction)
            if found >= 0:
                self.move_to(found)

    # Actions.

    def action_cursor_down(self) -> None:
        """To the next row."""
        self._go(self.cursor + 1, 1)

    def action_cursor_up(self) -> None:
        """To the row before."""
        self._go(self.cursor - 1, -1)
        if self._lead_in(self.cursor) == 0:
            self._scroll_row(0)

    def action_page_down(self) -> None:
        """A page further down."""
        self._go(self.cursor + max(self.size.height - 1, 1), 1)

    def action_page_up(self) -> None:
        """A page further up."""
        self._go(self.cursor - max(self.size.height - 1, 1), -1)

    def action_half_down(self) -> None:
        """Half a page further down."""
        self._go(self.cursor + max(self.size.height // 2, 1), 1)

    def action_half_up(self) -> None:
        """Half a page further up."""
        self._go(self.cursor - max(self.size.height // 2, 1), -1)

    def action_first(self) -> None:
        """To the first row."""
        self._go(0, 1)
        self._scroll_row(0)

    def action_last(self) -> None:
        """To the last row."""
        self._go(self.count - 1, -1)

    def action_choose(self) -> None:
        """Asks for the row at the cursor."""
        if self.cursor >= 0:
            self.post_message(self.Chosen(self, self.cursor))

    # Events.

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor, a second one chooses."""
        index, _ = self._row_at(event.y + self.scroll_offset.y)
        if 0 <= index < self.count and self.selectable(index):
            self.move_to(index)
            if event.chain == 2:
                self.action_choose()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the view, not the cursor."""
        self._wheel(WHEEL_ROWS, event)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel moves the view, not the cursor."""
        self._wheel(-WHEEL_ROWS, event)

    def _wheel(self, rows: int, event: events.MouseEvent) -> None:
        event.stop()
        event.prevent_default()
        self._scroll_row(min(self.scroll_offset.y + rows, max(self.virtual_size.height - self.size.height, 0)))

    def on_resize(self) -> None:
        """Keeps the cursor in view."""
        self.resized()

    def resized(self) -> None:
        """What has to be done for another size."""
        self._resize()
        self.show_cursor()

    # Drawing.

    def row_shows(self, y: int, width: int) -> Hashable | None:
        """The row's content, and whether the cursor is on it."""
        if not self.count:
            return ("nothing", self.empty, width, self.size.height, y)
        index, part = self._row_at(y + self.scroll_offset.y)
        if not 0 <= index < self.count:
            return ("blank", width)
        content = self.row_content(index, part, width)
        return None if content is None else (content, part, width, index == self.cursor, self.active)

    def draw_row(self, y: int, width: int) -> Strip:
        """Row ``y`` of the view."""
        ground = self.look.ground(self.ground)
        if not self.count and self.empty is not None:
            return empty_strips(self.empty, width, self.size.height, self.look, ground)[y]
        index, part = self._row_at(y + self.scroll_offset.y)
        if not 0 <= index < self.count:
            return Row(width, ground).strip()
        return self.row_strip(index, part, width, is_cursor=index == self.cursor)
