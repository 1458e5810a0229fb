"""Draws one row of a diff: gutter, numbers, and the raw line under its layers of highlights. Pure: values in, strip out.

Layers, from below: line tint, syntax colour, other graders' matches (the lowest number on top), the focused grader's,
the current match, near matches, search finds, the mouse's selection. Only the part of a line that is seen is touched.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from vally_tui.diffs.model import DiffLine, LineKind
from vally_tui.grading.model import Spans
from vally_tui.triage.views_model import GraderMark, Highlight, Layers, Tone
from vally_tui.ui.render.cells import Columns, cells, step_cells
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.signs import BAR, BROKEN, EMPTY, LOOK, NEAR
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.render.syntax import Token

_CODE = frozenset({LineKind.ADDED, LineKind.REMOVED, LineKind.CONTEXT})
_SIGNED = frozenset({LineKind.ADDED, LineKind.REMOVED})


class Geometry(Struct, frozen=True):
    """Where the parts of a diff row stand, in cells."""

    width: int
    gutter: int = 4
    """4, or 1 on very narrow screens."""
    number: int = 4
    """Width of a column of line numbers."""
    columns: int = 2
    """Columns of line numbers: old and new, one for both, or none."""
    scroll: int = 0
    """Cells of the text that are scrolled out to the left."""

    @property
    def tint(self) -> int:
        """The column from which on the line's ground is drawn."""
        return 1 + self.gutter + self.columns * (self.number + 1)

    @property
    def text(self) -> int:
        """The column of the line's first character."""
        return self.tint + 1

    @property
    def text_width(self) -> int:
        """Cells for the line."""
        return max(self.width - self.text, 0)


class RowState(Struct, frozen=True):
    """What else decides how a row looks."""

    cursor: bool = False
    active: bool = False
    """Whether the pane has the focus."""
    selection: tuple[int, int] | None = None
    """Code points marked with the mouse."""
    tokens: tuple[Token, ...] = ()
    """Syntax colours, counted from behind the line's sign."""
    part: tuple[int, int] | None = None
    """The stretch of a wrapped line that this row shows (code points); None: not wrapped."""


class Window(Struct, frozen=True):
    """The part of a line that is seen."""

    start: int
    """The first code point that is drawn whole."""
    end: int
    """Behind the last one drawn whole."""
    column: int
    """The column of the line (in cells) at which ``start`` begins."""
    lead: int = 0
    """Blank cells before it, where a wide character or tab is cut."""


def line_window(line: DiffLine, columns: Columns, geometry: Geometry, part: tuple[int, int] | None = None) -> Window:
    """What of a line is seen in the text's cells."""
    if part is not None:
        return Window(*part, columns.column(part[0]))
    first = columns.at(geometry.scroll)
    start, column, lead = first.index, first.column, 0
    if column < geometry.scroll and start < line.end:
        start += 1
        column = columns.column(start)
        lead = min(column - geometry.scroll, geometry.text_width)
    last = columns.at(geometry.scroll + geometry.text_width)
    # A line may hide any number of combining marks in one cell.
    end = min(max(last.index, start), start + 8 * geometry.text_width + 64)
    return Window(start, end, column, lead)


def marks_of_row(line: DiffLine, layers: Layers) -> list[GraderMark]:
    """The graders of which a match begins in this row (its newline included), lowest number first, then near ones."""
    found = [mark for mark in (_mark(line, highlight, near=False) for highlight in layers.graders) if mark]
    return found + [mark for mark in (_mark(line, highlight, near=True) for highlight in layers.near) if mark]


def _mark(line: DiffLine, highlight: Highlight, *, near: bool) -> GraderMark | None:
    starts = highlight.spans.starts
    index = bisect_left(starts, line.start)
    if index >= len(starts) or starts[index] > line.end:
        return None
    empty = highlight.spans.ends[index] == starts[index] and not near
    return GraderMark(highlight.number, near=near, broken=highlight.broken, empty=empty)


