"""Offers the unsaved edits of a session that ended early."""

from __future__ import annotations

from collections.abc import Sequence

from vally_tui.spec.edit import AddGrader, RemoveGrader, ReplaceGrader, SpecEdit
from vally_tui.triage.views_model import Hint, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

MOST = 8


class RecoverBox(Overlay[bool]):
    """Gives True to put the edits back, False to throw them away, None to be asked again at the next start."""

    WIDTH = 84

    def __init__(self, keymap: Keymap, edits: Sequence[SpecEdit]) -> None:
        super().__init__(keymap)
        self._edits = edits

    def fill(self) -> None:
        """What was edited."""
        count = len(self._edits)
        self.show_title("Unsaved edits", f"{count} of an earlier session")
        lines: list[Line] = [_line(edit) for edit in self._edits[:MOST]]
        if count > MOST:
            lines.append(text_line(Word(f"and {count - MOST} more", Tone.MUTED)))
        lines += [BLANK, text_line("They were made but not saved the last time, and are still here.")]
        self.show_lines(lines)
        self.show_keys(Hint("enter", "put them back"), Hint("d", "throw them away"), Hint("esc", "ask again next time"))

    def key_enter(self) -> None:
        """Put them back."""
        self.dismiss(True)

    def key_d(self) -> None:
        """Throw them away."""
        self.dismiss(False)


def _line(edit: SpecEdit) -> Line:
    match edit:
        case AddGrader(stimulus=stimulus, value=value):
            kind = value.get("type") if isinstance(value, dict) else ""
            return text_line(Word(stimulus or "no stimulus", Tone.STRONG), Word(f"  a new grader: {kind}"))
        case RemoveGrader(grader=grader):
            what = f"  grader {grader.index + 1} ({grader.name or grader.type}) is removed"
            return text_line(Word(grader.stimulus or "no stimulus", Tone.STRONG), Word(what))
        case ReplaceGrader(grader=grader):
            what = f"  grader {grader.index + 1} ({grader.name or grader.type}) is changed"
            return text_line(Word(grader.stimulus or "no stimulus", Tone.STRONG), Word(what))
    return text_line("an edit")
