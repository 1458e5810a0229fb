"""A box over the screen: frame, title in the upper edge, keys in the lower one, and which keys work while it is open.

Nothing that is pressed in a box reaches the screen behind it. What a box holds is its subclass's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import ClassVar, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import TextArea

from vally_tui.triage.views_model import Hint, Note, Phrase, Tone
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cells
from vally_tui.ui.render.inert import inert
from vally_tui.ui.widgets.box_title import JOINT, fitting_parts
from vally_tui.ui.widgets.line_list import Line, LineList
from vally_tui.ui.widgets.row_list import RowList
from vally_tui.ui.widgets.text_line import TextLine

WIDEST = 104
ROOMY_COLUMNS, ROOMY_ROWS = 80, 24
"""From this size on a box leaves a margin and has blank rows inside."""

ACTIONS = {
    "move.down": "cursor_down",
    "move.up": "cursor_up",
    "move.first": "first",
    "move.last": "last",
    "move.half-page-down": "half_down",
    "move.half-page-up": "half_up",
    "move.page-down": "page_down",
    "move.page-up": "page_up",
    "diff.down": "half_down",
    "diff.up": "half_up",
    "move.enter": "choose",
}
"""What the person's keys for moving do in a box's list."""

_FIELD_ACTIONS = {"down": "cursor_down", "up": "cursor_up", "pagedown": "page_down", "pageup": "page_up"}
"""The keys that move the list while a field has the focus."""

_STYLES = {
    Tone.KEY: "bold $primary",
    Tone.MUTED: "$text-muted",
    Tone.STRONG: "bold $strong",
    Tone.WARN: "$warning",
    Tone.FAIL: "$error",
    Tone.EDIT: "$accent",
}

Result = TypeVar("Result")
MOST_LOOKS, LOOK_AGAIN = 100, 0.1
"""How often a box looks at trials that come and go, and the seconds in between."""


class Overlay(ModalScreen[Result]):
    """A box; ``dismiss`` gives what was chosen, escape gives None."""

    DEFAULT_CSS = """
    Overlay { align: center middle; overflow: hidden; }
    Overlay > #frame {
        border: round $primary; background: $surface; color: $foreground; padding: 1 0; height: auto;
        border-title-align: left; border-subtitle-align: left;
        border-title-color: $foreground; border-subtitle-color: $foreground;
        border-title-background: $surface; border-subtitle-background: $surface;
    }
    Overlay > #frame.-refused { border: round $warning; }
    Overlay > #frame.-tight { padding: 0; }
    Overlay > #frame > TextLine { margin: 0 2 1 2; }
    Overlay > #frame.-tight > TextLine { margin: 0 1 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+c", "leave_program", show=False),
    ]
    ALLOW_SELECT = False
    WIDTH = WIDEST
    """Cells of the box where the screen has them."""
    FIXED_ROWS = 0
    """Rows of the box that are not its list's."""
    MOST_ROWS = 1_000
    """Rows of the list that are shown at once at most."""

    class Found(Message):
        """What a thread of the box has found."""

        def __init__(self, value: object, revision: int = 0) -> None:
            super().__init__()
            self.value = value
            self.revision = revision

    def __init__(self, keymap: Keymap, opened_by: str = "") -> None:
        """``opened_by``: the command whose keys close the box, too."""
        super().__init__()
        self.frame = Vertical(id="frame")
        self.list = LineList(id="lines")
        self._keymap = keymap
        self._opened_by = opened_by
        self._hints: tuple[Hint, ...] = ()
        self._most_rows = 0
        self._wanted_rows = 0
        self._writes = False
        """Whether a thread writes a file: until it is known what came of that, the box stays."""
        self._leaves = False
        """Whether the person wants to leave as soon as that is known."""

    def compose(self) -> ComposeResult:
        """The frame with what is in it."""
        with self.frame:
            yield from self.content()

    def content(self) -> Iterable[Widget]:
        """What is in the frame; one of it takes the rest of the height."""
        yield self.list

    def look_at_trials(self, work: Callable[[], object]) -> None:
        """Have a thread look at all trials; what it comes to arrives as ``Found``.

        It looks again where trials came or went meanwhile, as when a run is read anew: it would be lost in the middle.
        """

        def run() -> None:
            for _ in range(MOST_LOOKS):
                with suppress(LookupError, RuntimeError):
                    self.post_message(self.Found(work()))
                    return
                time.sleep(LOOK_AGAIN)

        self.run_worker(run, thread=True, exit_on_error=False)

    @property
    def holds_keys(self) -> bool:
        """Whether the next key is for what a thread is still looking for; text and escape are never held back."""
        return False

    # What a subclass says.

    def show_title(self, name: str, *about: str | Note, note: str = "") -> None:
        """The upper edge: what this is, of whom, and quietly where in it one is.

        Where there is little room the parts of the highest rank go; of plain ones the last.
        """
        notes = [each if isinstance(each, Note) else Note(each, rank=index) for index, each in enumerate(about)]
        room = self.text_width - cells(name) - 1 - (cells(note) + 2 if note else 0)
        rest = JOINT.join(fitting_parts([each for each in notes if each.text], room))
        parts = [
            (name, "bold $primary"),
            (f" {rest}" if rest else "", ""),
            (f"  {note}" if note else "", "$text-muted"),
        ]
        self.frame.border_title = Content.assemble(*((text, style) for text, style in parts if text))

    def show_keys(self, *hints: Hint) -> None:
        """The lower edge: the keys, most useful first; those that do not fit are left out whole."""
        self._hints = hints
        self._draw_keys()

    def say(self, phrase: Phrase) -> None:
        """The lower edge says this in place of the keys, until the next key."""
        pieces = [(inert(word.text), _STYLES.get(word.tone, "")) for word in phrase]
        self.frame.border_subtitle = Content.assemble(*pieces) if pieces else None
        self._said = True

    _said = False

    def show_lines(self, lines: Sequence[Line], *, cursor: int = 0) -> None:
        """Fills the list."""
        self.list.show(lines, cursor=cursor)
        self.fit(len(lines))

    def fit(self, rows: int) -> None:
        """Makes the box as high as its list's rows need and the screen allows; it never shrinks while it is open."""
        self._wanted_rows = rows
        self._most_rows = max(self._most_rows, min(rows, self.MOST_ROWS))
        height = self.app.size.height
        roomy = height >= ROOMY_ROWS
        self.frame.set_class(not roomy, "-tight")
        self.frame.styles.width = self._box_width
        inside = self._most_rows + self.FIXED_ROWS + (2 if roomy else 0)
        self.frame.styles.height = min(inside + 2, height - (2 if roomy else 0))

    @property
    def rows_inside(self) -> int:
        """Rows inside the frame, after ``fit``."""
        height = self.app.size.height
        roomy = height >= ROOMY_ROWS
        return min(self._most_rows + self.FIXED_ROWS, height - (2 if roomy else 0) - 2 - (2 if roomy else 0))

    @property
    def text_width(self) -> int:
        """Cells for text in the box's list."""
        return max(self._box_width - 6, 1)

    @property
    def _box_width(self) -> int:
        width = self.app.size.width
        return min(self.WIDTH, width - (4 if width >= ROOMY_COLUMNS else 0))

    def fill(self) -> None:
        """Makes the rows for the width that there is; called at the start and after a change of size."""
        raise NotImplementedError

    # Textual calls the handlers of every class of a widget, so a subclass extends these, and no handler.

    def opened(self) -> None:
        """The box is on the screen: fills it."""
        self.fill()

    def pressed(self, event: events.Key) -> None:
        """A key that no field has taken: the person's own keys move the list; a key never acts twice."""
        if isinstance(self.focused, TextArea):
            return
        if isinstance(self.focused, TextLine):
            action = _FIELD_ACTIONS.get(event.key)
        else:
            command = self._keymap.command_of().get((event.character if event.is_printable else None) or event.key)
            if command in (self._opened_by, "quit") and command:
                event.stop()
                self.action_close()
                return
            action = ACTIONS.get(command or "")
        if action is not None:
            event.stop()
            self.move(action)

    def move(self, action: str) -> None:
        """One of the ``ACTIONS`` in what the box shows; a box without the list moves something else."""
        getattr(self.list, f"action_{action}")()

    def typed(self, text: str) -> None:
        """The text of a field is another one."""

    def entered(self, text: str) -> None:
        """Enter in a field: chooses from the list."""
        if self.list.cursor >= 0:
            self.choose(self.list.cursor)

    # Events.

    def on_mount(self) -> None:
        """The box is open."""
        self.opened()

    def on_resize(self) -> None:
        """Makes the rows anew for another size."""
        self._most_rows = 0
        self.fill()
        self.fit(self._wanted_rows)
        self._draw_keys()

    def on_key(self, event: events.Key) -> None:
        """What was said stands until the next key."""
        if self._said:
            self._said = False
            self._draw_keys()
        self.pressed(event)

    def on_click(self, event: events.Click) -> None:
        """A click beside the box closes it."""
        if event.widget is self:
            self.action_close()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        """Enter, or a double click."""
        message.stop()
        self.choose(message.index)

    def on_input_submitted(self, message: TextLine.Submitted) -> None:
        """Enter in a field."""
        message.stop()
        self.entered(message.value)

    def on_input_changed(self, message: TextLine.Changed) -> None:
        """Something was typed."""
        message.stop()
        self.typed(message.value)

    def choose(self, index: int) -> None:
        """What enter does on a row of the list."""

    def action_close(self) -> None:
        """Closes the box, choosing nothing; while a file is written as soon as it is known what came of that."""
        if self._writes:
            self._leaves = True
        else:
            self.dismiss(None)

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Closes the box, and what was opened over it. A second time does nothing: it would close the screen behind."""
        if self not in self.app.screen_stack:
            return AwaitComplete()
        while not self.is_active:
            self.app.screen.dismiss(None)
        return super().dismiss(result)

    def action_leave_program(self) -> None:
        """ctrl+c where no text is selected: closes the box as escape does, then asks as it does on the screen behind."""
        if self._opened_by != "quit":
            self.action_close()
            self.app.call_later(self.app.action_help_quit)

    def _draw_keys(self) -> None:
        room = self.text_width
        pieces: list[tuple[str, str]] = []
        for hint in self._hints:
            key, words = inert(hint.key), inert(hint.words)
            room -= cells(key) + cells(words) + 3
            if room < 0:
                break
            pieces += [("  " if pieces else "", ""), (key, "bold $primary"), (f" {words}", "$text-muted")]
        self.frame.border_subtitle = Content.assemble(*pieces) if pieces else None


class FindBox(Overlay[Result]):
    """A box with a field to find something in its list by typing."""

    FIXED_ROWS = 2
    PLACEHOLDER = ""

    def __init__(self, keymap: Keymap, opened_by: str = "") -> None:
        super().__init__(keymap, opened_by)
        self.field = TextLine(placeholder=self.PLACEHOLDER)

    def content(self) -> Iterable[Widget]:
        """The field above the list."""
        yield self.field
        yield self.list

    def opened(self) -> None:
        """What is typed goes into the field."""
        self.field.focus()
        super().opened()

    def typed(self, text: str) -> None:
        """Finds anew."""
        self.fill()