def seen_layers(line: DiffLine, window: Window, layers: Layers) -> Hashable:
    """What of the layers is drawn in a row: equal for layers that differ in other rows only."""

    def seen(highlights: Sequence[Highlight]) -> tuple[Hashable, ...]:
        return tuple(
            (highlight.number, highlight.stale, highlight.broken, spans)
            for highlight in highlights
            if (spans := _seen(highlight.spans, window))
        )

    marks, matches, near = tuple(marks_of_row(line, layers)), seen(layers.graders), seen(layers.near)
    focused = layers.focused if marks or matches else None
    places = [place if place and place[0] <= window.end and place[1] >= window.start else None
              for place in (layers.current, layers.find)]  # fmt: skip
    return marks, matches, near, focused, _seen(layers.finds, window), *places


def _seen(spans: Spans, window: Window) -> tuple[tuple[int, int], ...]:
    """The spans that begin in a window or reach into it; the cell behind its end belongs to it."""
    starts, ends = spans.starts, spans.ends
    first = bisect_left(ends, window.start)
    last = bisect_left(starts, window.end + 1, first)
    return tuple(zip(starts[first:last], ends[first:last], strict=True))


def mark_text(mark: GraderMark) -> str:
    """How a grader is named in a gutter: ``2``, ``~1``, ``1✘``, ``1‸``."""
    if mark.near:
        return f"{NEAR}{mark.number}"
    return f"{mark.number}{BROKEN if mark.broken else EMPTY if mark.empty else ''}"


def fitting_marks(marks: Sequence[GraderMark], width: int, focused: int | None = None) -> tuple[list[GraderMark], bool]:
    """The marks that fit in ``width`` cells, and whether some were left out (which then takes a cell for ``+``).

    The order stays as it is where all fit; else the focused grader's stands first.
    """
    if sum(len(mark_text(mark)) for mark in marks) <= width:
        return list(marks), False
    ordered = sorted(marks, key=lambda mark: mark.number != focused)
    kept: list[GraderMark] = []
    room = width - 1
    for mark in ordered:
        room -= len(mark_text(mark))
        if room < 0:
            break
        kept.append(mark)
    return kept, True


def put_marks(
    row: Row,
    marks: Sequence[GraderMark],
    look: Look,
    width: int,
    focused: int | None = None,
    under: Style | None = None,
) -> None:
    """Writes gutter marks; a number of two digits is underlined, so that ``12`` is not read as 1 and 2."""
    kept, more = fitting_marks(marks, width, focused)
    base = under or Style()
    for mark in kept:
        row.put_exact(mark_text(mark), base + mark_style(mark, look))
    if more and width > 0:
        row.put_exact("+", base + look.text(Tone.MUTED))


def mark_style(mark: GraderMark, look: Look) -> Style:
    """The look of a gutter mark."""
    if mark.broken:
        return look.text(Tone.FAIL, bold=True)
    style = look.hue(mark.number) + Style(bold=not mark.near)
    return style + Style(underline=True) if mark.number > 9 else style


def diff_strip(
    text: str, line: DiffLine, columns: Columns, layers: Layers, look: Look, geometry: Geometry, state: RowState
) -> Strip:
    """One row of the diff, exactly ``geometry.width`` cells."""
    first_part = state.part is None or state.part[0] == line.start
    row = Row(geometry.width)
    _put_gutter(row, marks_of_row(line, layers) if first_part else (), layers.focused, look, geometry, state)
    _put_numbers(row, line if first_part else None, look, geometry, state)
    ground, ink = look.line(line.kind)
    row.to(geometry.text, ground)
    window = line_window(line, columns, geometry, state.part)
    row.put_exact(" " * window.lead, ground)
    _put_text(row, text, line, window, _paint(line, window, layers, look, ground + ink, state))
    return row.to(geometry.width, ground).strip()


