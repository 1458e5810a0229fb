"""The graders of the trial in view. The selected one shows its evidence and finding, or, while edited, its five rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rich.style import Style
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from vally_tui.triage.views_model import EditView, GraderRow, Mark, Note, Phrase, Tone, Word
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, tail, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row, phrase_cells
from vally_tui.ui.render.signs import TONES
from vally_tui.ui.render.styles import Ground, Look
from vally_tui.ui.render.wrapped import readable, row_spans
from vally_tui.ui.widgets.pane import Pane
from vally_tui.ui.widgets.row_list import RowList
from vally_tui.ui.widgets.trials_pane import put_cursor_bar, put_sign

WIDE = 70
"""From so many cells on columns have their full width."""
ROOMY = 62
"""From so many cells on a flip is shown with both its signs."""
MOST_EVIDENCE = 6
"""Screen rows of an evidence sentence; the rest is in the trial's facts."""
MOST_FINDING = 3
"""Screen rows of what is found about the selected grader."""
FIELD_INDENT = 2
FLAGS_IN_A_ROW = 3


class GradersPane(Pane):
    """The grader list with its title, which says how many graders are out of view."""

    DEFAULT_CSS = """
    GradersPane { height: auto; }
    GradersPane GraderList { height: auto; min-height: 1; max-height: 40vh; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.list = GraderList()
        super().__init__("Graders", self.list, Ground.BACKGROUND, id=id)

    def on_grader_list_viewed(self, message: GraderList.Viewed) -> None:
        """Says in the title how many graders are below the view."""
        message.stop()
        below = message.below
        self.title.set_extra((Note(f"{below} more below", Tone.MUTED, 1),) if below else ())


@dataclass(frozen=True, slots=True)
class GraderColumns:
    """Where the parts of a grader's row begin, in cells."""

    type: int
    scope: int
    result: int
    pattern: int

    @classmethod
    def of(cls, rows: Sequence[GraderRow], width: int) -> GraderColumns:
        """Columns that fit the rows; on narrow screens no wider than they must be."""
        wide = width >= WIDE
        longest_type = max((cells(inert(row.type[:LONGEST_SHOWN])) for row in rows), default=0)
        longest_result = max((cells(inert(row.result)) for row in rows), default=0)
        types = min(max(longest_type, 17 if wide else 1), 20 if wide else 17)
        results = max(longest_result, 13 if wide else 1)
        start = 9 if width >= ROOMY else 7
        scope = start + types + 2
        scopes = max(2, *(cells(inert(row.scope[:LONGEST_SHOWN])) for row in rows)) if rows else 2
        return cls(start, scope, scope + scopes + 1, scope + scopes + 1 + results + 2)


