"""Where the field of an edited grader stands: over the row kept free for it, whatever grows, scrolls or is resized."""

import pytest

from tests.ui.driver import Driver, Opener


def _row_of_edited(screen: Driver) -> int:
    """The row of the screen with the head of the edited grader."""
    top = screen.triage.graders.list.region.y
    return next(y for y, row in enumerate(screen.rows) if y >= top and f"▌ {screen.grader} " in row)


async def _stands_below_its_grader(screen: Driver) -> None:
    await screen.until(
        lambda: screen.triage.field.has_focus and screen.triage.field.region.y == _row_of_edited(screen) + 1,
        "the field stands below the edited grader",
    )
    shown = screen.triage.graders.list.region
    assert shown.y <= screen.triage.field.region.y < shown.bottom


async def test_the_field_of_an_added_grader_stands_in_its_own_row(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("+")
        await _stands_below_its_grader(screen)
        assert screen.grader == 6
        await screen.type("divide")
        await screen.judged()
        await _stands_below_its_grader(screen)
        assert [row.count("divide") for row in screen.rows[8:9]] == [1]


async def test_the_field_stands_right_after_a_grader_with_a_long_finding_was_open(opened: Opener) -> None:
    async with opened("hostile") as screen:
        await screen.press("f", "f", "f", "x", "escape", "e")
        await _stands_below_its_grader(screen)
        await screen.type("a")
        await screen.drawn()
        await _stands_below_its_grader(screen)


async def test_the_field_goes_with_its_row_when_the_terminal_is_resized(opened: Opener) -> None:
    async with opened("multi-turn", size=(80, 24)) as screen:
        await screen.press("e")
        for width, height in ((60, 16), (120, 36), (40, 20), (80, 24)):
            await screen.resize(width, height)
            await _stands_below_its_grader(screen)
        await screen.resize(120, 36)
        await screen.resize(80, 24)
        await _stands_below_its_grader(screen)


async def test_the_field_is_out_of_view_with_its_row_and_keeps_what_is_typed(opened: Opener) -> None:
    async with opened("quickstart", size=(60, 16)) as screen:
        await screen.press("tab", "1", "e")
        await _stands_below_its_grader(screen)
        screen.triage.graders.list.scroll_to(y=3, animate=False, force=True, immediate=True)
        await screen.until(lambda: screen.triage.field.region.bottom <= 0, "the field is out of view")
        assert screen.triage.field.has_focus
        await screen.type("z")
        await _stands_below_its_grader(screen)
        assert screen.pattern == r"raise ValueError\('z"


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 24), (60, 16), (40, 20)])
async def test_all_rows_of_the_edited_grader_are_in_view(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("quickstart", size=size) as screen:
        await screen.press("e")
        await _stands_below_its_grader(screen)
        await screen.judged()
        await screen.see("+0 now pass", "[ ] i")
        head = _row_of_edited(screen)
        assert "[ ] i" in screen.rows[head + 4]
        await screen.press("escape")
        await screen.see_no_more("[ ] i")
