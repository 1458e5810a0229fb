"""What is odd about the graders of a trial: each finding with the pattern that would not have the fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace
from textual import events

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.explain.whynot import one_line
from vally_tui.triage.lint import LintFinding, Severity
from vally_tui.triage.views import names_of
from vally_tui.triage.views_model import Hint, Mark, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import wrap_words
from vally_tui.ui.render.signs import LOOK, SIGNS
from vally_tui.ui.widgets.line_list import BLANK, Line, text_line
from vally_tui.ui.widgets.overlay import Overlay

INDENT = 3
_SIGNS = {
    Severity.ERROR: Word(SIGNS[Mark.FAIL], Tone.FAIL),
    Severity.WARNING: Word(LOOK, Tone.WARN),
    Severity.NOTE: Word(SIGNS[Mark.RECORDED], Tone.MUTED),
}


class Mended(Struct, frozen=True):
    """The person wants to try a pattern in a grader."""

    grader: int
    """0-based place among the trial's graders."""
    pattern: str


class LintBox(Overlay[Mended]):
    """Waits for the findings and shows them."""

    def __init__(
        self,
        keymap: Keymap,
        about: str,
        configs: Sequence[GraderConfig],
        findings: Sequence[LintFinding] | None,
        *,
        copy: Callable[[str, str], None],
    ) -> None:
        """``about`` names the stimulus; ``configs``: its graders; ``findings``: None while they are not known."""
        super().__init__(keymap, "lint")
        self._about, self._configs, self._copy = about, tuple(configs), copy
        self._findings = findings
        self._chosen: dict[int, LintFinding] = {}

    def take(self, findings: Sequence[LintFinding]) -> None:
        """Show these."""
        self._findings = findings
        self.fill()

    def fill(self) -> None:
        """The rows."""
        self.show_title("Lint", f"the graders of {self._about}")
        self._chosen = {}
        lines: list[Line] = []
        if not self._findings:
            looking = self._findings is None
            count = len(self._configs)
            said = (
                "Looking at the graders …" if looking else f"Nothing to say against {count} grader{'s' * (count != 1)}."
            )
            lines.append(text_line(Word(said, Tone.MUTED)))
        for place, config in enumerate(self._configs):
            own = [finding for finding in self._findings or () if finding.grader == place]
            if own:
                self._say_grader(lines, place, config, own)
        if self._chosen:
            lines += [
                BLANK,
                text_line(Word("Nothing is saved: a pattern goes into its grader as an unsaved edit.", Tone.MUTED)),
            ]
        self.show_lines(lines)
        keys = [Hint("enter", "try in the field"), Hint("y", "copy")] if self._chosen else []
        self.show_keys(*keys, Hint("esc", "close"))

    def _say_grader(self, lines: list[Line], place: int, config: GraderConfig, own: Sequence[LintFinding]) -> None:
        if lines:
            lines.append(BLANK)
        first, *others = names_of(config)
        head = (Word(f"{first}  ", Tone.STRONG, bold=True), Word(one_line(" · ".join(others))))
        lines.append(Line(((0, (Word(str(place + 1), Tone.STRONG),)), (INDENT, head))))
        for finding in own:
            rows = wrap_words(finding.sentence, self.text_width - INDENT - 2)
            lines += [
                Line(((INDENT, (_SIGNS[finding.severity],)), (INDENT + 2, (Word(row),))))
                if not index
                else text_line(row, indent=INDENT + 2)
                for index, row in enumerate(rows)
            ]
            if finding.pattern is not None:
                self._chosen[len(lines)] = finding
                lines.append(_mend(finding.pattern))

    def choose(self, index: int) -> None:
        """Enter: the pattern is tried."""
        chosen = self._chosen.get(index)
        if chosen is not None and chosen.pattern is not None:
            self.dismiss(Mended(chosen.grader, chosen.pattern))

    def pressed(self, event: events.Key) -> None:
        """Y copies the pattern."""
        chosen = self._chosen.get(self.list.cursor)
        if event.key == "y" and chosen is not None and chosen.pattern is not None:
            event.stop()
            self._copy(chosen.pattern, "the pattern")
        else:
            super().pressed(event)


def _mend(pattern: str) -> Line:
    words = (Word("try ", Tone.MUTED), Word(one_line(pattern), Tone.STRONG))
    return replace(text_line(*words, indent=INDENT + 2), selectable=True)