class GraderList(RowList):
    """The rows of the grader list."""

    class Viewed(Message):
        """Another part of the list is in view."""

        def __init__(self, below: int) -> None:
            super().__init__()
            self.below = below
            """Graders below the view."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows: Sequence[GraderRow] = ()
        self._details: tuple[int, int, list[_Detail]] | None = None
        self._below = 0

    def show(self, rows: Sequence[GraderRow], *, cursor: int | None = None) -> None:
        """Shows the graders; the cursor goes to row ``cursor`` (from 0), else stays."""
        self._rows = rows
        self._forget()
        self.set_rows(len(rows), cursor=cursor)
        self._say_viewed()

    def field_region(self) -> Region | None:
        """Where the field of the edited grader stands, in cells of the screen; None while none is edited or in view."""
        if self.cursor < 0 or self._rows[self.cursor].edit is None:
            return None
        y = self.cursor + 1 - self.scroll_offset.y
        if not 0 <= y < self.size.height:
            return None
        region = self.content_region
        left = self._columns_for(region.width).type
        return Region(region.x + left, region.y + y, max(region.width - left - FIELD_INDENT, 1), 1)

    def cursor_height(self, index: int, width: int) -> int:
        """The head and the details of the selected grader."""
        return 1 + len(self._details_of(index, width))

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        """Draws a grader or a detail of the selected one."""
        grader = self._rows[index]
        ground = (Ground.BOOST if self.active and grader.edit is None else Ground.PANEL) if is_cursor else self.ground
        row = Row(width, self.look.ground(ground))
        tone = None if grader.edit is None else Tone.FAIL if grader.edit.invalid else Tone.EDIT
        put_cursor_bar(row, self.look, is_cursor=is_cursor, active=self.active, tone=tone)
        if part == 0:
            put_grader(row, grader, self._columns_for(width), self.look, is_cursor=is_cursor)
        else:
            put_detail(row, self._details_of(index, width)[part - 1], grader, self._columns_for(width), self.look)
        return row.strip()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tells the pane what is in view."""
        super().watch_scroll_y(old_value, new_value)
        self._say_viewed()

    def resized(self) -> None:
        """Keeps the cursor in view, and tells the pane what is."""
        self._forget()
        super().resized()
        self._say_viewed()

    def move_to(self, index: int, *, say: bool = True) -> None:
        """Puts the cursor on a grader; its details open."""
        self._forget()
        super().move_to(index, say=say)
        self._say_viewed()

    def _say_viewed(self) -> None:
        visible = self.visible_rows
        below = max(self.count - visible.stop, 0) if visible else 0
        if below != self._below:
            self._below = below
            self.post_message(self.Viewed(below))

    def _columns_for(self, width: int) -> GraderColumns:
        """The columns of all rows; on narrow screens those of the rows in view, so that the pattern is seen."""
        visible = self.visible_rows if width < WIDE else range(self.count)
        return GraderColumns.of(self._rows[visible.start : visible.stop], width)

    def _forget(self) -> None:
        self._details = None

    def _details_of(self, index: int, width: int) -> list[_Detail]:
        if self._details is None or self._details[:2] != (index, width):
            rich, few = self.app.size.height > 24, self.app.size.height > 16
            room = width - (9 if width >= ROOMY else 7) - 1
            self._details = (index, width, details(self._rows[index], room, evidence=rich, finding=few))
        return self._details[2]


def put_grader(row: Row, grader: GraderRow, columns: GraderColumns, look: Look, *, is_cursor: bool) -> None:
    """The head of a grader: number, sign, type, scope, result, pattern."""
    badge = look.badge(grader.number) if grader.judged else look.ground(Ground.PANEL) + look.text(Tone.MUTED)
    row.put_exact(f"{grader.number:^3}", badge)
    put_sign(row.to(5), grader.mark, grader.before if columns.type > 8 else None, look)
    quiet = grader.mark in (Mark.PASS, Mark.RECORDED, Mark.SKIPPED, Mark.PENDING)
    name = look.text(Tone.STRONG) if is_cursor else look.text(Tone.MUTED if quiet else Tone.PLAIN)
    row.to(columns.type).put(grader.type, name, limit=columns.scope - columns.type - 1)
    row.to(columns.scope).put(grader.scope, look.text(Tone.MUTED), limit=columns.result - columns.scope - 1)
    row.to(columns.result).put(grader.result, _result_style(grader, look, quiet=quiet))
    row.to(columns.pattern)
    notice_cells = phrase_cells(grader.notice) + 3 if grader.notice else 0
    if row.room - 1 - notice_cells < 8:
        notice_cells = 0
    room = row.room - 1 - notice_cells
    if grader.was is not None:
        row.put("was ", look.text(Tone.MUTED)).put(grader.was, look.text(Tone.MUTED), limit=room - 4)
    else:
        row.put(grader.pattern, look.text(Tone.STRONG if is_cursor else Tone.PLAIN), limit=room)
    if notice_cells:
        row.put("   ").put_phrase(grader.notice, look, number=grader.number)


def _result_style(grader: GraderRow, look: Look, *, quiet: bool) -> Style:
    if grader.result_tone is not None:
        return look.text(grader.result_tone, bold=not quiet)
    return look.text(Tone.MUTED) if quiet else look.text(TONES[grader.mark], bold=True)


