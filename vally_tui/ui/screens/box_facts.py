"""The record of a trial to read: scrolled, searched, copied. It is read on a thread, and only rows in view are made."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from textual import events
from textual.widget import Widget

from vally_tui.runs.model import LoadIssue
from vally_tui.triage.search import find_all
from vally_tui.triage.views_facts import Paragraph
from vally_tui.triage.views_model import Hint, Note, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import wrap_words
from vally_tui.ui.render.row import phrase_cells
from vally_tui.ui.render.signs import LOOK, SIGNS, TONES
from vally_tui.ui.render.wrapped import readable, row_spans
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay
from vally_tui.ui.widgets.text_line import TextLine

MOST_FINDS = 10_000

ReadFacts = Callable[[], Sequence[Paragraph] | LoadIssue]
"""Reads the record; called on a thread."""


class FactRow(Struct, frozen=True):
    """One row: a stretch of a paragraph; paragraph −1 is a blank row."""

    paragraph: int
    start: int
    end: int


class FactsLayout:
    """Paragraphs laid out for a width."""

    def __init__(self, paragraphs: Sequence[Paragraph], width: int) -> None:
        self.paragraphs = paragraphs
        self.texts = [readable(paragraph.text).removesuffix("\n") for paragraph in paragraphs]
        self.rows: list[FactRow] = []
        self.first_rows: list[int] = []
        """The row at which each paragraph begins."""
        for number, paragraph in enumerate(paragraphs):
            if paragraph.heading and number:
                self.rows.append(FactRow(-1, 0, 0))
            self.first_rows.append(len(self.rows))
            room, lead = width - paragraph.indent - paragraph.hang, _lead_cells(paragraph) - paragraph.hang
            spans = row_spans(self.texts[number], room, lead)
            self.rows += [FactRow(number, start, end) for start, end in spans]

    def line(self, index: int, finds: Sequence[tuple[int, int, int]] = ()) -> Line:
        """A row; ``finds``: all (paragraph, start, end), in order, that a search has found."""
        row = self.rows[index]
        if row.paragraph < 0:
            return BLANK
        paragraph, text = self.paragraphs[row.paragraph], self.texts[row.paragraph]
        words: list[Word] = []
        is_first = index == self.first_rows[row.paragraph]
        if is_first:
            if paragraph.mark is not None:
                words.append(Word(f"{SIGNS[paragraph.mark]} ", TONES[paragraph.mark], bold=True))
            words += paragraph.lead
        words += _with_finds(text, row, paragraph.tone, finds)
        indent = paragraph.indent + (0 if is_first else paragraph.hang)
        return Line(((indent, tuple(words)),), selectable=True)

    def row_of(self, paragraph: int, offset: int) -> int:
        """The row that shows a place of a paragraph."""
        first = self.first_rows[paragraph]
        last = self.first_rows[paragraph + 1] if paragraph + 1 < len(self.first_rows) else len(self.rows)
        return (
            bisect_right(self.rows, offset, first, last, key=lambda row: row.start if row.paragraph >= 0 else 1 << 60)
            - 1
        )

    def find(self, typed: str) -> list[tuple[int, int, int]]:
        """All places of a text: (paragraph, start, end), in order."""
        found: list[tuple[int, int, int]] = []
        for number, text in enumerate(self.texts):
            found += [(number, start, end) for start, end in find_all(text, typed)]
            if len(found) > MOST_FINDS:
                return found[:MOST_FINDS]
        return found


def _lead_cells(paragraph: Paragraph) -> int:
    return phrase_cells(paragraph.lead) + (2 if paragraph.mark is not None else 0)


def _with_finds(text: str, row: FactRow, tone: Tone, finds: Sequence[tuple[int, int, int]]) -> Iterable[Word]:
    at = row.start
    index = bisect_left(finds, (row.paragraph, row.start, 0))
    if index and finds[index - 1][0] == row.paragraph and finds[index - 1][2] > row.start:
        index -= 1
    for paragraph, start, end in finds[index:]:
        if paragraph != row.paragraph or start >= row.end:
            break
        first, last = max(start, at), min(end, row.end)
        yield Word(text[at:first], tone)
        yield Word(text[first:last], Tone.KEY)
        at = last
    yield Word(text[at : row.end], tone)


class FactsBox(Overlay[None]):
    """Shows the facts of one trial."""

    def __init__(
        self, keymap: Keymap, read: ReadFacts, *, about: Sequence[Note], copy: Callable[[str, str], None]
    ) -> None:
        """``copy`` takes a text and what to call it."""
        super().__init__(keymap, "trial.facts")
        self.field = TextLine(placeholder=" find in this box")
        self._read = read
        self._about = about
        self._copy = copy
        self._paragraphs: Sequence[Paragraph] | None = None
        self._issue: LoadIssue | None = None
        self._layout: FactsLayout | None = None
        self._finds: list[tuple[int, int, int]] = []
        self._at = -1
        self._revision = 0

    def content(self) -> Iterable[Widget]:
        """The field comes only for a search."""
        self.field.display = False
        yield self.field
        yield self.list

    def opened(self) -> None:
        """Begins to read."""
        self.list.focus()
        super().opened()
        self.run_worker(self._read_record, thread=True, exit_on_error=False)

    def _read_record(self) -> None:
        self.post_message(self.Found(self._read()))

    def fill(self) -> None:
        """Shows what there is, laid out for the width."""
        self.show_title("Facts", *self._about)
        self._show_own_keys()
        if self._issue is not None:
            words = wrap_words(f"{self._issue.file}:{self._issue.line}: {self._issue.message}", self.text_width)
            self.show_lines([text_line(Word(f"{LOOK} the record cannot be read", Tone.WARN)), *map(text_line, words)])
        elif self._paragraphs is None:
            self.show_lines([text_line(Word("reading the record", Tone.MUTED))])
            self.fit(self.MOST_ROWS)
        else:
            self._lay_out(self._paragraphs)

    def _lay_out(self, paragraphs: Sequence[Paragraph]) -> None:
        """On a thread, as an output may be long."""
        self._revision += 1
        revision, width = self._revision, self.text_width

        def work() -> None:
            self.post_message(self.Found(FactsLayout(paragraphs, width), revision))

        self.run_worker(work, thread=True, exit_on_error=False)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """Takes in what a thread has made."""
        message.stop()
        match message.value:
            case LoadIssue() as issue:
                self._issue = issue
                self.fill()
            case FactsLayout() as layout if message.revision == self._revision:
                self._show_layout(layout)
            case list() as paragraphs:
                self._paragraphs = paragraphs
                self.fill()

    def _show_layout(self, layout: FactsLayout) -> None:
        before = self._layout.rows[self.list.cursor] if self._layout is not None and self.list.cursor >= 0 else None
        self._layout = layout
        cursor = layout.row_of(before.paragraph, before.start) if before is not None and before.paragraph >= 0 else 0
        self._show_rows(cursor)
        self.fit(len(layout.rows))

    def _show_rows(self, cursor: int) -> None:
        layout = self._layout
        if layout is not None:
            rows = layout.rows
            self.list.show_made(
                len(rows),
                lambda index: layout.line(index, self._finds),
                lambda index: rows[index].paragraph >= 0,
                cursor=cursor,
            )

    # Keys

    def pressed(self, event: events.Key) -> None:
        """Searching, walking finds and sections, copying; the rest as in every box."""
        if self.focused is not self.field and event.is_printable:
            deed = {
                "/": self._open_field,
                "n": lambda: self._walk(1),
                "N": lambda: self._walk(-1),
                "]": lambda: self._step_section(1),
                "[": lambda: self._step_section(-1),
                "y": self._copy_paragraph,
            }.get(event.character or "")
            if deed is not None:
                event.stop()
                deed()
                return
        super().pressed(event)

    def _show_own_keys(self) -> None:
        if self.field.display:
            self.show_keys(Hint("enter", "to the text"), Hint("n N", "walk the finds"), Hint("esc", "end the search"))
            return
        self.show_keys(
            Hint("j k", "move"), Hint("] [", "section"), Hint("/", "find"), Hint("y", "copy"), Hint("esc", "close")
        )

    def _open_field(self) -> None:
        self.field.display = True
        self.field.focus()
        self._show_own_keys()

    def typed(self, text: str) -> None:
        """Finds as one types."""
        self._finds = self._layout.find(text) if self._layout is not None and text else []
        self._at = -1
        self.list.refresh()
        if self._finds:
            self._walk(1)
        else:
            self.show_title("Facts", *self._about, note="not found" if text else "")

    def entered(self, text: str) -> None:
        """Back to the text, with the finds kept."""
        self.list.focus()

    def action_close(self) -> None:
        """Ends a search, else closes the box."""
        if not self.field.display:
            super().action_close()
            return
        self.field.value = ""
        self.field.display = False
        self.list.focus()
        self._show_own_keys()

    def _walk(self, step: int) -> None:
        if self._layout is None or not self._finds:
            return
        self._at = (self._at + step) % len(self._finds)
        paragraph, start, _ = self._finds[self._at]
        self.list.move_to(self._layout.row_of(paragraph, start))
        self.show_title("Facts", *self._about, note=f"find {self._at + 1:,} of {len(self._finds):,}")

    def _step_section(self, step: int) -> None:
        if self._layout is None:
            return
        heads = [
            first
            for first, paragraph in zip(self._layout.first_rows, self._layout.paragraphs, strict=True)
            if paragraph.heading
        ]
        at = self.list.cursor
        index = bisect_right(heads, at) if step > 0 else bisect_left(heads, at) - 1
        if 0 <= index < len(heads):
            self.list.move_to(heads[index])
            self.list.scroll_to(y=heads[index], animate=False, force=True, immediate=True)

    def _copy_paragraph(self) -> None:
        """Copies the paragraph at the cursor, whole; of a heading its section."""
        if self._layout is None or self.list.cursor < 0:
            return
        number = self._layout.rows[self.list.cursor].paragraph
        if number < 0:
            return
        paragraph = self._layout.paragraphs[number]
        if not paragraph.heading:
            self._copy(paragraph.text, "this paragraph")
            return
        texts = []
        for each in self._layout.paragraphs[number + 1 :]:
            if each.heading:
                break
            texts.append("".join(word.text for word in each.lead) + each.text)
        self._copy("\n".join(texts), f"the section {paragraph.text}")
