"""What every widget here shares: the look of the current theme, and rows that are drawn without ever raising.

Rows that say what they show are drawn only when that is something else: most of what comes in changes few of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import Any

from rich.style import Style
from textual._styles_cache import StylesCache
from textual.app import App
from textual.filter import ANSIToTruecolor
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


@lru_cache(maxsize=4096)
def _is_true_colour(style: Style) -> bool:
    """Whether a terminal of 24 bits shows a style as it is: no colour is the terminal's own, and none is dimmed."""
    return not style.dim and all(colour is None or colour.triplet for colour in (style.color, style.bgcolor))


class _Rows(StylesCache):
    """The rows of a widget as they are on the screen.

    Textual's own puts frames, padding and opacity around each row, in two more strips, and looks up for each row where
    its widget is. Rows here have none of that, so that a frame of a pane takes half the time.
    """

    def render_widget(self, widget: Widget, crop: Region) -> list[Strip]:
        """The rows of ``crop``; only those that are to be drawn anew are."""
        if not isinstance(widget, Themed) or widget.styles.gutter:
            return super().render_widget(widget, crop)
        width, drawn_width = widget.outer_size.width, widget.scrollable_content_region.width
        if width != self._width:
            self.clear()
            self._width = width
        filters, background = widget.get_line_filters(), None
        strips = []
        for y in crop.line_range:
            strip = None if y in self._dirty_lines else self._cache.get(y)
            if strip is None:
                strip = widget.drawn_row(y, drawn_width).adjust_cell_length(width)
                for line_filter in filters:
                    if not isinstance(line_filter, ANSIToTruecolor) or not _is_all_true_colour(strip):
                        background = background or widget.background_colors[1]
                        strip = strip.apply_filter(line_filter, background)
                self._cache[y] = strip
            strips.append(strip)
        self._dirty_lines.difference_update(crop.line_range)
        if crop.column_span != (0, width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips


def _is_all_true_colour(strip: Strip) -> bool:
    return all(style is None or _is_true_colour(style) for _, style, _ in strip)


class Themed(Widget):
    """A widget that draws its rows itself, with the styles of the theme."""

    _kept_look: Look | None = None
    _strips: dict[Hashable, Strip] | None = None
    """What a row shows -> the row as it was drawn for that."""
    _on_screen: dict[int, Hashable] | None = None
    """Row of the visible part -> what it shows on the screen."""
    _looks_soon = False
    """Whether the rows are to be compared with what is on the screen."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._styles_cache = _Rows()

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
            # Rows that are drawn anyway need no comparing.
            if not self._styles_cache.is_dirty(y)
            and ((shown := self._shows(y, width)) is None or before.get(y) != shown)
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
        return self.drawn_row(y, self.scrollable_content_region.width)

    def drawn_row(self, y: int, width: int) -> Strip:
        """Row ``y`` of the visible part, from 0, as it was drawn when it showed the same, else drawn now."""
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
