"""The last row of the screen: keys of the active pane, or why the command just asked for is not possible."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from vally_tui.triage.views_model import FooterView, Hint, Tone
from vally_tui.ui.render.cells import cells
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.render.styles import Ground, Look
from vally_tui.ui.widgets.themed import Themed

MOST_HINTS = 8
GAP = 2


class FooterLine(Themed):
    """The footer row of the screen."""

    DEFAULT_CSS = "FooterLine { height: 1; }"
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.view = FooterView()

    def show(self, view: FooterView) -> None:
        """Shows other hints."""
        if view != self.view:
            self.view = view
            self.refresh()

    def draw_row(self, y: int, width: int) -> Strip:
        """The hints."""
        return footer_strip(self.view, width, self.look)


def footer_strip(view: FooterView, width: int, look: Look) -> Strip:
    """The footer row; hints that do not fit are left out whole, from the right."""
    short = width < 100
    right = view.right[:1] if short else view.right
    row = Row(width, look.ground(Ground.PANEL)).put(" ")
    right_cells = _cells(right, short)
    room = width - 2 - right_cells - GAP
    if view.refusal:
        row.put(f"{LOOK} ", look.text(Tone.WARN, bold=True)).put(view.refusal, look.text(Tone.WARN), limit=room - 2)
    elif width > 40:
        _put(row, fitting_hints(view.hints, room, short), look, short)
    if right_cells <= width - 2:
        _put(row.to(width - 1 - right_cells), right, look, short)
    return row.strip()


def fitting_hints(hints: Sequence[Hint], room: int, short: bool) -> Sequence[Hint]:
    """As many hints, from the first on, as fit in ``room`` cells."""
    count = min(len(hints), MOST_HINTS)
    while count and _cells(hints[:count], short) > room:
        count -= 1
    return hints[:count]


def _words(hint: Hint, short: bool) -> str:
    return inert(hint.short if short and hint.short else hint.words)


def _cells(hints: Sequence[Hint], short: bool) -> int:
    return sum(cells(inert(hint.key)) + 1 + cells(_words(hint, short)) for hint in hints) + GAP * max(len(hints) - 1, 0)


def _put(row: Row, hints: Sequence[Hint], look: Look, short: bool) -> None:
    for index, hint in enumerate(hints):
        row.put(" " * GAP if index else "").put(hint.key, look.text(Tone.KEY)).put(" ")
        row.put(_words(hint, short), look.text(Tone.MUTED))
