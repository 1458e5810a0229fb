"""The field in which a grader's pattern is edited, over the row that the grader list keeps free for it.

Typing, selection and clipboard are Textual's; what it shows is made inert here, one cell for each character that could
move a cursor or colour a terminal. While the toggles below the field are walked, it hands their keys on.
"""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input

from vally_tui.ui.render.cells import cells
from vally_tui.ui.render.inert import inert


class PatternField(Input):
    """One line of text; never asks what it means."""

    DEFAULT_CSS = """
    PatternField {
        display: none; layer: above; position: absolute; height: 1; border: none; padding: 0;
        background: $edit-bg; color: $foreground;
        &:focus { border: none; background: $edit-bg; background-tint: $edit-bg 0%; }
        & > .input--cursor { background: $accent; color: $background; text-style: none; }
        & > .input--selection { background: $primary 40%; }
    }
    """
    virtual_size = Reactive(Size(0, 0))
    """As the base class has it, but without laying out the whole screen anew at each character: the field keeps its size."""
    BINDINGS = [  # noqa: RUF012  (Textual reads it from the class)
        Binding("ctrl+z", "undo_typing", "undo typing", show=False),
    ]

    class Left(Message):
        """The person is done with the field; the edit stays. ``entered``: with enter, which tries a stopped pattern anew.

        ``elsewhere``: something else has the focus already.
        """

        def __init__(self, *, entered: bool = False, elsewhere: bool = False) -> None:
            super().__init__()
            self.entered = entered
            self.elsewhere = elsewhere

    class FlagsAsked(Message):
        """The person walks the toggles: ``step`` to the next or previous one, 0 sets or unsets the chosen one."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002  (Textual's name for it)
        super().__init__(id=id, select_on_focus=False, compact=True)
        self.cursor_blink = False
        self.on_flags = False
        """Whether the toggles have the keys."""
        self._typed: list[str] = []

    def open(self, text: str, region: Region | None) -> None:
        """Show the field at a place of the screen with this text, the caret behind it."""
        self.on_flags = False
        self._typed = []
        with self.prevent(Input.Changed):
            self.value = text
        self.cursor_position = len(text)
        self.place(region)
        self.display = True
        # At once, not when all that was asked before is done: keys right behind this one are text.
        self.screen.set_focus(self)

    def place(self, region: Region | None) -> None:
        """Move the field: the row that it lies over is elsewhere now; None: that row is out of view, so is the field."""
        if region is None:
            # Above the screen: a field that is not displayed would lose the focus, and with it what is typed.
            self.styles.offset = (0, -2)
            return
        self.styles.offset = (region.x, region.y)
        self.styles.width = region.width

    def close(self) -> None:
        """Take the field away."""
        self.display = False

    def put(self, text: str) -> None:
        """Replace the text without it being told as typed."""
        with self.prevent(Input.Changed):
            at = self.cursor_position + len(text) - len(self.value)
            self.value = text
        self.cursor_position = min(max(at, 0), len(text))

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key is text; over the toggles a blank is not."""
        return not (self.on_flags and key == "space") and super().check_consume_key(key, character)

    def action_undo_typing(self) -> None:
        """Take the last change of the text back."""
        if self._typed:
            text = self._typed.pop()
            self.value = text
            self._typed.pop()
            self.cursor_position = len(text)

    def validate_value(self, value: str) -> str:
        """Remember what stood there before a change."""
        if self.display and value != self.value:
            self._typed.append(self.value)
        return value

    async def _on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "enter"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left(entered=event.key == "enter"))
        elif event.key in ("tab", "shift+tab") or (self.on_flags and event.key in ("left", "right", "space")):
            event.stop()
            event.prevent_default()
            steps = {"shift+tab": -1, "left": -1, "space": 0}
            self.post_message(self.FlagsAsked(steps.get(event.key, 1)))
        else:
            await super()._on_key(event)

    def _on_blur(self, event: events.Blur) -> None:
        super()._on_blur(event)
        # A box over the screen gives the focus back, so does the terminal that another window was chosen over.
        if self.display and self.app.app_focus and self.app.screen is self.screen:
            self.post_message(self.Left(elsewhere=True))

    def _on_paste(self, event: events.Paste) -> None:
        """Everything that is pasted goes in, line breaks too: a pattern may hold them."""
        if event.text:
            start, end = self.selection
            self.replace(event.text, start, end)
        event.stop()
        event.prevent_default()

    @property
    def _value(self) -> Text:
        return Text(inert(self.value), no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return cells(inert(self.value[:position]))
