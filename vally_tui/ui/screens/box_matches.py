"""All matches of the focused grader: counted by kind of line, listed with their lines, gone to with enter."""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import Spans
from vally_tui.triage.match_list import KIND_WORDS, MatchRow, counts, match_row
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import shorten_path
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

MOST_PLACE = 40
LOOKED_AT = 200
"""Matches whose places decide how wide their column is."""
HEAD = 2
"""Rows above the matches."""
_GROUNDS = {LineKind.ADDED: Ground.ADDED, LineKind.REMOVED: Ground.REMOVED}


class MatchesBox(Overlay[int]):
    """Dismisses with the number (from 0) of the match to go to."""

    def __init__(
        self,
        keymap: Keymap,
        index: DiffIndex,
        spans: Spans,
        *,
        number: int,
        about: Sequence[str],
        total: int | None,
        broken: bool,
        current: int,
    ) -> None:
        """``total``: all matches, where only the first ones are marked; ``broken``: they fail their grader."""
        super().__init__(keymap, "match.list")
        self._index, self._spans = index, spans
        self._number, self._about = number, about
        self._total, self._broken, self._current = total, broken, current
        self._place_width = 0
        self._counts: list[tuple[LineKind, int]] | None = None

    def opened(self) -> None:
        """Begins to count by kind, on a thread, as there may be many."""
        self.list.focus()
        super().opened()

        def work() -> None:
            self.post_message(self.Found(counts(self._index, self._spans)))

        self.run_worker(work, thread=True, exit_on_error=False)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """The counts are there."""
        message.stop()
        if isinstance(message.value, list):
            self._counts = message.value
            self.list.refresh()

    def fill(self) -> None:
        """The counts, and a row for each match, made when it is seen."""
        self.show_title("Matches", f"grader {self._number}", *self._about)
        self.show_keys(Hint("enter", "go there"), Hint("j k", "move"), Hint("esc", "close"))
        count, width = len(self._spans), self.text_width
        looked_at = [match_row(self._index, self._spans[number]).place for number in range(min(count, LOOKED_AT))]
        self._place_width = min(max(map(len, looked_at), default=0), MOST_PLACE, width // 3)
        self.list.show_made(
            count + HEAD, lambda row: self._line(row, width), lambda row: row >= HEAD, cursor=HEAD + self._current
        )
        self.fit(count + HEAD)

    def _line(self, row: int, width: int) -> Line:
        if row == 0:
            return text_line(*self._tally())
        if row < HEAD:
            return BLANK
        match = match_row(self._index, self._spans[row - HEAD])
        return match_line(match, self._number, width, self._place_width, broken=self._broken)

    def _tally(self) -> Phrase:
        count = len(self._spans)
        words = [Word(f"{count:,} match{'es' * (count != 1)}", Tone.STRONG)]
        if self._total is not None and self._total > count:
            words = [Word(f"the first {count:,} of {self._total:,} matches", Tone.STRONG)]
        for kind, number in self._counts or ():
            words.append(
                Word(f" · {number:,} {KIND_WORDS[kind]}", Tone.PLAIN if kind is LineKind.ADDED else Tone.MUTED)
            )
        return tuple(words)

    def choose(self, index: int) -> None:
        """Go to the match."""
        if index >= HEAD:
            self.dismiss(index - HEAD)


def match_line(row: MatchRow, number: int, width: int, place: int, *, broken: bool = False) -> Line:
    """One match: where (in ``place`` cells), its line with the match in its grader's look, the kind of line."""
    kind = KIND_WORDS[row.kind] if row.kind is not None else ""
    room = width - place - 2 - len(kind) - 2
    text: Phrase = (
        Word(row.before.replace("\t", "    ")),
        Word(row.match.replace("\t", "    ") or " ", Tone.BROKEN if broken else Tone.MATCH),
        Word(row.after.replace("\t", "    ")),
    )
    return Line(
        (
            (0, (Word(shorten_path(row.place, place), Tone.MUTED),)),
            (place + 2, text if room > 0 else ()),
            (width - len(kind), (Word(kind, Tone.MUTED),)),
        ),
        selectable=True,
        number=number,
        ground=_GROUNDS.get(row.kind) if row.kind is not None else None,
    )
