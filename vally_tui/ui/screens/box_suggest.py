"""Patterns made from a line of the diff, from literal to general, each with what it says of the trials."""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.explain.whynot import one_line
from vally_tui.triage.suggest import Suggestion, Tally
from vally_tui.triage.views_model import Hint, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

INDENT = 4


class SuggestBox(Overlay[GraderConfig]):
    """Waits for suggestions and shows them; gives the config of the chosen one."""

    def __init__(self, keymap: Keymap, text: str, trials: int) -> None:
        """``text``: what was pointed at; ``trials``: how many the grader judges."""
        super().__init__(keymap, "suggest")
        self._text, self._trials = text, trials
        self._suggestions: Sequence[Suggestion] | None = None
        self._rows: dict[int, Suggestion] = {}

    def take(self, suggestions: Sequence[Suggestion]) -> None:
        """Show these."""
        self._suggestions = suggestions
        self.fill()

    def fill(self) -> None:
        """The rows."""
        self.show_title("Suggest", "a pattern from", one_line(self._text.split("\n", 1)[0])[:60])
        self._rows = {}
        lines: list[Line] = []
        if self._suggestions is None:
            lines.append(text_line(Word("Judging the patterns …", Tone.MUTED)))
        for number, suggestion in enumerate(self._suggestions or (), 1):
            if lines:
                lines.append(BLANK)
            self._rows[len(lines)] = suggestion
            parts = ((0, (Word(str(number)),)), (INDENT, (Word(one_line(suggestion.written), Tone.STRONG),)))
            lines.append(Line(parts, selectable=True))
            lines.append(Line(((INDENT, (Word(suggestion.label, Tone.MUTED),)),), _tally(suggestion.tally)))
        self.show_lines(lines)
        keys = [Hint("enter", "put it into the grader")] if self._rows else []
        self.show_keys(*keys, Hint("esc", "close"))

    def choose(self, index: int) -> None:
        """Enter."""
        chosen = self._rows.get(index)
        if chosen is not None:
            self.dismiss(chosen.config)


def _tally(tally: Tally) -> Phrase:
    """How many trials pass and fail, those recorded as passed and as failed told apart."""
    passes = tally.passed_pass + tally.failed_pass + tally.other_pass
    fails = tally.passed_fail + tally.failed_fail + tally.other_fail
    words = [
        Word(f"{passes:,} pass", Tone.PASS if passes else Tone.MUTED),
        Word(f" ({tally.failed_pass:,} recorded as fail)", Tone.MUTED),
        Word(f"  {fails:,} fail", Tone.FAIL if fails else Tone.MUTED),
        Word(f" ({tally.passed_fail:,} recorded as pass)", Tone.MUTED),
    ]
    if tally.unknown:
        words.append(Word(f"  {tally.unknown:,} not judged", Tone.WARN))
    return tuple(words)
