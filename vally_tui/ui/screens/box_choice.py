"""A box with a few choices, each with a key of its own: the order of trials, what to copy, how to leave."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from textual import events

from vally_tui.triage.views_model import Hint, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cells, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

WIDTH = 78
LEAST_BESIDE = 24
"""Cells from which on something is said beside a choice."""
PREVIEW = 200
"""Characters of a preview that are looked at."""


class Option(Struct, frozen=True):
    """One choice."""

    id: str
    key: str
    """The key that chooses it at once."""
    words: str
    said: str = ""
    """Our own words about it, beside it, which are shown whole."""
    preview: str = ""
    """In their place what it is about; of a long or tall text its beginning."""
    refusal: str | None = None
    """Why it cannot be chosen."""


class ChoiceBox(Overlay[str]):
    """Dismisses with the id of what was chosen."""

    WIDTH = WIDTH

    def __init__(
        self,
        keymap: Keymap,
        options: Sequence[Option],
        *,
        title: tuple[str, str],
        opened_by: str,
        finding: str = "",
        current: str = "",
        enter: str = "choose",
    ) -> None:
        """``finding`` is said first; ``current``: the option at which the cursor begins."""
        super().__init__(keymap, opened_by)
        self._options = options
        self._title = title
        self._finding = finding
        self._current = current
        self._enter = enter
        self._rows: dict[int, Option] = {}
        """Row of the list -> the option that begins there."""

    def opened(self) -> None:
        """The keys are the list's."""
        self.list.focus()
        super().opened()

    def fill(self) -> None:
        """The choices, below what was found."""
        self.show_title(*self._title)
        self.show_keys(Hint("enter", self._enter), Hint("esc", "back"))
        lines = (
            [text_line(row) for row in wrap_words(self._finding, self.text_width)] + [BLANK] if self._finding else []
        )
        column = 4 + max(cells(option.words) for option in self._options) + 2
        self._rows, cursor = {}, len(lines)
        for option in self._options:
            if option.id == self._current:
                cursor = len(lines)
            self._rows[len(lines)] = option
            lines += choice_lines(option, column, self.text_width)
        self.show_lines(lines, cursor=cursor)

    def pressed(self, event: events.Key) -> None:
        """An option's own key chooses it."""
        for row, option in self._rows.items():
            if event.is_printable and event.character == option.key:
                event.stop()
                self.choose(row)
                return
        super().pressed(event)

    def choose(self, index: int) -> None:
        """Take an option, or say why it cannot be taken."""
        option = self._rows.get(index)
        if option is None:
            return
        if option.refusal is not None:
            self.say((Word(f"{LOOK} {option.refusal}", Tone.WARN),))
        else:
            self.dismiss(option.id)


def choice_lines(option: Option, column: int, width: int) -> list[Line]:
    """The choice, and what is said about it beside it, or below it where there is little room."""
    tone = Tone.MUTED if option.refusal else Tone.PLAIN
    head = ((0, (Word(option.key, Tone.KEY),)), (4, (Word(option.words, tone),)))
    told = option.refusal or option.said
    beside = [inert(option.preview[:PREVIEW].replace("\n", " "))]
    below: list[str] = []
    if told and width - column >= LEAST_BESIDE:
        beside = wrap_words(told, width - column)
    elif told:
        column, beside, below = 4, [""], wrap_words(told, width - 4)
    first, *others = beside
    return [
        Line((*head, (column, (Word(first, Tone.MUTED),))) if first else head, selectable=True),
        *(text_line(Word(row, Tone.MUTED), indent=column) for row in (*others, *below)),
    ]