def heading_strip(text: str, look: Look, geometry: Geometry) -> Strip:
    """The name of the part of the text that follows."""
    row = Row(geometry.width, look.ground(Ground.BACKGROUND)).to(geometry.tint)
    ground, ink = look.line(LineKind.HUNK_HEADER)
    return row.to(geometry.text, ground).put(text, ground + ink).to(geometry.width, ground).strip()


def notice_strip(text: str, look: Look, geometry: Geometry) -> Strip:
    """A sentence of ours between the rows of the text."""
    row = Row(geometry.width, look.ground(Ground.BACKGROUND)).to(geometry.text)
    return row.put(f"{LOOK} ", look.text(Tone.WARN, bold=True)).put(text, look.text(Tone.WARN)).strip()


def fold_strip(words: str, look: Look, geometry: Geometry, state: RowState) -> Strip:
    """The one row that stands for a folded stretch."""
    row = Row(geometry.width)
    _put_gutter(row, (), None, look, geometry, state)
    row.to(geometry.tint, _side_ground(look, state))
    ground = look.ground(Ground.BACKGROUND)
    row.to(geometry.text, ground).put(words, ground + look.text(Tone.MUTED))
    return row.to(geometry.width, ground).strip()


def _side_ground(look: Look, state: RowState) -> Style:
    """Below gutter and numbers."""
    if not state.cursor:
        return look.ground(Ground.BACKGROUND)
    return look.ground(Ground.BOOST if state.active else Ground.PANEL)


def _put_gutter(
    row: Row, marks: Sequence[GraderMark], focused: int | None, look: Look, geometry: Geometry, state: RowState
) -> None:
    side = _side_ground(look, state)
    bar = look.cursor_bar if state.active else look.ink(Ink.FAINT)
    row.put_exact(BAR if state.cursor else " ", side + bar)
    # The last cell of a wide gutter stays blank, to part it from the numbers.
    put_marks(row, marks, look, max(geometry.gutter - 1, 1), focused, side)
    row.to(1 + geometry.gutter, side)


def _put_numbers(row: Row, line: DiffLine | None, look: Look, geometry: Geometry, state: RowState) -> None:
    side = _side_ground(look, state)
    ink = look.text(Tone.MUTED) if state.cursor and state.active else look.line_number
    for number in _numbers(line, geometry.columns):
        row.put_exact(_number(number, geometry.number), side + ink)
        row.put_exact(" ", side)


def _numbers(line: DiffLine | None, columns: int) -> tuple[int | None, ...]:
    if columns == 0:
        return ()
    old, new = (line.old_number, line.new_number) if line is not None else (None, None)
    return (old, new) if columns == 2 else (new if new is not None else old,)


def _number(number: int | None, width: int) -> str:
    """A line number in ``width`` cells; of one that is too long the end is shown."""
    digits = "" if number is None else str(number)
    return digits.rjust(width) if len(digits) <= width else "…" + digits[-(width - 1) :]


def _paint(line: DiffLine, window: Window, layers: Layers, look: Look, base: Style, state: RowState) -> list[Style]:
    """A style for each character that is seen, and one for the cell behind the line's end."""
    styles = [base] * (window.end - window.start + 1)
    brush = _Brush(window.start, styles)
    if line.kind in _SIGNED:
        brush.range(line.start, line.start + 1, look.sign(line.kind))
    for start, end, ink in state.tokens:
        brush.range(line.start + 1 + start, line.start + 1 + end, look.ink(ink))
    for highlight, current in _in_drawing_order(layers):
        _paint_highlight(brush, highlight, look, current)
    for highlight in layers.near:
        brush.spans(highlight.spans, look.near(highlight.number), look.near(highlight.number))
    brush.spans(layers.finds, look.find, look.find)
    if layers.find is not None:
        brush.range(*layers.find, look.find_current)
    if state.selection is not None:
        brush.range(*state.selection, look.selection)
    return styles


