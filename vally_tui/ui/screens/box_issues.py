"""What could not be read, what lacks evidence, what is not reproduced: each with its place and what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vally_tui.triage.views_issues import Trouble, TroubleGroup
from vally_tui.triage.views_model import Hint, Mark, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import shorten_path, wrap_words
from vally_tui.ui.render.signs import ARROW, LOOK, SIGNS, TONES
from vally_tui.ui.widgets.line_list import BLANK, Line, heading, text_line
from vally_tui.ui.widgets.overlay import Overlay

MOST = 2_000
"""Entries of a group that are listed; a heading says how many there are."""


class IssuesBox(Overlay[Trouble]):
    """Dismisses with the entry whose trial is to be shown."""

    def __init__(self, keymap: Keymap, collect: Callable[[], Sequence[TroubleGroup]]) -> None:
        """``collect`` is called on a thread."""
        super().__init__(keymap, "run.issues")
        self._collect = collect
        self._groups: Sequence[TroubleGroup] | None = None
        self._rows: list[Trouble | None] = []

    def opened(self) -> None:
        """Begins to collect."""
        self.list.focus()
        super().opened()
        self.look_at_trials(lambda: list(self._collect()))

    def on_overlay_found(self, message: Overlay.Found) -> None:
        """Shows what was collected."""
        message.stop()
        if isinstance(message.value, list):
            self._groups = message.value
            self.fill()

    def fill(self) -> None:
        """The entries by group."""
        if self._groups is None:
            self.show_title("Issues")
            self.show_lines([text_line(Word("collecting", Tone.MUTED))])
            return
        count = sum(len(group.troubles) for group in self._groups)
        self.show_title("Issues", f"{count:,} to look at" if count else "none")
        lines, self._rows = issue_lines(self._groups, self.text_width)
        self.show_lines(lines)
        go = (Hint("enter", "go to the trial"),) if any(row and row.trial is not None for row in self._rows) else ()
        self.show_keys(*go, Hint("j k", "move"), Hint("esc", "close"))

    def choose(self, index: int) -> None:
        """Go to the trial, where the entry is about one."""
        trouble = self._rows[index] if index < len(self._rows) else None
        if trouble is None:
            return
        if trouble.trial is None:
            self.say((Word(f"{LOOK} this is about no single trial", Tone.WARN),))
        else:
            self.dismiss(trouble)


def issue_lines(groups: Sequence[TroubleGroup], width: int) -> tuple[list[Line], list[Trouble | None]]:
    """The rows, and for each of them the entry that it belongs to."""
    if not groups:
        words = (
            Word(f"{SIGNS[Mark.PASS]} ", TONES[Mark.PASS], bold=True),
            "everything was read, and every verdict is as recorded",
        )
        return [text_line(*words)], [None]
    lines: list[Line] = []
    rows: list[Trouble | None] = []
    for group in groups:
        head = [BLANK] if lines else []
        head.append(_heading(group))
        lines += head
        rows += [None] * len(head)
        for trouble in group.troubles[:MOST]:
            made = trouble_lines(trouble, width)
            lines += made
            rows += [trouble] * len(made)
    return lines, rows


def _heading(group: TroubleGroup) -> Line:
    count = len(group.troubles)
    shown = f"{count:,}" if count <= MOST else f"{count:,}, the first {MOST:,} of them"
    line = heading(group.title)
    return Line(((0, (*line.parts[0][1], Word(f"  {shown}", Tone.MUTED))),))


def trouble_lines(trouble: Trouble, width: int) -> list[Line]:
    """The place, and below it what is wrong and what to do."""
    place = (Word(f"{LOOK} ", Tone.WARN, bold=True), Word(shorten_path(trouble.place, width - 2)))
    rest = wrap_words(trouble.message, width - 2)
    lines = [Line(((0, place),), selectable=True), *(text_line(row, indent=2) for row in rest)]
    steps = wrap_words(trouble.step, width - 4) if trouble.step else []
    for number, row in enumerate(steps):
        arrow = "  " if number else f"{ARROW} "
        lines.append(text_line(Word(arrow, Tone.KEY), Word(row, Tone.MUTED), indent=2))
    return lines