@dataclass(frozen=True, slots=True)
class _Detail:
    """One screen row below the head of the selected grader."""

    words: Phrase = ()
    field: EditView | None = None


def details(grader: GraderRow, room: int, *, evidence: bool, finding: bool) -> list[_Detail]:
    """What stands below the head of the selected grader, in rows of ``room`` cells."""
    if grader.edit is not None:
        edit = grader.edit
        return [_Detail(field=edit), _Detail(edit.outcome), _Detail(edit.example), _Detail(_flags(edit, room))]
    made: list[_Detail] = []
    if evidence and finding and grader.evidence:
        made += [_Detail((Word(line),)) for line in evidence_lines(grader.evidence, room)]
    if finding and grader.finding:
        made += [_Detail(row) for row in _finding_rows(grader.finding, room, MOST_FINDING if evidence else 1)]
    return made


def _finding_rows(finding: Phrase, room: int, most: int) -> list[Phrase]:
    """A finding of one tone over as many rows as it needs; one of several words is a single row."""
    if len(finding) > 1 or most == 1:
        return [finding]
    rows = wrap_words(finding[0].text, room)
    rows[most - 1 :] = [" ".join(rows[most - 1 :])] if rows[most - 1 :] else []
    return [(replace(finding[0], text=row),) for row in rows]


def evidence_lines(evidence: str, room: int) -> list[str]:
    """The first rows of an evidence sentence; ``…`` says that there is more."""
    text = readable(evidence)
    spans = list(islice(row_spans(text, room), MOST_EVIDENCE + 1))
    lines = [text[start:end] for start, end in spans[:MOST_EVIDENCE]]
    if len(spans) > MOST_EVIDENCE:
        lines[-1] += " …"
    return lines


def _flags(edit: EditView, room: int) -> Phrase:
    """The tick boxes; those that do not fit lose their words, the last ones first."""
    worded = len(edit.flags)
    while worded and phrase_cells(_boxes(edit, worded)) > room:
        worded -= 1
    return _boxes(edit, worded)


def _boxes(edit: EditView, worded: int) -> Phrase:
    words: list[Word] = []
    for index, (letter, said, is_set) in enumerate(edit.flags):
        tone = Tone.KEY if index == edit.chosen_flag else Tone.PLAIN
        gap = "   " if index else ""
        words += [Word(f"{gap}[{'x' if is_set else ' '}] ", tone), Word(letter, Tone.STRONG)]
        if index < worded:
            words.append(Word(f" {said}", tone))
    return tuple(words)


def put_detail(row: Row, detail: _Detail, grader: GraderRow, columns: GraderColumns, look: Look) -> None:
    """One row below the head: words, or the field."""
    if detail.field is None:
        row.to(columns.type).put_phrase(detail.words, look, number=grader.number)
    else:
        put_field(row.to(columns.type), detail.field, look)


def put_field(row: Row, edit: EditView, look: Look) -> None:
    """The field with its caret; a long text is moved so that the caret is seen."""
    ground = look.ground(Ground.EDIT)
    end = row.width - FIELD_INDENT
    room = end - row.column - FIELD_INDENT
    row.put_exact("▏", ground + look.text(Tone.EDIT))
    first = _first_shown(edit, room)
    caret = look.text(Tone.EDIT) + Style(reverse=True)
    for index, character in enumerate(inert(edit.text[first : first + 4 * row.width]) + " ", first):
        if row.column >= end:
            break
        style = ground + look.text(Tone.PLAIN)
        if index == edit.fault:
            style += look.text(Tone.FAIL, bold=True) + Style(underline=True)
        if index == edit.caret and edit.chosen_flag is None:
            style += caret
        row.put_exact(character, style)
    row.to(end, ground)


def _first_shown(edit: EditView, room: int) -> int:
    """The first code point that is shown."""
    before = inert(edit.text[max(edit.caret - 2 * max(room, 1), 0) : edit.caret])
    return edit.caret - len(tail(before, max(room - 1, 0)))
