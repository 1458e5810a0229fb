"""The triage screen in terminals of any size, on hostile runs, and while its size changes."""

import re

import pytest

from tests.ui.driver import Driver, Opener
from tests.ui.strips import strips

SIZES = [(200, 60), (140, 40), (120, 36), (100, 30), (80, 24), (60, 16), (40, 12), (20, 6), (10, 3), (1, 1)]

RAW = re.compile("[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]")
"""What moves the cursor, colours, or turns text round in a terminal."""


def _is_drawn(screen: Driver, width: int, height: int) -> None:
    """Every row is there, as wide as the terminal, inert, and none says that it could not be drawn."""
    rows = strips(screen.app)
    assert len(rows) == height
    for strip in rows:
        assert strip.cell_length == width
        assert not RAW.search(strip.text), repr(strip.text)
    assert "could not be drawn" not in screen.screen_text


@pytest.mark.parametrize("run", ["quickstart", "multi-turn"])
async def test_the_screen_is_whole_at_every_size(opened: Opener, run: str) -> None:
    async with opened(run) as screen:
        for width, height in SIZES:
            await screen.resize(width, height)
            _is_drawn(screen, width, height)
        await screen.resize(120, 36)
        await screen.see("Trials", "Graders", "Diff")


async def test_every_trial_of_a_hostile_run_is_drawn_without_a_raw_sign(opened: Opener) -> None:
    async with opened("hostile", timeout=0.2) as screen:
        keys = list(screen.session.rows.keys)
        for number, (width, height) in enumerate(SIZES[:7]):
            await screen.resize(width, height)
            for key in keys[number::7]:
                screen.triage.select_trial(key)
                await screen.handled()
                _is_drawn(screen, width, height)
        assert sum(screen.tallies.values()) == 78


async def test_tab_shows_each_trial_at_80_by_24_and_what_matters_stays(opened: Opener) -> None:
    async with opened("quickstart", size=(80, 24)) as screen:
        await screen.see("✘ 6", "not found", r"raise ValueError\('", "src/calc.py")
        assert screen.pane("files") == "" or "Files" not in screen.screen_text
        for name in ("graders", "diff", "trials"):
            await screen.press("tab")
            assert screen.pane_name == name


async def test_at_60_columns_the_list_opens_over_the_screen(opened: Opener) -> None:
    async with opened("quickstart", size=(60, 16)) as screen:
        assert "fix-divide-by-zero   " not in screen.screen_text
        await screen.press("tab")
        for _ in range(3):
            if screen.triage.list_is_open:
                break
            await screen.press("tab")
        await screen.see("add-retry")
        await screen.press("escape")
        await screen.see_no_more("add-retry")


async def test_the_field_of_an_edit_stays_at_every_size(opened: Opener) -> None:
    async with opened("quickstart") as screen:
        await screen.press("e")
        for width, height in ((80, 24), (60, 16), (40, 12), (120, 36)):
            await screen.resize(width, height)
            await screen.drawn()
            await screen.see("raise ValueError")
            assert screen.triage.field.has_focus
        await screen.press("backspace")
        await screen.judged()
        await screen.see("+2 now pass")


@pytest.mark.parametrize("run", ["quickstart", "experiment"])
async def test_resizing_while_the_run_is_read_loses_nothing(opened: Opener, run: str) -> None:
    async with opened.start(run, size=(200, 60)) as screen:
        for width, height in ((40, 12), (10, 3), (40, 12), (200, 60)):
            await screen.resize(width, height)
            _is_drawn(screen, width, height)
        await screen.judged()
        await screen.see("✘ 6 failed")
        assert sum(screen.tallies.values()) == len(screen.session.board.entries)


@pytest.mark.parametrize("size", [(120, 24), (80, 24)])
async def test_the_last_row_of_a_long_list_is_seen_with_its_cursor(opened: Opener, size: tuple[int, int]) -> None:
    async with opened("quickstart", size=size) as screen:
        await screen.press("G")
        await screen.drawn()
        pane, trials = screen.triage.trials, screen.triage.trials.list
        assert trials.region.bottom == pane.region.bottom
        cursor = trials.region.y + trials.cursor - trials.scroll_offset.y
        assert screen.rows[cursor].startswith("▌ ✔   4")
        assert cursor == pane.region.bottom - 1
