"""A box with a few choices, each with a key of its own: the order of trials, what to copy, how to leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events

from vally_tui.triage.views_model import Hint, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cells, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

WIDTH = 78
PREVIEW = 200
"""Characters of a preview that are looked at."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice."""

    id: str
    key: str
    """The key that chooses it at once."""
    words: str
    preview: str = ""
    """What it is about, beside it; of a long or tall text its beginning."""
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
        self._lead = 0

    def opened(self) -> None:
        """The keys are the list's."""
        self.list.focus()
        super().opened()

    def fill(self) -> None:
        """The choices, below what was found."""
        self.show_title(*self._title)
        self.show_keys(Hint("enter", self._enter), Hint("esc", "back"))
        lead = [text_line(row) for row in wrap_words(self._finding, self.text_width)] + [BLANK] if self._finding else []
        self._lead = len(lead)
        column = 4 + max(cells(option.words) for option in self._options) + 2
        lines = [_line(option, column) for option in self._options]
        at = next((index for index, option in enumerate(self._options) if option.id == self._current), 0)
        self.show_lines([*lead, *lines], cursor=self._lead + at)

    def pressed(self, event: events.Key) -> None:
        """An option's own key chooses it."""
        for index, option in enumerate(self._options):
            if event.is_printable and event.character == option.key:
                event.stop()
                self.choose(self._lead + index)
                return
        super().pressed(event)

    def choose(self, index: int) -> None:
        """Take an option, or say why it cannot be taken."""
        if not 0 <= index - self._lead < len(self._options):
            return
        option = self._options[index - self._lead]
        if option.refusal is not None:
            self.say((Word(f"{LOOK} {option.refusal}", Tone.WARN),))
        else:
            self.dismiss(option.id)


def _line(option: Option, column: int) -> Line:
    aside = option.refusal or inert(option.preview[:PREVIEW].replace("\n", " "))
    tone = Tone.MUTED if option.refusal else Tone.PLAIN
    return Line(
        ((0, (Word(option.key, Tone.KEY),)), (4, (Word(option.words, tone),)), (column, (Word(aside, Tone.MUTED),))),
        selectable=True,
    )
