"""Whether every row on the screen is what it would be if it were drawn now, with nothing kept from before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from textual.app import App
from textual.strip import Strip

from tests.ui.strips import strips
from vally_tui.ui.render.lines import Lines
from vally_tui.ui.widgets.diff_pane import DiffView
from vally_tui.ui.widgets.graders_pane import GraderList
from vally_tui.ui.widgets.themed import Themed
from vally_tui.ui.widgets.trials_pane import TrialList


def stale_rows(app: App[Any]) -> list[str]:
    """Each row of the current screen that shows something else than it should: its widget, number, and both texts."""
    found = []
    compositor = app.screen._compositor
    strips(app)
    for widget in app.screen.walk_children(Themed):
        if widget not in compositor.visible_widgets or widget.styles.gutter:
            continue
        width, height = widget.scrollable_content_region.size
        shown = widget.render_lines(widget.size.region)[:height]
        with _nothing_kept(widget):
            for y, strip in enumerate(shown):
                now = widget.draw_row(y, width).adjust_cell_length(width)
                for line_filter in widget.get_line_filters():
                    now = now.apply_filter(line_filter, widget.background_colors[1])
                if _cells(now) != _cells(strip.crop(0, width)):
                    found.append(f"{widget!r} row {y}: {strip.text!r} instead of {now.text!r}")
    return found


def _cells(strip: Strip) -> list[tuple[object, ...]]:
    """What is seen of a strip: each character with its colours and attributes."""
    return [
        (character, *((style.color, style.bgcolor, style.bold, style.italic, style.underline, style.reverse)
                      if style else ()))
        for text, style, _ in strip for character in text
    ]  # fmt: skip


@contextmanager
def _nothing_kept(widget: Themed) -> Iterator[None]:
    """The widget without what it keeps of earlier drawings; it gets that back, so that looking mends nothing."""
    kept: dict[str, Any] = {"_strips": None, "_on_screen": None, "_kept_look": None}
    if isinstance(widget, GraderList):
        kept["_details"] = None
    if isinstance(widget, TrialList):
        kept["_rows"] = {}
    if isinstance(widget, DiffView):
        kept["_lines"] = Lines(widget.document)
    before = {name: getattr(widget, name) for name in kept}
    try:
        for name, value in kept.items():
            setattr(widget, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(widget, name, value)
