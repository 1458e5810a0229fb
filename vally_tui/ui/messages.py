"""Messages that cross threads or widgets, beyond those that a widget declares for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from vally_tui.triage.events import Event


class News(Message):
    """Something that a thread of the session has found."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event


class Broken(Message):
    """A thread has ended by an error that nobody foresaw."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error
