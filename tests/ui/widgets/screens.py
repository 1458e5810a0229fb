"""What is on the screen of a running app, as text; and an app that holds one widget."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widget import Widget

from vally_tui.ui.render.themes import VALLY_DARK, variable_defaults


class OneWidget(App[None]):
    """An app with one widget that fills the screen."""

    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.register_theme(VALLY_DARK)
        self.theme = "vally-dark"
        self.widget = widget
        self.messages: list[object] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def compose(self) -> ComposeResult:
        yield self.widget


def shown(app: App[None]) -> list[str]:
    """The rows of the screen."""
    return [strip.text.rstrip() for strip in app.screen._compositor.render_strips()]
