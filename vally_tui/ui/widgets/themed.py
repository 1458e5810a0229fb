"""What every widget here shares: the look of the current theme, and rows that are drawn without ever raising."""

from __future__ import annotations

from functools import lru_cache

from textual.app import App
from textual.strip import Strip
from textual.widget import Widget

from vally_tui.ui.render.row import Row
from vally_tui.ui.render.styles import Look


@lru_cache(maxsize=4)
def _look(variables: frozenset[tuple[str, str]], dark: bool, colours: bool) -> Look:
    return Look(dict(variables), dark=dark, colours=colours)


def look_of(app: App[object]) -> Look:
    """The styles of the app's current theme."""
    return _look(frozenset(app.theme_variables.items()), app.current_theme.dark, not app.no_color)


class Themed(Widget):
    """A widget that draws its rows itself, with the styles of the theme."""

    _kept_look: Look | None = None

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
        """Drops what was drawn with the styles of before; for widgets that keep strips."""

    def draw_row(self, y: int, width: int) -> Strip:
        """Row ``y`` of the visible part, from 0."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Row ``y``, exactly as wide as the widget."""
        width = self.scrollable_content_region.width
        try:
            return self.draw_row(y, width).adjust_cell_length(width)
        except Exception as fault:  # noqa: BLE001  (an exception here would end the program; the row says so instead)
            self.log.error(f"row {y} of {self!r}: {fault!r}")
            return Row(width).put("! this row could not be drawn").strip()
