"""Long texts as rows of a width: where each row begins and ends, so that rows are made only when they are seen.

Linear in the text, however long its lines are. Rows break at blanks where they can; newlines always break.
"""

from __future__ import annotations

from collections.abc import Iterator

from vally_tui.ui.render.cells import head
from vally_tui.ui.render.inert import inert

TAB_STOP = 4


def readable(text: str) -> str:
    """A text as it is shown: tabs as blanks, ``\\r\\n`` as one newline; all else stays."""
    return text.replace("\r\n", "\n").expandtabs(TAB_STOP)


def row_spans(text: str, width: int, first: int = 0) -> Iterator[tuple[int, int]]:
    """Start and end of each row of at most ``width`` cells; ``first``: cells already taken on the first row.

    A word that does not fit beside them stands on the next row whole; the first one is empty then.
    """
    width = max(width, 1)
    start, room = 0, max(width - first, 1)
    while True:
        newline = text.find("\n", start)
        end = newline if newline >= 0 else len(text)
        at = start
        while (cut := _cut(text, at, end, room)) < end:
            if room < width and text[cut] != " ":
                cut = at
            yield at, cut
            at, room = cut + (cut > at and text[cut] == " "), width
        yield at, end
        if newline < 0:
            return
        start, room = newline + 1, width


def _cut(text: str, start: int, end: int, width: int) -> int:
    """Where a row that begins at ``start`` ends: at ``end``, at the last blank that fits, or at the last cell."""
    piece = text[start : min(end, start + 2 * width + 1)]
    fits = len(head(inert(piece), width))
    if start + fits >= end:
        return end
    if fits == 0:
        return start + 1
    blank = piece.rfind(" ", 0, fits + 1)
    return start + blank if blank > 0 and piece[:blank].strip(" ") else start + fits
