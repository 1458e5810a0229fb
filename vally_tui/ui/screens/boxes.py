"""Commands that open a box over the triage screen, or leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

BOXES = Handlers()


@BOXES.does("quit")
def _quit(screen: TriageScreen) -> None:
    screen.app.exit(0)
