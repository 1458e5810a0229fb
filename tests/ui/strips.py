"""What is on the screen, row by row, as the program itself paints it."""

from __future__ import annotations

from typing import Any

from textual._context import visible_screen_stack
from textual.app import App
from textual.strip import Strip


def strips(app: App[Any]) -> list[Strip]:
    """Each row of the screen, painted anew where that was asked for.

    A box that is painted without the screens below it takes them for blank, and keeps that.
    """
    visible_screen_stack.set(app._background_screens)
    return app.screen._compositor.render_strips()
