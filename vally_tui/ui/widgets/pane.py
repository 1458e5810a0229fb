"""A pane: one title row and a body. Knows whether the focus is in it and says so to both."""

from __future__ import annotations

from typing import Protocol

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from vally_tui.triage.views_model import PaneTitleView
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.pane_title import PaneTitle


class Body(Protocol):
    """What a pane holds below its title."""

    def set_active(self, active: bool) -> None:
        """Says whether the pane has the focus."""


class Pane(Vertical):
    """A title and what is below it."""

    DEFAULT_CSS = "Pane { height: 1fr; }"

    def __init__(self, name: str, body: Widget, ground: Ground, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.title = PaneTitle(name, ground)
        self._body = body

    def compose(self) -> ComposeResult:
        """Title first."""
        yield self.title
        yield self._body

    def show_title(self, view: PaneTitleView) -> None:
        """Shows another title."""
        self.title.show(view)

    def focus(self, scroll_visible: bool = True) -> Pane:
        """Puts the focus on what is below the title."""
        self._body.focus(scroll_visible)
        return self

    def on_descendant_focus(self) -> None:
        """The focus came into the pane."""
        self._set_active(True)

    def on_descendant_blur(self) -> None:
        """The focus left something in the pane; it may have gone to its neighbour there."""
        self._set_active(self.has_focus_within)

    def _set_active(self, active: bool) -> None:
        self.title.set_active(active)
        body: Body = self._body  # type: ignore[assignment]
        body.set_active(active)
