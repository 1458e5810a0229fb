"""Messages that cross threads or widgets, beyond those that a widget declares for itself."""

from __future__ import annotations

from textual.message import Message


class News(Message):
    """Something that a thread of the session has found waits to be taken in."""


class Broken(Message):
    """A thread has ended by an error that nobody foresaw."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error
