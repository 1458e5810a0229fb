"""Messages that cross threads or widgets, beyond those that a widget declares for itself."""

from textual.message import Message

from vally_tui.triage.session import Event


class News(Message):
    """Something that a thread of the session has found."""

    def __init__(self, event: Event) -> None:
        super().__init__()
        self.event = event
