"""The panes together, by what the whole screen shows."""

import random

import pytest
from textual.geometry import Region

from tests.ui.demo_app import DemoApp
from tests.ui.widgets.screens import shown
from vally_tui.diffs.index import DiffIndex
from vally_tui.grading.model import Spans
from vally_tui.triage.views_model import (
    FileRow,
    FooterView,
    GraderRow,
    GroupRow,
    Highlight,
    Hint,
    Layers,
    Mark,
    Note,
    PaneTitleView,
    TitleView,
    TrialColumns,
    TrialRow,
    Word,
)
from vally_tui.ui.widgets.diff_pane import DiffPane
from vally_tui.ui.widgets.files_pane import FilesPane
from vally_tui.ui.widgets.footer_line import FooterLine
from vally_tui.ui.widgets.graders_pane import GradersPane
from vally_tui.ui.widgets.title_line import TitleLine
from vally_tui.ui.widgets.trials_pane import TrialsPane


async def test_two_columns_at_120_by_36() -> None:
    app = DemoApp()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        rows = shown(app)
    assert rows[1].startswith("━ Trials  8 of 24 failed ━━━━━━━━━━━━│─ Graders  fix-divide-by-zero")
    assert rows[3].startswith("▌ ✘   1  opus-4.5            ✘✔✔✔·   ┃▌        Pattern /raise")
    assert rows[35].startswith(" f next failure  tab pane")


async def test_one_column_at_80_by_24() -> None:
    app = DemoApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = shown(app)
    assert [row[:9] for row in rows if row.startswith(("━", "─"))] == ["━ Trials ", "─ Graders", "─ Diff  s"]
    assert any("raise ValueError\\('" in row for row in rows)
    assert any(row.startswith("▌3~1") for row in rows)


async def test_the_trials_go_at_60_columns_and_the_graders_at_40() -> None:
    app = DemoApp()
    async with app.run_test(size=(60, 16)) as pilot:
        await pilot.pause()
        assert [row[:8] for row in shown(app) if row.startswith(("━", "─"))] == ["─ Grader", "─ Diff  "]
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        assert [row[:6] for row in shown(app) if row.startswith(("━", "─"))] == ["─ Diff"]


async def test_the_active_pane_has_a_heavy_rule() -> None:
    app = DemoApp()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.press("tab")
        await pilot.pause()
        heavy = [row for row in shown(app) if row.startswith("━")]
        assert [row[:7] for row in heavy] == ["━ Files"]


async def test_graders_that_do_not_fit_are_counted_in_the_title() -> None:
    app = DemoApp()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert any("1 of 5 failed · 2 more below" in row for row in shown(app))


HOSTILE = "\x1b]0;owned\x07\x1b[31m\x9b31m\x00\r\x08\u202e\u2066[red][/][@click=app.quit]\udc80\u200b一\t"


async def test_nothing_that_a_terminal_obeys_reaches_it_from_any_pane() -> None:
    app = DemoApp()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        app.query_one(TitleLine).show(TitleView(HOSTILE, notices=(HOSTILE,), spec=HOSTILE))
        app.query_one(FooterLine).show(FooterView((Hint(HOSTILE, HOSTILE),), refusal=HOSTILE))
        rows = [GroupRow(HOSTILE, (Word(HOSTILE),)), TrialRow(1, HOSTILE, HOSTILE, Mark.FAIL, result=(Word(HOSTILE),))]
        trials, graders = app.query_one(TrialsPane), app.query_one(GradersPane)
        files, diff = app.query_one(FilesPane), app.query_one(DiffPane)
        trials.list.show(2, rows.__getitem__, TrialColumns())
        files.list.show(1, lambda index: FileRow(None, HOSTILE, HOSTILE))
        graders.list.show(
            (GraderRow(1, Mark.FAIL, HOSTILE, HOSTILE, HOSTILE, HOSTILE, evidence=HOSTILE, finding=(Word(HOSTILE),)),)
        )
        for pane in (trials, graders, files, diff):
            pane.show_title(PaneTitleView("Pane", (Note(HOSTILE),), (Note(HOSTILE),)))
        text = f"--- a\n+++ b\n@@ -0,0 +1,2 @@{HOSTILE}\n+{HOSTILE}\n+{HOSTILE}\n{HOSTILE}"
        diff.view.show(DiffIndex.build(text), Layers((Highlight(1, Spans.of((30, 40))),)))
        await pilot.pause()
        everything = "".join(strip.text for strip in app.screen._compositor.render_strips())
    bad = [c for c in everything if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000]
    assert not bad
    assert not set(everything) & set("\u202e\u2066\u200b")
    assert "[red][/][@click=app.quit]" in everything
    assert "could not be drawn" not in everything


async def test_another_theme_recolours_what_is_drawn() -> None:
    app = DemoApp()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        dark = {str(segment.style) for strip in app.screen._compositor.render_strips() for segment in strip}
        app.theme = "vally-light"
        await pilot.pause()
        light = {str(segment.style) for strip in app.screen._compositor.render_strips() for segment in strip}
    assert any("#12161d" in style for style in dark)
    assert not any("#12161d" in style for style in light)
    assert any("#fdfdfb" in style for style in light)


@pytest.mark.parametrize("scene", ["main", "edit", "empty"])
async def test_a_monkey_at_random_sizes_leaves_no_row_unpainted(scene: str) -> None:
    chance = random.Random(scene)
    app = DemoApp(scene=scene)
    keys = ["j", "k", "pagedown", "pageup", "g", "G", "right", "left", "w", "z", "tab", "shift+tab", "T"]
    async with app.run_test(size=(120, 36)) as pilot:
        for _ in range(4):
            await pilot.press(*chance.choices(keys, k=3))
            size = (chance.randint(1, 160), chance.randint(1, 50))
            await pilot.resize_terminal(*size)
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            assert [strip.cell_length for strip in strips] == [size[0]] * size[1]
            assert not any("could not be drawn" in strip.text for strip in strips)


async def test_without_colour_no_colour_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = DemoApp(scene="edit")
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        ours = [*app.query_one(TitleLine).render_lines(Region(0, 0, 120, 1))]
        ours += app.query_one(DiffPane).view.render_lines(Region(0, 0, 80, 20))
        ours += app.query_one(GradersPane).list.render_lines(Region(0, 0, 80, 6))
        colours = {style.color for strip in ours for _, style, _ in strip if style is not None}
        reversed_text = [text for strip in ours for text, style, _ in strip if style is not None and style.reverse]
    assert app.no_color
    assert "raise ValueError(" in "".join(reversed_text)
    assert all(colour is None or colour.is_default for colour in colours)
