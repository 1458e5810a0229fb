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
    toggle = "[ ] i" if size[0] > 40 else "[ ]i"
    async with opened("quickstart", size=size) as screen:
        await screen.press("e")
        await _stands_below_its_grader(screen)
        await screen.judged()
        await screen.see("+0 now pass", toggle)
        head = _row_of_edited(screen)
        assert toggle in screen.rows[head + 4]
        await screen.press("escape")
        await screen.see_no_more(toggle)


async def test_a_key_right_behind_enter_is_no_part_of_the_pattern(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("1", "e")
        await _stands_below_its_grader(screen)
        for key in ("x", "enter", "2"):
            screen.send(key)
        await screen.until(lambda: screen.grader == 2, "the second grader is focused")
        await screen.press("1")
        assert screen.pattern == r"raise ValueError\('x"


async def test_blank_right_behind_tab_sets_the_toggle(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("1", "e")
        await _stands_below_its_grader(screen)
        for key in ("x", "tab", "space", "tab", "space", "shift+tab", "shift+tab", "y"):
            screen.send(key)
        await screen.until(lambda: screen.pattern.endswith("y"), "all is typed")
        assert screen.pattern == r"(?im)raise ValueError\('xy"


async def test_a_click_on_something_else_leaves_the_field_and_keeps_what_was_typed(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("1", "e")
        await _stands_below_its_grader(screen)
        screen.send("x")
        await screen.click("diff --git")
        await screen.until(lambda: not screen.triage.field.display, "the field is gone")
        assert (screen.pane_name, screen.pattern) == ("diff", r"raise ValueError\('x")
        assert screen.session.state.typing_slot is None
        assert screen.rows[1].count("━") == 0


async def test_the_field_is_kept_while_another_window_of_the_terminal_is_in_front(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("1", "e")
        await _stands_below_its_grader(screen)
        screen.app.app_focus = False
        await screen.handled()
        await screen.press("x")
        await _stands_below_its_grader(screen)
        assert screen.pattern == r"raise ValueError\('x"


async def test_a_lower_screen_says_less_of_the_chosen_grader_and_a_higher_one_more(opened: Opener) -> None:
    async with opened("quickstart", size=(120, 30)) as screen:
        await screen.press("1")
        await screen.see("nearly")
        assert "not found in workspace diff" in screen.pane("graders")
        await screen.resize(120, 24)
        await screen.see_no_more("not found in workspace diff")
        await screen.resize(120, 25)
        await screen.see("not found in workspace diff")


async def test_keys_right_behind_the_one_that_opens_the_field_are_text(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        before = screen.pattern
        for key in ("e", "c", "d", "u"):
            screen.send(key)
        await screen.handled()

        await screen.until(lambda: screen.pattern == before + "cdu", "all three are in the pattern")


async def test_keys_right_behind_the_one_that_opens_the_filter_are_text(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        for key in ("\\", "r", "e", "t"):
            screen.send(key)

        await screen.until(lambda: screen.session.state.filter.written == "ret", "all three are in the filter")
