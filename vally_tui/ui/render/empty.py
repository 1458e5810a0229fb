"""What a pane without content says: why it is empty and what to do, as strips."""

from __future__ import annotations

from rich.style import Style
from textual.strip import Strip

from vally_tui.triage.views_model import EmptyView, Tone
from vally_tui.ui.render.cells import cells, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.signs import SIGNS, TONES
from vally_tui.ui.render.styles import Ink, Look

_WIDEST = 66
_BAR = 40


def empty_strips(view: EmptyView, width: int, height: int, look: Look, ground: Style) -> list[Strip]:
    """The rows of the pane, ``height`` of them; what does not fit is cut off at the end, the reason last."""
    indent = 11 if width >= 70 else 3
    rows = _Rows(width, indent, look, ground)
    rows.headline(view)
    if view.progress is not None:
        rows.bar(view.progress, view.progress_note)
    if view.sentences:
        rows.blank()
        for sentence in view.sentences:
            rows.sentence(sentence, Tone.PLAIN)
    rows.steps(view)
    if view.aside:
        rows.blank()
        rows.sentence(view.aside, Tone.MUTED)
    top = max((height - len(rows.made)) // 3, 0) if height > len(rows.made) else 0
    padded = [rows.empty] * top + rows.made
    return (padded + [rows.empty] * height)[:height]


class _Rows:
    """The rows as they are made."""

    def __init__(self, width: int, indent: int, look: Look, ground: Style) -> None:
        self._width, self._indent, self._look, self._ground = width, indent, look, ground
        self.made: list[Strip] = []
        self.empty = Row(width, ground).strip()

    @property
    def _text_width(self) -> int:
        return max(min(self._width - self._indent - 1, _WIDEST), 1)

    def blank(self) -> None:
        self.made.append(self.empty)

    def headline(self, view: EmptyView) -> None:
        look = self._look
        for number, line in enumerate(wrap_words(view.headline, self._text_width)):
            row = Row(self._width, self._ground).to(max(self._indent - 2, 0))
            if number == 0 and view.mark is not None:
                row.put(SIGNS[view.mark], look.text(TONES[view.mark], bold=True))
            self.made.append(row.to(self._indent).put(line, look.text(Tone.STRONG)).strip())

    def sentence(self, text: str, tone: Tone) -> None:
        for line in wrap_words(text, self._text_width):
            self.made.append(Row(self._width, self._ground).to(self._indent).put(line, self._look.text(tone)).strip())

    def bar(self, progress: float, note: str) -> None:
        look = self._look
        size = min(_BAR, self._text_width)
        done = round(min(max(progress, 0.0), 1.0) * size)
        row = Row(self._width, self._ground).to(self._indent)
        row.put("━" * done, look.text(Tone.KEY)).put("─" * (size - done), look.ink(Ink.RULE))
        self.blank()
        self.made.append(row.put("  ").put(note, look.text(Tone.PLAIN)).strip())

    def steps(self, view: EmptyView) -> None:
        if not view.steps:
            return
        look = self._look
        self.blank()
        self.sentence_strong("What to do")
        column = self._indent + max(cells(inert(hint.key)) for hint in view.steps) + 2
        for hint in view.steps:
            row = Row(self._width, self._ground).to(self._indent).put(hint.key, look.text(Tone.KEY))
            self.made.append(row.to(column).put(hint.words, look.text(Tone.PLAIN)).strip())

    def sentence_strong(self, text: str) -> None:
        row = Row(self._width, self._ground).to(self._indent)
        self.made.append(row.put(text, self._look.text(Tone.STRONG)).strip())
