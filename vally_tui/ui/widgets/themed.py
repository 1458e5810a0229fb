"""What every widget here shares: the look of the current theme, and rows that are drawn without ever raising.

Rows that say what they show are drawn only when that is something else: most of what comes in changes few of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache

from textual.app import App
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from vally_tui.ui.render.row import Row
from vally_tui.ui.render.styles import Look

STRIPS_KEPT = 256
"""Rows that stay drawn, in view or just scrolled out of it."""


@lru_cache(maxsize=4)
def _look(variables: frozenset[tuple[str, str]], dark: bool, colours: bool) -> Look:
    return Look(dict(variables), dark=dark, colours=colours)


def look_of(app: App[object]) -> Look:
    """The styles of the app's current theme."""
    return _look(frozenset(app.theme_variables.items()), app.current_theme.dark, not app.no_color)


class Themed(Widget):
    """A widget that draws its rows itself, with the styles of the theme."""

    _kept_look: Look | None = None
    _strips: dict[Hashable, Strip] | None = None
    """What a row shows -> the row as it was drawn for that."""
    _on_screen: dict[int, Hashable] | None = None
    """Row of the visible part -> what it shows on the screen."""
    _looks_soon = False
    """Whether the rows are to be compared with what is on the screen."""

    @property
    def look(self) -> Look:
        """The styles of the current theme."""
        if self._kept_look is None:
            self._kept_look = look_of(self.app)
        return self._kept_look

    def notify_style_update(self) -> None:
        """Drops the kept styles: the theme may be another one."""
        self._kept_look = None
        self.forget_drawn()
        super().notify_style_update()

    def forget_drawn(self) -> None:
        """Drops what was drawn with the styles of before."""
        self._strips = None
        self._on_screen = None

    def draw_row(self, y: int, width: int) -> Strip:
        """Row ``y`` of the visible part, from 0."""
        raise NotImplementedError

    def row_shows(self, y: int, width: int) -> Hashable | None:
        """All that decides how row ``y`` is drawn, but for the theme; None: the row is drawn every time."""
        return None

    def refresh_changed(self) -> None:
        """Draws those rows of the visible part anew, soon, that show something else then."""
        if not self._looks_soon:
            self._looks_soon = True
            self.call_later(self._refresh_changed)

    def _refresh_changed(self) -> None:
        self._looks_soon = False
        width, before = self.scrollable_content_region.width, self._on_screen or {}
        rows = [
            Region(0, y, width, 1)
            for y in range(self.scrollable_content_region.height)
            if (shown := self._shows(y, width)) is None or before.get(y) != shown
        ]
        if rows:
            self.refresh(*rows)

    def _shows(self, y: int, width: int) -> Hashable | None:
        try:
            return self.row_shows(y, width)
        except Exception as fault:  # noqa: BLE001  (an exception here would end the program; drawing the row will say so)
            self.log.error(f"row {y} of {self!r}: {fault!r}")
            return None

    def render_line(self, y: int) -> Strip:
        """Row ``y``, exactly as wide as the widget."""
        width = self.scrollable_content_region.width
        if self._strips is None or self._on_screen is None:
            self._strips, self._on_screen = {}, {}
        shown = self._shows(y, width)
        self._on_screen[y] = shown
        kept = self._strips.get(shown) if shown is not None else None
        if kept is not None:
            return kept
        try:
            strip = self.draw_row(y, width).adjust_cell_length(width)
        except Exception as fault:  # noqa: BLE001  (an exception here would end the program; the row says so instead)
            self.log.error(f"row {y} of {self!r}: {fault!r}")
            return Row(width).put("! this row could not be drawn").strip()
        if shown is not None:
            if len(self._strips) >= STRIPS_KEPT:
                self._strips.clear()
            self._strips[shown] = strip
        return strip
