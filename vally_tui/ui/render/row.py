"""Builds one screen row from pieces at columns. Owns the exact width: a row has as many cells as it was made for.

Every text put into a row is made inert here and cut at a cell.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from vally_tui.triage.views_model import Phrase
from vally_tui.ui.render.cells import cells, cut, head
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.styles import Look

PLAIN = Style()


class Row:
    """One row that is written from left to right."""

    def __init__(self, width: int, ground: Style = PLAIN) -> None:
        """``width`` in cells; ``ground`` is what lies below every piece."""
        self.width = max(width, 0)
        self.column = 0
        """The cell that is written next."""
        self._ground = ground
        self._segments: list[Segment] = []

    @property
    def room(self) -> int:
        """Cells that are left."""
        return self.width - self.column

    def put(self, text: str, style: Style = PLAIN, *, limit: int | None = None) -> Row:
        """Writes text, cut with ``…`` to the room that is left and to ``limit`` cells."""
        room = self.width - self.column
        if limit is not None and limit < room:
            room = limit
        if room > 0 and text:
            piece = cut(text, room)
            self._append(piece, cells(piece), style)
        return self

    def put_exact(self, text: str, style: Style = PLAIN) -> Row:
        """Writes inert text without ``…``: what does not fit is left out."""
        room = self.width - self.column
        if room > 0 and text:
            size = cells(text)
            if size > room:
                text = head(text, room)
                size = cells(text)
            self._append(text, size, style)
        return self

    def put_phrase(self, phrase: Phrase, look: Look, *, number: int = 1, under: Style = PLAIN) -> Row:
        """Writes the words of a phrase in the look of grader ``number``; ``under`` lies below each word's style."""
        for whole, group in groupby(phrase, key=attrgetter("whole")):
            words = tuple(group)
            # Whole words that stand together are one thing: a key without what it does says nothing.
            if not whole or phrase_cells(words) <= self.room:
                for word in words:
                    self.put(word.text, under + look.text(word.tone, bold=word.bold, number=number))
        return self

    def to(self, column: int, style: Style = PLAIN, fill: str = " ") -> Row:
        """Fills with ``fill`` (one cell) up to a column; does nothing where that is passed."""
        count = min(column, self.width) - self.column
        if count > 0:
            self._append(fill * count, count, style)
        return self

    def strip(self) -> Strip:
        """The row, filled to its width."""
        self.to(self.width)
        return Strip(self._segments, self.width)

    def _append(self, text: str, size: int, style: Style) -> None:
        self._segments.append(Segment(text, style if self._ground is PLAIN else self._ground + style))
        self.column += size


def phrase_cells(phrase: Phrase) -> int:
    """Cells of a phrase."""
    return sum(cells(inert(word.text)) for word in phrase)


def without_ranked(phrase: Phrase, room: int) -> Phrase:
    """The phrase without the words of the highest rank, until it fits in ``room`` cells or none has a rank."""
    while phrase_cells(phrase) > room and (rank := max((word.rank for word in phrase), default=0)):
        phrase = tuple(word for word in phrase if word.rank != rank)
    return phrase
