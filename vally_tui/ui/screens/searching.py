"""Searching in a pane: finds as one types, walked with the keys for matches while the search is open, ended by escape.

The evidence is searched on a thread, in portions: it may have 50 MB. What a find is, triage's search says.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from textual.message import Message
from textual.worker import get_current_worker

from vally_tui.grading.model import NO_SPANS, Spans
from vally_tui.triage.labels import trial_label
from vally_tui.triage.search import MOST, finds_in, rows_with
from vally_tui.triage.views import pattern_of
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.screens import drawing
from vally_tui.ui.widgets.prompt_line import Said
from vally_tui.ui.widgets.row_list import RowList

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen


class SearchDone(Message):
    """A search has ended."""

    def __init__(self, search: Searching, revision: int, finds: Finds) -> None:
        super().__init__()
        self.search = search
        self.revision = revision
        self.finds = finds


class Finds(Struct, frozen=True):
    """What was found: places of the evidence, or rows of a list."""

    spans: Spans = NO_SPANS
    rows: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many."""
        return len(self.spans) + len(self.rows)

    def from_place(self, place: int) -> int:
        """The number (from 0) of the first find at or behind a place (code point or row), else of the first one."""
        at = bisect_left(self.rows, place) if self.rows else bisect_left(self.spans.starts, place)
        return at if at < self.count else 0


NO_FINDS = Finds()


class Searching:
    """The search of one pane while it is open."""

    hints = (Hint("enter", "to the pane"), Hint("↑ ↓", "walk the finds"), Hint("esc", "end the search"))

    def __init__(self, screen: TriageScreen) -> None:
        self._screen = screen
        self._pane = screen.active_name
        self._list = screen.active_list
        self._begun_at = self._shown_at = self._place()
        self._revision = 0
        self._text = ""
        self._running = False
        self.finds = NO_FINDS
        self.at = -1

    @property
    def holds_keys(self) -> bool:
        """Whether what is typed is still being looked for."""
        return self._running

    @property
    def in_evidence(self) -> bool:
        """Whether the evidence is searched, not a list."""
        return self._pane == "diff"

    @property
    def current(self) -> tuple[int, int] | None:
        """The current find in the evidence."""
        return self.finds.spans[self.at] if self.at >= 0 and len(self.finds.spans) else None

    def open(self) -> None:
        """Show the prompt."""
        self._screen.prompt.open(f"Search the {self._pane}", self._text)
        self._show()

    def hear(self, said: Said, text: str) -> None:
        """Take in what the person does in the prompt."""
        match said:
            case Said.TYPED:
                self.look_for(text)
            case Said.ENTERED:
                self._list.focus()
            case Said.LEFT:
                self.end()
            case Said.UP:
                self.walk(-1)
            case Said.DOWN:
                self.walk(1)

    def look_for(self, text: str) -> None:
        """Search anew, on a thread, from where the person is."""
        place = self._place()
        if place != self._shown_at:
            self._begun_at = self._shown_at = place
        self._revision += 1
        self._text = text
        if not text:
            self.take(self._revision, NO_FINDS)
            return
        self._running = True
        revision, find = self._revision, self._finder(text)

        def work() -> None:
            cancelled = get_current_worker()
            finds = find(lambda: cancelled.is_cancelled)
            if not cancelled.is_cancelled:
                self._screen.post_message(SearchDone(self, revision, finds))

        self._screen.run_worker(work, thread=True, exclusive=True, group="search", exit_on_error=False)
        self._show()

    def again(self) -> None:
        """Search what is in the pane now, which is other evidence."""
        if self.in_evidence and self._text:
            self._begun_at = self._shown_at = self._place()
            self.finds, self.at = NO_FINDS, -1
            self.look_for(self._text)

    def take(self, revision: int, finds: Finds) -> None:
        """Show what a search has found, unless another one has begun meanwhile."""
        if revision != self._revision:
            return
        self._running = False
        self.finds, self.at = finds, -1
        if finds.count:
            self._go(finds.from_place(self._begun_at))
        else:
            self._go_back()

    def walk(self, step: int) -> None:
        """To the next or previous find, around the end."""
        if self.finds.count:
            self._go((self.at + step) % self.finds.count)

    def end(self) -> None:
        """Close the search; the cursor stays where it is."""
        screen = self._screen
        self._revision += 1
        self.finds, self.at = NO_FINDS, -1
        screen.prompt.close()
        screen.prompting = None
        screen.workers.cancel_group(screen, "search")
        self._list.focus()
        drawing.draw_matches(screen)

    def _place(self) -> int:
        if isinstance(self._list, RowList):
            return max(self._list.cursor, 0)
        return self._list.position.offset

    def _go(self, number: int) -> None:
        self.at = number
        if isinstance(self._list, RowList):
            self._show_place(self.finds.rows[number])
        else:
            self._show_place(*self.finds.spans[number])
        self._draw()

    def _go_back(self) -> None:
        """To where the search began: where the cursor is depends on what is looked for, not on how fast it was typed."""
        if self._shown_at != self._begun_at:
            self._show_place(self._begun_at)
        self._draw()

    def _show_place(self, start: int, end: int | None = None) -> None:
        """Show a place: a row of the list, or a place of the evidence in code points."""
        if isinstance(self._list, RowList):
            self._list.move_to(start)
        else:
            self._list.go_offset(start, end)
        self._shown_at = self._place()

    def _draw(self) -> None:
        drawing.draw_matches(self._screen)
        self._show()

    def _show(self) -> None:
        self._screen.prompt.show_outcome(outcome(self._text, self.at, self.finds.count, running=self._running), ())

    def _finder(self, text: str) -> Callable[[Callable[[], bool]], Finds]:
        """What to do on the thread; everything it needs is taken here."""
        if self.in_evidence:
            document = self._screen.session.document
            searched = document.text if document is not None else ""
            return lambda cancelled: Finds(spans=finds_in(searched, text, cancelled))
        texts = self._texts()
        return lambda cancelled: Finds(rows=tuple(rows_with(texts(), text)))

    def _texts(self) -> Callable[[], Sequence[str]]:
        """The texts of the list's rows; they are made on the thread, as there may be many."""
        session = self._screen.session
        board, state = session.board, session.state
        if self._pane == "trials":
            rows = session.rows.rows
            return lambda: [trial_label(board, row) if row >= 0 else "" for row in rows]
        if self._pane == "files":
            document = session.document
            files = list(document.index.files) if document is not None and document.index is not None else []
            return lambda: [f"{file.old_path or ''} {file.path or ''}" for file in files]
        slots = board.slots_of(state.trial, state.edits) if state.trial is not None else ()
        configs = [board.config(slot, state.edits) for slot in slots]
        return lambda: [f"{config.type} {config.name or ''} {pattern_of(config)}" for config in configs]


def outcome(text: str, at: int, count: int, *, running: bool) -> Phrase:
    """How many finds there are and which is the current one."""
    if not text:
        return (Word("a capital letter makes case count", Tone.MUTED, whole=True),)
    if running:
        return (Word("searching", Tone.MUTED),)
    if not count:
        return (Word("not found", Tone.WARN),)
    more = "+" if count >= MOST else ""
    keys = (Word("   n N", Tone.KEY), Word(" walk  ", Tone.MUTED), Word("esc", Tone.KEY), Word(" end", Tone.MUTED))
    return (Word(f"{at + 1:,} of {count:,}{more}", Tone.PLAIN), *keys)
