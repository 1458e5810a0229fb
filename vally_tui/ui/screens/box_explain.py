"""Why not, why so: the box of an explanation, its keys, and what the person chooses in it. Its rows are explain_rows'."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from textual import events

from vally_tui.grading.model import GraderConfig
from vally_tui.triage.explain.model import Choice, Explained, Explanation, Spot, Stance
from vally_tui.triage.views_model import Hint, Note, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.screens.explain_rows import rows_of
from vally_tui.ui.widgets.line_list import text_line
from vally_tui.ui.widgets.overlay import Overlay

HEADS = {Stance.WHY_NOT: "Why not", Stance.WHY_SO: "Why so", Stance.WHY_UNJUDGED: "Why not judged"}


class TryConfig(Struct, frozen=True):
    """The person wants to try this config in the field."""

    config: GraderConfig


class ShowPlace(Struct, frozen=True):
    """The person wants to see this place of the evidence."""

    spot: Spot


class ExplainBox(Overlay[TryConfig | ShowPlace]):
    """Waits for an explanation and shows it."""

    def __init__(
        self,
        keymap: Keymap,
        subject: Explained,
        number: int,
        about: Sequence[Note],
        *,
        copy: Callable[[str, str], None],
    ) -> None:
        """``number`` of the grader, in whose look matches are drawn; ``about`` names it and its trial."""
        super().__init__(keymap, "explain")
        self._subject, self._number, self._about, self._copy = subject, number, tuple(about), copy
        self.is_wanted = True
        """Whether anybody waits for what the box shows."""
        self._explanation: Explanation | None = None
        self._chosen: dict[int, Choice | Spot] = {}

    def take(self, explanation: Explanation) -> bool:
        """Show this explanation, if it is that of the box's grader; the cursor stays on its choice when effects come in."""
        about = explanation.subject
        if (about.trial, about.config) != (self._subject.trial, self._subject.config):
            return False
        at = list(self._chosen).index(self.list.cursor) if self.list.cursor in self._chosen else None
        self._explanation = explanation
        self.fill()
        if at is not None and at < len(self._chosen):
            self.list.move_to(list(self._chosen)[at], say=False)
        return True

    def on_unmount(self) -> None:
        """Nobody waits any more."""
        self.is_wanted = False

    def fill(self) -> None:
        """The rows."""
        explanation = self._explanation
        if explanation is None:
            self.show_title("Why", *self._about)
            self.show_lines([text_line(Word("Looking for the reason …", Tone.MUTED))])
            self.show_keys(Hint("esc", "close"))
            return
        self.show_title(HEADS[explanation.stance], *self._about)
        rows = rows_of(explanation, self._number, self.text_width)
        self._chosen = rows.chosen
        self.show_lines(rows.lines, cursor=rows.first)
        keys = [Hint("enter", "try in the field")] if explanation.choices else []
        places = [Hint("space", "show the place")] if any(map(_place_of, rows.chosen.values())) else []
        self.show_keys(*keys, *places, Hint("y", "copy"), Hint("esc", "close"))

    # Keys

    def choose(self, index: int) -> None:
        """Enter: a choice is tried, a place is shown."""
        chosen = self._chosen.get(index)
        if isinstance(chosen, Choice):
            self.dismiss(TryConfig(chosen.config))
        elif isinstance(chosen, Spot):
            self.dismiss(ShowPlace(chosen))

    def pressed(self, event: events.Key) -> None:
        """Space shows the place, y copies; the rest moves."""
        chosen = self._chosen.get(self.list.cursor)
        if event.key == "space" and chosen is not None:
            event.stop()
            spot = _place_of(chosen)
            if spot is not None:
                self.dismiss(ShowPlace(spot))
            else:
                self.say((Word("this pattern matches nowhere here", Tone.MUTED),))
        elif event.key == "y" and self._explanation is not None:
            event.stop()
            if isinstance(chosen, Choice):
                self._copy(chosen.written, "the pattern")
            else:
                self._copy(self._explanation.headline, "the finding")
        else:
            super().pressed(event)


def _place_of(chosen: Choice | Spot) -> Spot | None:
    return chosen if isinstance(chosen, Spot) else next(iter(chosen.spots), None)
