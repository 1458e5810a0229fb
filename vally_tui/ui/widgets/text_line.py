"""A field of one row to type in: no frame, no blinking. What is typed means something to its owner only."""

from __future__ import annotations

from textual import events
from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

from vally_tui.ui.render.inert import inert


class TextLine(Input):
    """An input of one row; every printable key is text."""

    DEFAULT_CSS = """
    TextLine, TextLine:focus {
        border: none; height: 1; padding: 0; background: $edit-bg; background-tint: $foreground 0%; color: $foreground;
    }
    TextLine > .input--placeholder { color: $text-muted; }
    TextLine > .input--cursor { background: $accent; color: $background; text-style: none; }
    TextLine:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    """

    virtual_size = Reactive(Size(0, 0))
    """As the base class has it, but without laying out the whole screen anew at each character: the field keeps its size."""

    def __init__(self, value: str = "", *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(inert(value), placeholder=placeholder, id=id, select_on_focus=False, compact=False)
        self.cursor_blink = False

    def on_paste(self, event: events.Paste) -> None:
        """Takes the first line; what a terminal would obey or hide is made visible."""
        event.prevent_default()
        event.stop()
        line = event.text.lstrip("\r\n").replace("\r", "\n").partition("\n")[0]
        if line:
            self.replace(inert(line.replace("\t", " ")), *self.selection)