def _in_drawing_order(layers: Layers) -> Iterator[tuple[Highlight, tuple[int, int] | None]]:
    """The others from the highest number down, the focused one last, with the current match."""
    for highlight in reversed(layers.graders):
        if highlight.number != layers.focused:
            yield highlight, None
    for highlight in layers.graders:
        if highlight.number == layers.focused:
            yield highlight, layers.current


def _paint_highlight(brush: _Brush, highlight: Highlight, look: Look, current: tuple[int, int] | None) -> None:
    number = highlight.number
    if highlight.stale:
        brush.spans(highlight.spans, look.stale, look.stale)
        return
    style = look.broken if highlight.broken else look.match(number)
    brush.spans(highlight.spans, style, look.empty(number))
    if current is None:
        return
    if current[0] == current[1]:
        brush.range(current[0], current[0] + 1, look.empty(number) + Style(reverse=look.plain))
    else:
        # In colour a broken match keeps the failing look; reversed it would lose it in monochrome, too.
        brush.range(*current, look.broken + Style(reverse=look.plain) if highlight.broken else look.current(number))


class _Brush:
    """Lays styles over the characters from ``start`` on."""

    __slots__ = ("_end", "_start", "_styles")

    def __init__(self, start: int, styles: list[Style]) -> None:
        self._start, self._styles = start, styles
        self._end = start + len(styles)

    def range(self, start: int, end: int, style: Style) -> None:
        """Lays a style over ``start`` to ``end``, as far as they are seen."""
        first, last = max(start, self._start), min(end, self._end)
        styles = self._styles
        below: Style | None = None
        above = style
        for index in range(first - self._start, last - self._start):
            if styles[index] is not below:
                below = styles[index]
                above = below + style
            styles[index] = above

    def spans(self, spans: Spans, style: Style, empty: Style) -> None:
        """Lays ``style`` over each span that is seen, ``empty`` over the cell at one of no length."""
        starts, ends = spans.starts, spans.ends
        index = bisect_left(ends, self._start)
        while index < len(starts) and starts[index] < self._end:
            start, end = starts[index], ends[index]
            self.range(start, max(end, start + 1), style if end > start else empty)
            index += 1


def _put_text(row: Row, text: str, line: DiffLine, window: Window, styles: list[Style]) -> None:
    """Writes the characters in runs of one style; tabs become blanks, all else is made inert."""
    piece = text[window.start : window.end]
    column = window.column
    run = 0
    for index in range(1, len(piece) + 1):
        if index < len(piece) and styles[index] is styles[run]:
            continue
        drawn = _expand(piece[run:index], column)
        row.put_exact(drawn, styles[run])
        column += cells(drawn)
        run = index
    if window.end >= line.end:
        row.put_exact(" ", styles[-1])


def _expand(piece: str, column: int) -> str:
    """A stretch of a line as it is drawn when it begins at ``column``."""
    if "\t" not in piece:
        return inert(piece)
    parts: list[str] = []
    for character in piece:
        size = step_cells(character, column)
        parts.append(" " * size if character == "\t" else inert(character))
        column += size
    return "".join(parts)


def syntax_text(text: str, line: DiffLine) -> str | None:
    """The code of a line without its sign, where it is code."""
    return text[line.start + 1 : line.end] if line.kind in _CODE else None


@lru_cache(maxsize=64)
def geometry_for(width: int, screen_width: int, digits: int, scroll: int = 0) -> Geometry:
    """Where the parts stand in a pane of ``width`` cells: what goes first where the screen is narrow.

    ``digits``: of the longest line number in the document; 0: it has no line numbers.
    """
    if screen_width <= 40:
        return Geometry(width, 1, 0, 0, scroll)
    if digits == 0:
        return Geometry(width, 4, 0, 0, scroll)
    if screen_width < 100:
        return Geometry(width, 4, min(max(digits, 3), 6), 1 if screen_width < 70 else 2, scroll)
    return Geometry(width, 4, min(max(digits, 4), 7), 2, scroll)
