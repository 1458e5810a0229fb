"""Arithmetic on terminal cells: widths, cuts at cells, shortened paths, and where the characters of a line stand.

Owns no style. Positions in text are code points; columns are cells from 0. A tab reaches to the next multiple of
``TAB``, counted from the start of the line as it is recorded.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from msgspec import Struct
from rich.cells import get_character_cell_size

from vally_tui.ui.render.inert import inert, inert_character

TAB = 8
ELLIPSIS = "…"
LONGEST_SHOWN = 2048
"""Code points of a name that are looked at; no screen shows more."""
STEP = 1024
"""Characters between two checkpoints of a line's columns."""

_single_cells = re.compile(r"[\x20-\x7e]*")


class _Widths(dict[str, int]):
    """The cells of each character that was met."""

    def __missing__(self, character: str) -> int:
        self[character] = size = get_character_cell_size(inert_character(character))
        return size


_WIDTHS = _Widths()
character_cells = _WIDTHS.__getitem__
"""Cells of one character as it is drawn: 0 for a combining mark, 2 for a wide one; not for a tab."""


def cells(text: str) -> int:
    """Cells of inert text."""
    return len(text) if text.isascii() else sum(map(character_cells, text))


def cut(text: str, width: int) -> str:
    """Inert text in at most ``width`` cells, with ``…`` as its last where something was cut off."""
    text = inert(text[: width * 4 + 16]) if len(text) > width * 4 + 16 else inert(text)
    if cells(text) <= width:
        return text
    return head(text, width - 1) + ELLIPSIS if width > 0 else ""


def head(text: str, width: int) -> str:
    """The beginning of inert text that fits in ``width`` cells, never half a wide character."""
    used = 0
    for index, character in enumerate(text):
        used += character_cells(character)
        if used > width:
            return text[:index]
    return text


def tail(text: str, width: int) -> str:
    """The end of inert text that fits in ``width`` cells, without combining marks that lost their base."""
    used, start = 0, len(text)
    while start and used + character_cells(text[start - 1]) <= width:
        start -= 1
        used += character_cells(text[start])
    while start < len(text) and start and character_cells(text[start]) == 0:
        start += 1
    return text[start:]


def fit(text: str, width: int, *, right: bool = False) -> str:
    """``cut``, then filled with blanks to exactly ``width`` cells."""
    text = cut(text, width)
    blanks = " " * (width - cells(text))
    return blanks + text if right else text + blanks


def shorten_path(path: str, width: int) -> str:
    """An inert path in at most ``width`` cells: its file name stays longest, ``…`` stands for what is left out."""
    if len(path) > 2 * LONGEST_SHOWN:
        path = path[:LONGEST_SHOWN] + path[-LONGEST_SHOWN:]
    path = inert(path)
    if cells(path) <= width:
        return path
    name = path[path.rfind("/") :] if "/" in path else path
    room = width - cells(name) - 1
    if room >= 1 and name != path:
        return head(path, room) + ELLIPSIS + name
    if width <= 2:
        return ELLIPSIS[:width]
    front = (width - 1) // 3
    return head(path, front) + ELLIPSIS + tail(path, width - 1 - cells(head(path, front)))


def front_cut(text: str, width: int) -> str:
    """Inert text in at most ``width`` cells, with ``…`` first where its front was cut off."""
    text = inert(text[-LONGEST_SHOWN:])
    if cells(text) <= width:
        return text
    return ELLIPSIS + tail(text, width - 1) if width > 0 else ""


def step_cells(character: str, column: int) -> int:
    """Cells that a character of a recorded line takes when it begins at ``column``."""
    return TAB - column % TAB if character == "\t" else character_cells(character)


def is_single(text: str, start: int, end: int) -> bool:
    """Whether each character of ``text[start:end]`` is printable ASCII, so one cell."""
    match = _single_cells.match(text, start, end)
    return match is not None and match.end() == end


class Position(Struct, frozen=True):
    """A character of a line and the column where it begins."""

    index: int
    column: int


