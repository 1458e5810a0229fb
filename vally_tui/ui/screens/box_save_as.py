"""Saving as a new file: asks for its path, and writes only where nothing is yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.widget import Widget

from vally_tui.errors import VallyTuiError
from vally_tui.triage.views_model import Hint, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import wrap_words
from vally_tui.ui.widgets.line_list import Line, text_line
from vally_tui.ui.widgets.overlay import Overlay
from vally_tui.ui.widgets.text_line import TextLine


class SaveAsBox(Overlay[str]):
    """Gives the path that was written."""

    FIXED_ROWS = 2
    WIDTH = 84

    def __init__(self, keymap: Keymap, why: str, path: str, write: Callable[[str], None]) -> None:
        """``why``: what is going to be written, and why as a new file; ``write`` is called on a thread with the path."""
        super().__init__(keymap)
        self.field = TextLine(path, placeholder="path of the new file")
        self._why, self._write = why, write
        self._fault = ""

    def content(self) -> Iterable[Widget]:
        """What is written, and where to."""
        yield self.field
        yield self.list

    def opened(self) -> None:
        """The path is typed at once."""
        self.field.focus()
        super().opened()

    def fill(self) -> None:
        """Why, or what went wrong."""
        self.show_title("Save as", "a new file")
        self.frame.set_class(bool(self._fault), "-refused")
        said = self._fault or self._why
        lines: list[Line] = [
            text_line(Word(line, Tone.WARN if self._fault else Tone.PLAIN))
            for line in wrap_words(said, self.text_width)
        ]
        self.show_lines(lines)
        self.show_keys(Hint("enter", "write it"), Hint("esc", "back, keep the edit"))

    def entered(self, text: str) -> None:
        """Write, once."""
        path = text.strip()
        if self._writes or not path:
            return
        self._writes = True

        def run() -> None:
            found: object = path
            try:
                self._write(path)
            except VallyTuiError as error:
                found = error
            self.post_message(self.Found(found))

        self.run_worker(run, thread=True, exit_on_error=False)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """What became of it."""
        message.stop()
        self._writes = False
        if isinstance(message.value, str):
            self.dismiss(message.value)
        elif self._leaves:
            self.dismiss(None)
        else:
            self._fault = str(message.value)
            self.fill()
