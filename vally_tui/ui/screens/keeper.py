"""Keeps what is not saved in the journal, offers it at the next start, and tells what could not be carried over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from textual.timer import Timer

from vally_tui.errors import SaveRefused
from vally_tui.spec.edit import SpecEdit
from vally_tui.spec.journal import Journal
from vally_tui.triage import update
from vally_tui.triage.edits import NO_EDITS, Edits
from vally_tui.triage.session import Session

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

KEEP_AFTER = 0.25
"""Seconds without a further edit after which the journal is written."""


def tell_clashes(screen: TriageScreen) -> None:
    """Say which unsaved edits stand on top of something that changed on disk in the same place."""
    clashes, screen.session.clashes = screen.session.clashes, ()
    if clashes:
        more = f" · and {len(clashes) - 1} more" if len(clashes) > 1 else ""
        screen.refuse(f"▲ {clashes[0]}{more}")


class Keeper:
    """Keeps the unsaved edits of a screen in the journal, and offers those of an earlier session."""

    def __init__(self, screen: TriageScreen, journal: Journal) -> None:
        self._screen = screen
        self._journal = journal
        self._kept: tuple[Edits, Edits] = (NO_EDITS, NO_EDITS)
        """What the journal holds; where writing it failed it is tried again, at the next change and in the end."""
        self._offered = False
        self._keeps = False
        """Whether the journal is this session's to write: nothing older in it waits for an answer."""
        self._older: tuple[SpecEdit, ...] = ()
        """Edits of an earlier session that stay in the journal: they fit no grader, or are to be offered again."""
        self._timer: Timer | None = None
        self._key: str | None = None
        """What the journal was written for last."""
        self._newest = 0
        """The number of the newest writing: an older one that comes late is left out."""
        self._writing = Lock()

    def look(self) -> None:
        """To be called after each change: writes soon where the unsaved edits are others than those kept."""
        state = self._screen.session.state
        if (state.edits, state.saved) != self._kept and self._keeps:
            if self._timer is not None:
                self._timer.stop()
            self._timer = self._screen.set_timer(KEEP_AFTER, self._write_on_a_thread)

    def finish(self) -> None:
        """Write now: the program ends."""
        if self._keeps and (self._screen.session.state.edits, self._screen.session.state.saved) != self._kept:
            with suppress(SaveRefused):
                self._work()()

    def offer(self) -> None:
        """Once, when the run is read: offer what was kept of an earlier session."""
        if self._offered:
            return
        self._offered = True
        pending = self._journal.pending(journal_key(self._screen.session))
        if pending is not None and pending.edits:
            # Here, as the first rows do not wait for it.
            from vally_tui.ui.screens.box_recover import RecoverBox

            box = RecoverBox(self._screen.keymap, pending.edits)
            self._screen.app.push_screen(box, partial(self._take_answer, pending.edits))
        else:
            self._begin_to_keep()

    def _take_answer(self, entries: tuple[SpecEdit, ...], answer: bool | None) -> None:
        if answer is None:
            self._older = entries
        elif answer:
            self._older = self._restore(entries)
            if self._older:
                count = len(self._older)
                self._screen.refuse(f"{count} of the kept edits fit no grader any more; the journal still holds them")
        else:
            self._journal.clear(journal_key(self._screen.session))
        self._begin_to_keep()

    def _begin_to_keep(self) -> None:
        self._keeps = True
        self.look()

    def _restore(self, entries: tuple[SpecEdit, ...]) -> tuple[SpecEdit, ...]:
        # Here, as in the other method: the first rows do not wait for what only edits need.
        from vally_tui.triage.journalled import restored

        session = self._screen.session
        edits, lost = restored(session.board, session.state.edits, entries)
        self._screen.change(update.take_edits(session.state, session.board, edits))
        return lost

    def _write_on_a_thread(self) -> None:
        work = self._work()

        def write() -> None:
            try:
                work()
            except SaveRefused as error:
                self._screen.app.call_from_thread(self._screen.refuse, str(error))

        self._screen.run_worker(write, thread=True, exit_on_error=False, group="journal")

    def _work(self) -> Callable[[], None]:
        from vally_tui.triage.journalled import entries_of, unsaved_changes

        session = self._screen.session
        given = session.spec is not None and session.spec.given
        # The newest come last: where both are about one grader, they are the ones that stay when all are put back.
        entries = (*self._older, *entries_of(unsaved_changes(session.board, session.state, given=given)))
        digest = session.spec.document.digest if session.spec is not None else None
        key, kept = journal_key(session), (session.state.edits, session.state.saved)
        self._newest = number = self._newest + 1

        def write() -> None:
            with self._writing:
                if number < self._newest:
                    return
                self._journal.record(key, entries, digest)
                self._kept = kept
                if self._key is not None and self._key != key:
                    # Saved as another file, which the edits belong to from now on.
                    self._journal.clear(self._key)
                self._key = key

        return write


def journal_key(session: Session) -> str:
    """What the edits of a session belong to: the spec that the person named, else the first run."""
    if session.spec is not None and session.spec.given:
        return str(session.spec.path.resolve())
    return str(session.board.sources[0].results.resolve())
