"""A grader's whole config as YAML to edit; what stands there is judged while it is typed, as long as it is a grader."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.style import Style
from rich.text import Text
from textual import on
from textual.widget import Widget
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from vally_tui.errors import SpecEditRefused
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.apply import grader_value
from vally_tui.triage.typed_text import config_of
from vally_tui.triage.views_model import Hint, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.widgets.line_list import Line, LineList, text_line
from vally_tui.ui.widgets.overlay import Overlay
from vally_tui.ui.widgets.themed import look_of

ROWS = 14
PAUSE = 0.08
"""Seconds without a key after which the text is read: reading YAML must not hold up the next one."""


THEME = "vally"


def _theme(look: Look) -> TextAreaTheme:
    """The three quiet hues of code, on the ground of a field."""
    return TextAreaTheme(
        THEME,
        base_style=look.ground(Ground.EDIT) + look.text(Tone.PLAIN),
        cursor_style=look.text(Tone.EDIT) + Style(reverse=True),
        cursor_line_style=look.ground(Ground.EDIT),
        selection_style=look.ground(Ground.BOOST),
        syntax_styles={
            "string": look.ink(Ink.STRING),
            "comment": look.ink(Ink.COMMENT),
            "yaml.field": look.ink(Ink.KEYWORD),
            "boolean": look.ink(Ink.KEYWORD),
            "number": look.ink(Ink.KEYWORD),
        },
    )


class YamlArea(TextArea):
    """A text area whose text is shown inert, character for character."""

    def get_line(self, line_index: int) -> Text:
        """The line as it is drawn."""
        return Text(inert(self.document.get_line(line_index)), end="", no_wrap=True)


class ConfigBox(Overlay[GraderConfig]):
    """Gives the config as it was left; while it is typed, ``changed`` is told of each one that can be read."""

    DEFAULT_CSS = """
    ConfigBox YamlArea { height: 1fr; margin: 0 2; border: none; padding: 0; background: $edit-bg; }
    ConfigBox YamlArea:focus { border: none; }
    ConfigBox LineList { height: auto; }
    """

    def __init__(
        self, keymap: Keymap, text: str, about: tuple[str, ...], changed: Callable[[GraderConfig, str], None]
    ) -> None:
        """``text``: the grader as YAML; ``about``: which one it is; ``changed`` takes what it says, and the text."""
        super().__init__(keymap)
        self.area = YamlArea.code_editor(text, language="yaml", show_line_numbers=False, tab_behavior="focus")
        self.said = LineList()
        self._about, self._changed = about, changed
        self._config: GraderConfig | None = None
        self._told = text

    def content(self) -> Iterable[Widget]:
        """The text, and below it what is wrong with it."""
        yield self.area
        yield self.said

    def opened(self) -> None:
        """What is typed goes into the text."""
        super().opened()
        self.area.cursor_blink = False
        self.area.register_theme(_theme(look_of(self.app)))
        self.area.theme = THEME
        self.area.focus()

    def fill(self) -> None:
        """The edges, and room for a text of some rows."""
        self.show_title("Config", *self._about)
        self.show_keys(Hint("esc", "keep the edit and close"))
        self.said.show([self._wrong("")])
        self.fit(ROWS)

    def _wrong(self, fault: str) -> Line:
        if fault:
            return text_line(Word("! ", Tone.FAIL, bold=True), Word(fault, Tone.FAIL))
        return text_line(Word("judged as it is typed; nothing is saved yet", Tone.MUTED))

    @on(TextArea.Changed)
    def _typed(self, message: TextArea.Changed) -> None:
        message.stop()
        text = self.area.text
        self.set_timer(PAUSE, lambda: self._read(text))

    def _read(self, text: str) -> None:
        if text != self.area.text:
            return
        fault = ""
        try:
            config = config_of(grader_value(text))
        except SpecEditRefused as error:
            config, fault = None, str(error)
        if config is None:
            self.said.show([self._wrong(fault or "a grader needs a type")])
            return
        self.said.show([self._wrong("")])
        if text != self._told:
            self._config, self._told = config, text
            self._changed(config, text)

    def action_close(self) -> None:
        """Closes the box; what could be read last stays."""
        self._read(self.area.text)
        self.dismiss(self._config)
