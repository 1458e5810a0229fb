import pytest
from textual.pilot import Pilot

from tests.ui.widgets.screens import OneWidget, shown
from vally_tui.diffs.index import DiffIndex
from vally_tui.grading.model import Spans
from vally_tui.triage.views_model import EmptyView, Highlight, Hint, Layers, Mark
from vally_tui.ui.render.document import PlainText
from vally_tui.ui.widgets.diff_pane import DiffView

SMALL = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,6 +1,6 @@
 one
 two
 three
-old
+new
 six
 seven
@@ -20,2 +20,2 @@ def f():
-x = 1
+x = 2
 y
diff --git a/b.py b/b.py
--- a/b.py
+++ b/b.py
@@ -1 +1 @@
-p
+q
"""


class Watched(DiffView):
    """Remembers what it said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[tuple[int, int | None, int | None]] = []
        self.follow = self._remember

    def _remember(self) -> None:
        at = self.position
        self.said.append((at.row, at.file, at.hunk))


async def _show(pilot: Pilot[None], view: DiffView, text: str, layers: Layers = Layers()) -> None:  # noqa: B008  (frozen)
    view.show(DiffIndex.build(text), layers)
    await pilot.pause()


async def test_every_raw_line_has_its_row() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(120, 30)) as pilot:
        await _show(pilot, view, SMALL)
        drawn = [row[16:] for row in shown(app)]
        assert drawn[: SMALL.count("\n")] == SMALL.rstrip("\n").split("\n")


async def test_hunks_and_files_are_stepped_through_and_said() -> None:
    view = Watched()
    async with OneWidget(view).run_test(size=(120, 10)) as pilot:
        await _show(pilot, view, SMALL)
        assert view.step_hunk(1)
        assert view.step_hunk(1)
        assert view.step_file(1)
        assert not view.step_file(1)
        assert view.step_hunk(-1)
        await pilot.pause()
        assert view.said == [(3, 0, 0), (11, 0, 1), (15, 1, None), (11, 0, 1)]


async def test_a_place_far_to_the_right_and_below_is_brought_into_view() -> None:
    view = DiffView()
    app = OneWidget(view)
    text = SMALL + "diff --git a/c b/c\n--- a/c\n+++ b/c\n@@ -0,0 +1 @@\n+" + "x" * 500 + "NEEDLE" + "x" * 500 + "\n"
    async with app.run_test(size=(120, 10)) as pilot:
        await _show(pilot, view, text)
        at = text.index("NEEDLE")
        view.go_offset(at, at + 6)
        await pilot.pause()
        assert any("NEEDLE" in row for row in shown(app))
        view.go_offset(0)
        await pilot.pause()
        assert shown(app)[0].endswith("diff --git a/a.py b/a.py")


async def test_a_place_asked_for_before_there_is_a_size_is_shown_afterwards() -> None:
    view = DiffView()
    text = "+" + "x" * 400 + "NEEDLE\n"
    view.document = PlainText(text)
    app = OneWidget(view)
    async with app.run_test(size=(60, 5)) as pilot:
        view.grown()
        view.go_offset(text.index("NEEDLE"))
        await pilot.pause()
        assert any("NEEDLE" in row for row in shown(app))


async def test_a_place_of_another_document_is_not_looked_for_once_there_is_a_size() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(120, 10)) as pilot:
        view.display = False
        await pilot.pause()
        await _show(pilot, view, SMALL)
        view.go_offset(SMALL.index("x = 2"))
        view.show_empty(EmptyView("Nothing recorded"))
        view.display = True
        await pilot.pause()
        assert "Nothing recorded" in "".join(shown(app))


async def test_wrapping_shows_all_of_a_long_line_and_keeps_the_cursor() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(43, 12)) as pilot:
        view.show(PlainText("first\n" + "a" * 30 + "b" * 30 + "\nlast"))
        view.go_row(2)
        view.toggle_wrap()
        await pilot.pause()
        width = view.geometry.text_width
        text = "".join(row[view.geometry.text :] for row in shown(app)[1:4])
        assert width < 60
        assert text.replace(" ", "") == ("a" * 30 + "b" * 30 + "last")[: len(text.replace(" ", ""))]
        assert view.cursor == 2
        assert [row for row in shown(app) if row.startswith("▌")] == [row for row in shown(app) if "last" in row]


