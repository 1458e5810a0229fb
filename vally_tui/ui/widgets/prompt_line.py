"""A field above the footer, for filter and search, which act on the panes as one types. Owns no meaning of what is typed.

It is no box: while it is open the panes can have the focus, and are seen whole.
"""

from __future__ import annotations

from enum import StrEnum

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.strip import Strip

from vally_tui.triage.views_model import Phrase, Tone, Word
from vally_tui.ui.render.row import Row, phrase_cells
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.text_line import TextLine
from vally_tui.ui.widgets.themed import Themed


class Said(StrEnum):
    """What the person does in the field."""

    TYPED = "typed"
    ENTERED = "entered"
    LEFT = "left"
    UP = "up"
    DOWN = "down"


_KEYS = {"escape": Said.LEFT, "up": Said.UP, "down": Said.DOWN}


class Words(Themed):
    """A few words on one row, as wide as they are or as there is room."""

    DEFAULT_CSS = "Words { height: 1; width: 1fr; }"
    ALLOW_SELECT = False

    def __init__(self, *, hugs: bool = False) -> None:
        """``hugs``: it is only as wide as its words, or as those before: it grows only, so that typing moves nothing."""
        super().__init__()
        self._phrase: Phrase = ()
        self._hugs = hugs
        self._width = 1

    def show(self, phrase: Phrase) -> None:
        """Shows other words."""
        self._phrase = phrase
        if self._hugs:
            self._width = max(self._width, phrase_cells(phrase) + 2) if phrase else 1
            self.styles.width = self._width
        self.refresh()

    def draw_row(self, y: int, width: int) -> Strip:
        """The words."""
        before = " " * max(width - phrase_cells(self._phrase) - 1, 1) if self._hugs else " "
        row = Row(width, self.look.ground(Ground.PANEL)).put(before)
        return row.put_phrase(self._phrase, self.look).strip()


class PromptLine(Vertical):
    """The field with its name, what came of it, and a row below for faults and examples."""

    DEFAULT_CSS = """
    PromptLine { height: auto; display: none; }
    PromptLine Horizontal { height: 1; }
    PromptLine TextLine { width: 1fr; }
    """

    class Heard(Message):
        """The person did something in the field."""

        def __init__(self, said: Said, text: str) -> None:
            super().__init__()
            self.said = said
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.field = TextLine()
        self._called = Words(hugs=True)
        self._outcome = Words(hugs=True)
        self._below = Words()

    def compose(self) -> ComposeResult:
        """Name, field and outcome in a row; faults and examples below."""
        with Horizontal():
            yield self._called
            yield self.field
            yield self._outcome
        yield self._below

    def open(self, name: str, text: str, *, placeholder: str = "") -> None:
        """Shows the field with a text in it and gives it the focus."""
        self._called.show((Word(name, Tone.KEY),))
        self.field.placeholder = placeholder
        with self.prevent(TextLine.Changed):
            self.field.value = text
        self.field.cursor_position = len(self.field.value)
        self.show_outcome((), ())
        self.display = True
        # At once: keys right behind the one that opens it are text.
        self.screen.set_focus(self.field)

    def close(self) -> None:
        """Hides the field."""
        self.display = False

    def show_outcome(self, outcome: Phrase, below: Phrase) -> None:
        """What came of the text, and what is said below it; nothing below: no row for it."""
        self._outcome.show(outcome)
        self._below.display = bool(below)
        self._below.show(below)

    def on_key(self, event: events.Key) -> None:
        """Keys that leave the field or move what is behind it."""
        said = _KEYS.get(event.key)
        if said is not None:
            event.stop()
            self.post_message(self.Heard(said, self.field.value))

    def on_input_changed(self, message: TextLine.Changed) -> None:
        """Something was typed."""
        message.stop()
        if self.display:
            self.post_message(self.Heard(Said.TYPED, message.value))

    def on_input_submitted(self, message: TextLine.Submitted) -> None:
        """Enter."""
        message.stop()
        self.post_message(self.Heard(Said.ENTERED, message.value))
