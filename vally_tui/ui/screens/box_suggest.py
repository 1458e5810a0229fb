"""Patterns made from a line of the evidence, from literal to general, each with what it says of the trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.explain.whynot import one_line
from vally_tui.triage.suggest import Selected, Suggestion, Tally
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cells, wrap_cells, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import phrase_cells
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

INDENT = 3
PATTERN_ROWS = 3
"""Rows that a long pattern takes at most."""


class SuggestBox(Overlay[GraderConfig]):
    """Waits for suggestions and shows them; gives the config of the chosen one."""

    def __init__(
        self, keymap: Keymap, selected: Selected, trials: int, of: int, *, copy: Callable[[str, str], None]
    ) -> None:
        """``trials``: on how many of the grader's trials (``of``) the patterns are judged."""
        super().__init__(keymap, "suggest")
        self.selected = selected
        self.is_wanted = True
        """Whether anybody waits for what the box shows."""
        self._trials, self._of, self._copy = trials, of, copy
        self._suggestions: Sequence[Suggestion] | None = None
        self._rows: dict[int, Suggestion] = {}

    def take(self, suggestions: Sequence[Suggestion]) -> None:
        """Show these."""
        self._suggestions = suggestions
        self.fill()

    def on_unmount(self) -> None:
        """Nobody waits any more."""
        self.is_wanted = False

    def fill(self) -> None:
        """The rows."""
        line = " ".join(self.selected.text.split("\n", 1)[0].split())[:60]
        self.show_title("Suggest", f"a pattern from {line}")
        self._rows = {}
        lines = [text_line(Word(row, Tone.MUTED)) for row in wrap_words(self._about(), self.text_width)]
        for number, suggestion in enumerate(self._suggestions or (), 1):
            lines.append(BLANK)
            self._rows[len(lines)] = suggestion
            lines += _lines(number, suggestion, self.text_width)
        self.show_lines(lines)
        keys = [Hint("enter", "put it into the grader"), Hint("y", "copy")] if self._rows else []
        self.show_keys(*keys, Hint("esc", "close"))

    def _about(self) -> str:
        some = f"the first {self._trials:,} of {self._of:,} trials" if self._of > self._trials else "the trials"
        if self._suggestions is None:
            return f"Judging patterns on {some} with this grader …"
        count = "" if self._of > self._trials else f" {self._of:,}" if self._of != 1 else " one"
        noun = some if not count else f"the{count} trial{'s' * (self._of != 1)}"
        return f"From literal to general, each judged on {noun} with this grader:"

    def choose(self, index: int) -> None:
        """Enter."""
        chosen = self._rows.get(index)
        if chosen is not None:
            self.dismiss(chosen.config)

    def pressed(self, event: events.Key) -> None:
        """Y copies the pattern."""
        chosen = self._rows.get(self.list.cursor)
        if event.key == "y" and chosen is not None:
            event.stop()
            self._copy(chosen.written, "the pattern")
        else:
            super().pressed(event)


def _lines(number: int, suggestion: Suggestion, width: int) -> list[Line]:
    """The pattern, then what it is and what it says; in two rows where one has no room for both."""
    first, *others = wrap_cells(one_line(suggestion.written), width - INDENT, PATTERN_ROWS)
    lines = [Line(((0, (Word(str(number)),)), (INDENT, (Word(first, Tone.STRONG),))), selectable=True)]
    lines += [text_line(Word(row, Tone.STRONG), indent=INDENT) for row in others]
    label, tally = text_line(Word(suggestion.label, Tone.MUTED), indent=INDENT), tally_words(suggestion.tally)
    if INDENT + cells(inert(suggestion.label)) + 2 + phrase_cells(tally) <= width:
        return [*lines, Line(label.parts, tally)]
    return [*lines, label, Line(((INDENT, tally),))]


def tally_words(tally: Tally) -> Phrase:
    """How many trials pass and fail; in brackets those that were recorded otherwise."""
    passes = tally.passed_pass + tally.failed_pass + tally.other_pass
    fails = tally.passed_fail + tally.failed_fail + tally.other_fail
    words = [Word(f"{passes:,} pass", Tone.PASS if passes else Tone.MUTED, bold=passes > 0)]
    if tally.failed_pass:
        words.append(Word(f" ({tally.failed_pass:,} recorded as fail)", Tone.MUTED))
    words.append(Word(f"   {fails:,} fail", Tone.FAIL if fails else Tone.MUTED, bold=fails > 0))
    if tally.passed_fail:
        words.append(Word(f" ({tally.passed_fail:,} recorded as pass)", Tone.MUTED))
    if tally.unknown:
        words.append(Word(f"   {tally.unknown:,} not judged", Tone.WARN))
    return tuple(words)
