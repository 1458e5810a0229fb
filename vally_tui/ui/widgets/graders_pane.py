"""The graders of the trial in view. The selected one shows its evidence and finding, or, while edited, its five rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace
from rich.style import Style
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from vally_tui.triage.views_model import EditView, GraderRow, Mark, Note, Phrase, Tone, Word
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, tail, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row, phrase_cells, without_ranked
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
CLOSE = 50
"""Below so many cells the columns stand as close as they can."""
MOST_TYPE = 27
"""Cells of the longest type that is judged, with ``not`` before it."""
USUAL_TYPE = 17
"""Cells that a type gets even where its pattern has little room."""
ROOM_FOR_PATTERN, LITTLE_ROOM = 24, 12
"""Cells that longer types leave to the patterns in a wide and in a narrow list; with fewer than the lesser number a
pattern or a name has a row of its own below the head of the selected grader."""
LEAST_PATTERN = 8
"""Cells that a notice leaves to the pattern."""
MOST_EVIDENCE = 6
"""Screen rows of an evidence sentence; the rest is in the trial's facts."""
MOST_FINDING = 3
"""Screen rows of what is found about the selected grader."""
GAP = "   "
FIELD_INDENT = 2


class GradersPane(Pane):
    """The grader list with its title, which says how many graders are out of view."""

    DEFAULT_CSS = """
    GradersPane { height: auto; }
    GradersPane GraderList { height: auto; min-height: 1; max-height: 40vh; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.list = GraderList()
        super().__init__("Graders", self.list, Ground.BACKGROUND, id=id)

    def set_editing(self, editing: bool) -> None:
        """Says whether the field of a grader is open."""
        self.set_class(editing, "-editing")
        self._set_active(self.has_focus_within)

    def _set_active(self, active: bool) -> None:
        """The field of an edited grader has the focus in the place of the list that it lies over."""
        super()._set_active(active or self.has_class("-editing"))

    def on_grader_list_viewed(self, message: GraderList.Viewed) -> None:
        """Says in the title how many graders are below the view."""
        message.stop()
        below = message.below
        self.title.set_extra((Note(f"{below} more below", Tone.MUTED, 2),) if below else ())


class GraderColumns(Struct, frozen=True):
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
        results = max(longest_result, 13 if wide else 1)
        start = 9 if width >= ROOMY else 7
        gap, least = (1, 1) if width < CLOSE else (2, 2)
        scopes = max((cells(inert(row.scope[:LONGEST_SHOWN])) for row in rows), default=least)
        scopes = max(scopes, least)
        others = start + gap + scopes + 1 + results
        room = width - others - 2 - (ROOM_FOR_PATTERN if wide else LITTLE_ROOM)
        most = min(max(room, USUAL_TYPE), MOST_TYPE, max(width - others, 1))
        types = min(max(longest_type, USUAL_TYPE if wide else 1), most)
        scope = start + types + gap
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
        self._details: tuple[tuple[int, ...], list[Detail]] | None = None
        self._below = 0

    def show(self, rows: Sequence[GraderRow], *, cursor: int | None = None) -> None:
        """Shows the graders; the cursor goes to row ``cursor`` (from 0), else stays."""
        self._rows = rows
        self._forget()
        self.set_rows(len(rows), cursor=cursor)
        # Only then the list has the height that its rows need.
        self.call_after_refresh(self._say_viewed)

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

    def row_content(self, index: int, part: int, width: int) -> Hashable | None:
        """The grader, its columns, and the detail in this row."""
        detail = self._details_of(index, width)[part - 1] if part else None
        return self._rows[index], self._columns_for(width), detail

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
        self.call_after_refresh(self._say_viewed)

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

    def _details_of(self, index: int, width: int) -> list[Detail]:
        rich, few = self.app.size.height > 24, self.app.size.height > 16
        asked = (index, width, rich, few)
        if self._details is None or self._details[0] != asked:
            # Those of all rows: which rows are in view follows from how high the details are.
            columns = GraderColumns.of(self._rows, width)
            room = Room(width - columns.type - 1, width - columns.pattern - 1, evidence=rich, finding=few)
            self._details = asked, details(self._rows[index], room)
        return self._details[1]


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
    _put_pattern(row.to(columns.pattern), grader, look, is_cursor=is_cursor)


def _put_pattern(row: Row, grader: GraderRow, look: Look, *, is_cursor: bool) -> None:
    """The pattern, what is noticed about it, and its name where that fits whole."""
    room = row.room - 1
    notice = _shown_notice(grader, room)
    named = _name_fits(grader, room)
    left = room - (len(GAP) + phrase_cells(notice) if notice else 0)
    if grader.was is not None:
        row.put("was ", look.text(Tone.MUTED)).put(grader.was, look.text(Tone.MUTED), limit=left - 4)
    else:
        row.put(grader.pattern, look.text(Tone.STRONG if is_cursor else Tone.PLAIN), limit=left)
    if notice:
        row.put(GAP).put_phrase(notice, look, number=grader.number)
    if named:
        row.put(GAP).put(grader.name, look.text(Tone.MUTED))


def _pattern_cells(grader: GraderRow) -> int:
    """Cells of the pattern, or of what it was, as far as any screen shows it."""
    if grader.was is not None:
        return 4 + cells(inert(grader.was[:LONGEST_SHOWN]))
    return cells(inert(grader.pattern[:LONGEST_SHOWN]))


def _shown_notice(grader: GraderRow, room: int) -> Phrase:
    """The notice without what of it can be left out before the pattern is cut; nothing where that has too little room."""
    notice, pattern = grader.notice, _pattern_cells(grader) + len(GAP)
    while notice and notice[-1].whole and pattern + phrase_cells(notice) > room:
        notice = notice[:-1]
    return notice if room - len(GAP) - phrase_cells(notice) >= LEAST_PATTERN else ()


def _name_fits(grader: GraderRow, room: int) -> bool:
    """Whether the name fits whole behind the pattern and the notice, which both go before it."""
    if not grader.name or len(grader.name) > LONGEST_SHOWN:
        return False
    notice = _shown_notice(grader, room)
    noticed = len(GAP) + phrase_cells(notice) if notice else 0
    return _pattern_cells(grader) + noticed + len(GAP) + cells(inert(grader.name)) <= room


def _result_style(grader: GraderRow, look: Look, *, quiet: bool) -> Style:
    if grader.result_tone is not None:
        return look.text(grader.result_tone, bold=not quiet)
    return look.text(Tone.MUTED) if quiet else look.text(TONES[grader.mark], bold=True)


class Detail(Struct, frozen=True):
    """One screen row below the head of the selected grader."""

    words: Phrase = ()
    field: EditView | None = None


class Room(Struct, frozen=True):
    """What there is room for below the head of the selected grader."""

    row: int
    """Cells of a row."""
    pattern: int
    """Cells that the head has for the pattern and what follows it."""
    evidence: bool = True
    """Whether the screen is high enough for sentences, and for the name."""
    finding: bool = True


def details(grader: GraderRow, room: Room) -> list[Detail]:
    """What stands below the head of the selected grader: first what the head had no room for, the name last."""
    if grader.edit is not None:
        edit = grader.edit
        outcome = without_ranked(edit.outcome, room.row)
        return [Detail(field=edit), Detail(outcome), Detail(edit.example), Detail(_flags(edit, room.row))]
    made: list[Detail] = []
    if grader.pattern and room.pattern < LITTLE_ROOM:
        made.append(Detail((Word(grader.pattern, Tone.STRONG),)))
    if room.evidence and room.finding and grader.evidence:
        made += [Detail((Word(line),)) for line in evidence_lines(grader.evidence, room.row)]
    if room.finding and grader.finding:
        made += [Detail(row) for row in _finding_rows(grader.finding, room.row, MOST_FINDING if room.evidence else 1)]
    if room.evidence and grader.name and not _name_fits(grader, room.pattern):
        made.append(Detail((Word("named ", Tone.MUTED), Word(grader.name))))
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
    """The tick boxes; those that do not fit lose their words, the last ones first and the chosen one at the very end.

    Where there is no room even so they move together.
    """
    worded = list(range(len(edit.flags)))
    if edit.chosen_flag is not None:
        worded.sort(key=lambda index: index != edit.chosen_flag)
    while worded and phrase_cells(_boxes(edit, worded)) > room:
        worded.pop()
    return _boxes(edit, worded, tight=phrase_cells(_boxes(edit, worded)) > room)


def _boxes(edit: EditView, worded: Sequence[int], *, tight: bool = False) -> Phrase:
    words: list[Word] = []
    for index, (letter, said, is_set) in enumerate(edit.flags):
        tone = Tone.KEY if index == edit.chosen_flag else Tone.PLAIN
        gap = (" " if tight else "   ") if index else ""
        box = f"[{'x' if is_set else ' '}]" + ("" if tight else " ")
        words += [Word(gap + box, tone), Word(letter, Tone.STRONG)]
        if index in worded:
            words.append(Word(f" {said}", tone))
    return tuple(words)


def put_detail(row: Row, detail: Detail, grader: GraderRow, columns: GraderColumns, look: Look) -> None:
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