class Columns:
    """Where the characters of one line stand, worked out only as far to the right as is asked.

    A checkpoint each ``STEP`` characters keeps a line of millions of characters cheap: after the first look
    only the part that is shown is touched.
    """

    __slots__ = ("_columns", "_end", "_start", "_text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._columns = [0]
        """The column at character ``start + STEP * i``."""

    def _advance(self) -> bool:
        """Adds the next checkpoint; False at the end of the line."""
        first = self._start + STEP * (len(self._columns) - 1)
        if first + STEP > self._end:
            return False
        self._columns.append(self._measure(first, first + STEP, self._columns[-1]))
        return True

    def _measure(self, first: int, last: int, column: int) -> int:
        """The column behind ``text[first:last]`` when that begins at ``column``."""
        if is_single(self._text, first, last):
            return column + last - first
        piece = self._text[first:last]
        first_part, *behind_tabs = piece.split("\t")
        column += sum(map(character_cells, first_part))
        for part in behind_tabs:
            column += TAB - column % TAB + sum(map(character_cells, part))
        return column

    def column(self, index: int) -> int:
        """The column where the character at ``index`` of the text begins; ``index`` lies in the line or at its end."""
        index = min(max(index, self._start), self._end)
        number = (index - self._start) // STEP
        while len(self._columns) <= number and self._advance():
            pass
        number = min(number, len(self._columns) - 1)
        return self._measure(self._start + STEP * number, index, self._columns[number])

    def at(self, column: int) -> Position:
        """The character that covers ``column``, or the end of the line where that is further left."""
        while self._columns[-1] <= column and self._advance():
            pass
        number = max(bisect_right(self._columns, column) - 1, 0)
        index, at = self._start + STEP * number, self._columns[number]
        last = min(index + STEP, self._end)
        if is_single(self._text, index, last):
            step = min(column - at, last - index)
            return Position(index + step, at + step)
        return self._walk(index, last, at, column)

    def _walk(self, index: int, last: int, at: int, column: int) -> Position:
        while index < last:
            size = step_cells(self._text[index], at)
            if at + size > column:
                break
            index, at = index + 1, at + size
        return Position(index, at)

    def width(self) -> int:
        """Cells of the whole line."""
        return self.column(self._end)


def wrap_points(text: str, start: int, end: int, width: int) -> list[int]:
    """Where the screen rows of a wrapped line begin (offsets of ``text``), each of at most ``width`` cells.

    Tabs are counted from the beginning of the whole line. A wide character is never cut; one wider than ``width``
    has a row to itself.
    """
    points, index, column, row_start = [start], start, 0, 0
    while index < end:
        if column == row_start and is_single(text, index, min(index + width, end)):
            if index + width >= end:
                break
            index, column = index + width, column + width
            row_start = column
            points.append(index)
            continue
        size = step_cells(text[index], column)
        if size and column + size - row_start > width and column > row_start:
            row_start = column
            points.append(index)
            continue
        index, column = index + 1, column + size
    return points


def wrap_words(text: str, width: int) -> list[str]:
    """Text as inert lines of at most ``width`` cells, broken at blanks where that is possible; newlines stay."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrap_line(inert(paragraph), max(width, 1))
    return lines


def wrap_cells(text: str, width: int, most: int) -> list[str]:
    """A pattern as at least one and at most ``most`` inert lines of ``width`` cells, the last one with ``…`` if it is cut.

    Broken at cells, never at a blank, which would not be seen at the end of a line.
    """
    lines: list[str] = []
    rest = inert(text[: (width + 1) * most * 4 + 16])
    while rest and len(lines) < most - 1 and cells(rest) > width:
        part = head(rest, width) or rest[:1]
        lines.append(part)
        rest = rest[len(part) :]
    return [*lines, cut(rest, width)] if rest or not lines else lines


def _wrap_line(text: str, width: int) -> list[str]:
    lines: list[str] = []
    at = 0
    while True:
        part = head(text[at : at + 2 * width + 16], width) or text[at : at + 1]
        end = at + len(part)
        if end >= len(text):
            return [*lines, part]
        blank = part.rfind(" ")
        if text[end] != " " and blank > 0:
            end = at + blank
        lines.append(text[at:end].rstrip(" "))
        at = end + len(text[end : end + width]) - len(text[end : end + width].lstrip(" "))
