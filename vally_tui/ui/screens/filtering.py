"""Filtering the trial list as one types. What a filter means is triage's; here is when it takes effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vally_tui.triage import update
from vally_tui.triage.filter import EXAMPLES, Filter, read_filter
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.widgets.prompt_line import Said

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

MANY = 5_000
"""From so many trials on a filter takes effect only when what was typed is on the screen."""


class Filtering:
    """The filter prompt while it is open."""

    hints = (Hint("enter", "keep the filter"), Hint("↑ ↓", "move in the list"), Hint("esc", "back to the one before"))

    def __init__(self, screen: TriageScreen) -> None:
        self._screen = screen
        self._before = screen.session.state.filter
        self._fault: str | None = None
        self._typed = self._taken = 0

    @property
    def holds_keys(self) -> bool:
        """Whether the list is not yet that of what is typed."""
        return self._taken != self._typed

    def open(self) -> None:
        """Show the prompt with the filter that holds."""
        if self._screen.list_opens:
            self._screen.show_pane("trials")
        self._screen.prompt.open("Filter", self._before.written, placeholder=" which trials to show")
        self.show()

    def hear(self, said: Said, text: str) -> None:
        """Take in what the person does in the prompt."""
        match said:
            case Said.TYPED:
                self._take(text)
            case Said.ENTERED:
                self._apply(read_filter(text))
                if self._fault is None:
                    self._close()
            case Said.LEFT:
                self._screen.change(update.set_filter(self._screen.session.state, self._before))
                self._close()
            case Said.UP:
                self._screen.trials.list.action_cursor_up()
            case Said.DOWN:
                self._screen.trials.list.action_cursor_down()

    def show(self) -> None:
        """Say how many trials are shown, and what is wrong or possible."""
        session = self._screen.session
        shown, total = len(session.rows.keys), session.rows.total
        outcome = f"{shown:,} of {total:,} shown"
        if session.state.filter.text is not None and session.state.with_text is None:
            outcome = "looking in the diffs"
        self._screen.prompt.show_outcome((Word(outcome, Tone.MUTED),), below(self._fault))

    def _take(self, text: str) -> None:
        self._typed += 1
        typed = self._typed
        condition = read_filter(text)
        if len(self._screen.session.board.entries) < MANY:
            self._apply(condition)
        else:
            self._screen.call_after_refresh(lambda: self._apply(condition) if typed == self._typed else None)

    def _apply(self, condition: Filter) -> None:
        """Let a valid filter take effect; of one with a fault the fault is said, and the last valid one holds."""
        self._taken = self._typed
        self._fault = condition.fault
        if condition.fault is None:
            self._screen.change(update.set_filter(self._screen.session.state, condition))
        self.show()

    def _close(self) -> None:
        screen = self._screen
        screen.prompt.close()
        screen.prompting = None
        screen.show_pane("trials")
        rows = screen.session.rows
        if len(rows.keys) and screen.session.state.trial not in rows.keys:
            at = screen.trials.list.cursor
            key = rows.rows[at] if 0 <= at < len(rows.rows) else -1
            screen.select_trial(key if key >= 0 else rows.keys[0])


def below(fault: str | None) -> Phrase:
    """The row below the field."""
    if fault is not None:
        return (Word(f"{LOOK} {fault}", Tone.WARN),)
    words = [Word("as in  ", Tone.MUTED)]
    for example in EXAMPLES:
        words += [Word(f"{example}   ", whole=True), Word("")]
    return tuple(words)
