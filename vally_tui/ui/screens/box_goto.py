"""Go to a trial, a grader, a file of the evidence or a stimulus by a few letters. Labels are compared on a thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.worker import get_current_worker

from vally_tui.triage.goto import Found, Target, find
from vally_tui.triage.views_model import Hint, Mark, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import cut, shorten_path
from vally_tui.ui.render.signs import SIGNS, TONES
from vally_tui.ui.widgets.line_list import Line, text_line
from vally_tui.ui.widgets.overlay import FindBox, Overlay

KIND_WIDTH = 10


class GotoBox(FindBox[Target]):
    """Dismisses with the place that was chosen."""

    MOST_ROWS = 16
    PLACEHOLDER = " a trial, a grader, a file, a stimulus"

    def __init__(
        self, keymap: Keymap, collect: Callable[[], Sequence[Target]], mark: Callable[[Target], Mark | None]
    ) -> None:
        """``collect`` makes all places and is called on a thread; ``mark`` gives the sign of a trial."""
        super().__init__(keymap, "go.to")
        self._collect = collect
        self._mark = mark
        self._targets: Sequence[Target] | None = None
        self._shown: Sequence[Target] = ()
        self._revision = self._shown_revision = 0

    @property
    def holds_keys(self) -> bool:
        """Whether the list is not yet that of what is typed."""
        return bool(self.field.value) and self._shown_revision != self._revision

    def fill(self) -> None:
        """Find what fits, on a thread."""
        self.show_keys(Hint("type", "to find"), Hint("enter", "go there"), Hint("esc", "close"))
        if not self._shown:
            self.show_title("Go to")
        self.fit(self.MOST_ROWS)
        self._revision += 1
        revision, typed = self._revision, self.field.value

        def work() -> None:
            worker = get_current_worker()
            if self._targets is None:
                self._targets = self._collect()
            found = find(self._targets, typed, lambda: worker.is_cancelled)
            if found is not None:
                self.post_message(self.Found(found, revision))

        self.run_worker(work, thread=True, exclusive=True, exit_on_error=False)

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """Shows what the thread has found for what is typed now."""
        message.stop()
        if message.revision != self._revision or not isinstance(message.value, Found):
            return
        self._shown_revision = message.revision
        self._shown = message.value.targets
        more = message.value.count - len(self._shown)
        self.show_title("Go to", note=f"{more:,} more" if more else "")
        lines = [self._line(target) for target in self._shown]
        self.show_lines(lines or [text_line(Word("nothing has these letters", Tone.MUTED))])

    def _line(self, target: Target) -> Line:
        mark = self._mark(target)
        sign: Phrase = (Word(SIGNS[mark], TONES[mark], bold=True),) if mark is not None else ()
        width = self.text_width - 2 - KIND_WIDTH
        label = shorten_path(target.label, width) if target.kind == "file" else cut(target.label, width)
        return Line(((0, sign), (2, (Word(label),))), (Word(target.kind, Tone.MUTED),), selectable=True)

    def entered(self, text: str) -> None:
        """Go to the place at the cursor, once it is one of what is typed."""
        if not self.holds_keys:
            super().entered(text)

    def choose(self, index: int) -> None:
        """Go there."""
        if index < len(self._shown):
            self.dismiss(self._shown[index])