async def test_folded_context_is_one_row_that_a_match_in_it_opens() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(120, 30)) as pilot:
        await _show(pilot, view, SMALL)
        view.toggle_folded()
        await pilot.pause()
        assert any("… 3 rows of context" in row for row in shown(app))
        assert not any(row.endswith(" two") for row in shown(app))
        view.go_offset(SMALL.index(" two"))
        await pilot.pause()
        assert any(row.endswith(" two") for row in shown(app))


async def test_other_layers_recolour_the_same_document_in_place() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(120, 30)) as pilot:
        await _show(pilot, view, SMALL)
        at = SMALL.index("old")
        view.set_layers(Layers((Highlight(3, Spans.of((at, at + 3))),)))
        await pilot.pause()
        assert [row for row in shown(app) if row.startswith(" 3 ")] == [" 3      4       -old"]


async def test_what_is_copied_is_the_raw_line_or_the_marked_text() -> None:
    view = DiffView()
    raw = "+a\tb\x1b[31m一二\n+next\n"
    async with OneWidget(view).run_test(size=(80, 6)) as pilot:
        view.show(PlainText(raw))
        await pilot.pause()
        assert view.copy_text() == "+a\tb\x1b[31m一二"
        text = view.geometry.text
        await pilot.mouse_down(view, offset=(text + 1, 0))
        await pilot.hover(view, offset=(text + 1, 1))
        await pilot.mouse_up(view, offset=(text + 1, 1))
        assert view.copy_text() == "a\tb\x1b[31m一二\n+n"


async def test_an_absent_evidence_says_why_and_what_to_do() -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(80, 20)) as pilot:
        await _show(pilot, view, SMALL)
        view.show_empty(
            EmptyView("Turn 1 has no recorded diff.", Mark.NO_EVIDENCE, ("Why.",), (Hint("R", "read again"),), "Aside.")
        )
        await pilot.pause()
        text = "\n".join(shown(app))
        assert "? Turn 1 has no recorded diff." in text
        assert "R  read again" in text
        for action in ("cursor_down", "page_down", "last", "first", "right", "choose", "half_up"):
            getattr(view, f"action_{action}")()
        view.toggle_wrap()
        view.toggle_folded()
        assert not view.step_hunk(1)
        assert view.copy_text() == ""


async def test_the_text_goes_sideways_no_further_than_its_longest_line_in_view() -> None:
    view = DiffView()
    async with OneWidget(view).run_test(size=(60, 6)) as pilot:
        view.show(PlainText("x" * 70))
        await pilot.pause()
        for _ in range(20):
            view.action_right()
        assert 70 - view.geometry.text_width <= view.side < 70
        view.action_left()
        assert view.side >= 0


@pytest.mark.parametrize("size", [(200, 60), (80, 24), (40, 12), (10, 3), (1, 1)])
async def test_every_size_is_painted_whole(size: tuple[int, int]) -> None:
    view = DiffView()
    app = OneWidget(view)
    async with app.run_test(size=(120, 30)) as pilot:
        await _show(pilot, view, SMALL)
        view.toggle_wrap()
        await pilot.resize_terminal(*size)
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert [strip.cell_length for strip in strips] == [size[0]] * size[1]
        assert not any("could not be drawn" in strip.text for strip in strips)


async def test_a_document_that_grows_keeps_its_place() -> None:
    view = DiffView()
    index = DiffIndex.build(SMALL)
    growing = DiffIndex(SMALL, index.sections[:1])
    async with OneWidget(view).run_test(size=(120, 30)) as pilot:
        view.show(growing)
        view.go_row(5)
        growing.extend(index.sections[1:])
        view.grown()
        await pilot.pause()
        assert view.cursor == 5
        assert view.step_file(1)
