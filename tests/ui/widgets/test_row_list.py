import pytest
from textual.pilot import Pilot
from textual.strip import Strip

from tests.ui.widgets.screens import OneWidget, shown
from vally_tui.triage.views_model import EmptyView
from vally_tui.ui.render.row import Row
from vally_tui.ui.widgets.row_list import RowList, thumb


class Numbers(RowList):
    """Rows that say their number; every tenth is a heading. Remembers what it was asked to draw."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[int] = set()
        self.moved: list[int] = []
        self.follow = self.moved.append

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        self.asked.add(index)
        return Row(width).put(f"{'>' if is_cursor else ' '}{index}").strip()

    def selectable(self, index: int) -> bool:
        return index % 10 != 0


async def _with(rows: Numbers, pilot: Pilot[None], count: int, cursor: int | None = None) -> None:
    rows.set_rows(count, cursor=cursor)
    await pilot.pause()


async def test_only_the_rows_in_view_are_drawn() -> None:
    rows = Numbers()
    async with OneWidget(rows).run_test(size=(20, 8)) as pilot:
        await _with(rows, pilot, 100_000, 50_001)
        assert len(rows.asked) <= 16
        assert rows.visible_rows == range(49_994, 50_002)


async def test_the_cursor_passes_headings() -> None:
    rows = Numbers()
    async with OneWidget(rows).run_test(size=(20, 8)) as pilot:
        await _with(rows, pilot, 30, 0)
        assert rows.cursor == 1
        rows.move_to(9)
        rows.action_cursor_down()
        assert rows.cursor == 11
        rows.action_cursor_up()
        assert rows.cursor == 9
        await pilot.pause()
        assert rows.moved == [9, 11, 9]


async def test_at_the_top_the_heading_above_the_first_row_is_seen() -> None:
    rows = Numbers()
    app = OneWidget(rows)
    async with app.run_test(size=(20, 4)) as pilot:
        await _with(rows, pilot, 30, 25)
        rows.action_first()
        await pilot.pause()
        assert shown(app)[:2] == [" 0", ">1"]


async def test_pages_and_ends() -> None:
    rows = Numbers()
    async with OneWidget(rows).run_test(size=(20, 8)) as pilot:
        await _with(rows, pilot, 100, 1)
        rows.action_page_down()
        assert rows.cursor == 8
        rows.action_half_down()
        assert rows.cursor == 12
        rows.action_last()
        assert rows.cursor == 99
        rows.action_page_up()
        assert rows.cursor == 92
        rows.action_first()
        assert rows.cursor == 1
        assert rows.scroll_offset.y == 0


async def test_fewer_rows_keep_the_cursor_inside_and_none_have_none() -> None:
    rows = Numbers()
    rows.empty = EmptyView("No trial matches the filter.")
    app = OneWidget(rows)
    async with app.run_test(size=(40, 8)) as pilot:
        await _with(rows, pilot, 100, 99)
        await _with(rows, pilot, 5)
        assert rows.cursor == 4
        await _with(rows, pilot, 0)
        assert rows.cursor == -1
        assert any("No trial matches the filter." in line for line in shown(app))
        rows.action_cursor_down()
        rows.action_last()
        rows.action_page_up()
        assert rows.cursor == -1


async def test_a_click_moves_the_cursor_and_the_wheel_only_the_view() -> None:
    rows = Numbers()
    async with OneWidget(rows).run_test(size=(20, 8)) as pilot:
        await _with(rows, pilot, 100, 1)
        await pilot.click(rows, offset=(2, 4))
        assert rows.cursor == 4
        rows._scroll_row(50)
        await pilot.pause()
        assert rows.cursor == 4
        assert rows.visible_rows.start == 50


async def test_a_row_that_cannot_be_drawn_says_so_and_the_program_goes_on() -> None:
    class Broken(RowList):
        def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
            raise ValueError(index)

    rows = Broken()
    app = OneWidget(rows)
    async with app.run_test(size=(40, 3)) as pilot:
        rows.set_rows(2)
        await pilot.pause()
        assert shown(app)[0].startswith("! this row could not be drawn")


@pytest.mark.parametrize(
    ("size", "rows", "visible", "position", "cells"),
    [
        (10, 100, 10, 0, (0, 1)),
        (10, 100, 10, 90, (9, 10)),
        (10, 20, 10, 10, (5, 10)),
        (10, 5, 10, 0, (0, 0)),
        (0, 5, 0, 0, (0, 0)),
    ],
)
def test_the_thumb_shows_which_part_is_visible(
    size: int, rows: int, visible: int, position: int, cells: tuple[int, int]
) -> None:
    assert thumb(size, rows, visible, position) == cells


class Details(RowList):
    """Rows of which the one at the cursor has details."""

    height = 5

    def cursor_height(self, index: int, width: int) -> int:
        return self.height

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        return Row(width).put(f"{index}.{part}").strip()


async def test_a_list_that_shrinks_to_its_room_leaves_none_of_it_empty() -> None:
    rows = Details()
    app = OneWidget(rows)
    async with app.run_test(size=(20, 5)) as pilot:
        rows.set_rows(5, cursor=4)
        await pilot.pause()
        assert shown(app) == ["4.0", "4.1", "4.2", "4.3", "4.4"]
        rows.height = 1
        rows.set_rows(5)
        await pilot.pause()
        assert shown(app) == ["0.0", "1.0", "2.0", "3.0", "4.0"]
