"""Which keys the footer names: those of the pane with the focus, less what has no use now, what is most of use first.

Asks no command whether it is possible: that would import what only a key needs before the first rows are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vally_tui.triage.board import FAILING
from vally_tui.triage.config_edit import text_key
from vally_tui.triage.tabs import tabs_of
from vally_tui.triage.views import shown_verdict
from vally_tui.triage.views_model import FooterView, Hint
from vally_tui.ui.commands import BY_ID, key_sign
from vally_tui.ui.widgets.layout import ONE_COLUMN

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

HINTS = {
    "trials": (
        "trial.next-failing",
        "pane.next",
        "match.next",
        "hunk.next",
        "turn.next",
        "edit.pattern",
        "explain",
        "trial.facts",
        "trials.filter",
    ),
    "graders": (
        "edit.pattern",
        "explain",
        "trial.next-failing",
        "match.next",
        "pane.next",
        "turn.next",
        "trial.facts",
        "match.list",
    ),
    "files": ("pane.next", "trial.next-failing", "match.next", "file.next", "trial.facts", "pane.search"),
    "diff": ("match.next", "hunk.next", "file.next", "pane.search", "turn.next", "copy", "trial.facts", "pane.next"),
}
"""The commands that the footer names, by the pane with the focus."""

NARROW_TRIALS = (
    "trial.next-failing",
    "pane.next",
    "edit.pattern",
    "explain",
    "match.next",
    "file.next",
    "trial.facts",
    "trials.filter",
)
"""The same for the trials where few fit: what leads to a mended pattern first."""

WITHOUT_EVIDENCE = ("turn.next", "run.reread", "trial.facts", "trial.next-failing", "pane.next", "edit.pattern")
"""Where the diff has nothing to show, as it was not recorded."""

FIELD_HINTS = (
    Hint("enter", "keep the edit"),
    Hint("tab", "flags"),
    Hint("space", "turn the chosen flag"),
    Hint("^s", "save"),
    Hint("^z", "undo typing"),
    Hint("esc", "leave the field"),
)


def footer_of(screen: TriageScreen, refusal: str = "") -> FooterView:
    """The keys of what has the focus, or why the last one did nothing."""
    if screen.field.has_focus:
        return FooterView(FIELD_HINTS, (), refusal)
    if screen.prompt.field.has_focus and screen.prompting is not None:
        return FooterView(screen.prompting.hints, ())
    hints = [hint for command in _commands(screen) if (hint := hint_of(screen, command))]
    leave = screen.keymap.keys["leave"]
    if screen.active_name == "trials" and screen.session.state.filter.terms and leave:
        hints.insert(0, Hint(key_sign(leave[0]), "end the filter"))
    right = (hint_of(screen, "help"), hint_of(screen, "quit"))
    return FooterView(tuple(hints), tuple(hint for hint in right if hint), refusal)


def hint_of(screen: TriageScreen, command: str) -> Hint | None:
    """A command's key and words; None where the person has taken its keys away."""
    keys = screen.keymap.keys[command]
    if not keys:
        return None
    about = BY_ID[command]
    key, words, brief = key_sign(keys[0]), about.hint or about.words, about.brief
    if command == "explain" and _passes(screen):
        words = "why so"
    if command == "turn.next" and (back := screen.keymap.keys["turn.previous"]):
        key = f"{key_sign(back[0])} {key}"
    return Hint(key, words, brief)


def _commands(screen: TriageScreen) -> list[str]:
    """The commands to name; what would do nothing now is left out."""
    name, state = screen.active_name, screen.session.state
    if state.trial is None:
        return ["run.issues"] * bool(screen.session.board.issues) + ["run.reread"] * screen.session.progress.done
    wanted: tuple[str, ...]
    if name in ("trials", "graders") and _lacks_evidence(screen):
        wanted = WITHOUT_EVIDENCE
    else:
        wanted = NARROW_TRIALS if name == "trials" and screen.size.width < ONE_COLUMN else HINTS[name]
    idle = set()
    if not any(screen.session.board.tally[standing] for standing in FAILING):
        idle.add("trial.next-failing")
    if len(tabs_of(screen.session.board, state.trial, state.edits)) < 2:
        idle.add("turn.next")
    elif name == "trials":
        # Only eight are shown, and another turn is further away than another hunk.
        idle.add("hunk.next")
    if state.slot is not None and text_key(screen.session.board.config(state.slot, state.edits)) is None:
        idle.add("edit.pattern")
    return ["save"] * bool(state.unsaved) + [command for command in wanted if command not in idle]


def _lacks_evidence(screen: TriageScreen) -> bool:
    document = screen.session.document
    return document is not None and document.key == screen.session.evidence_key and document.absent is not None


def _passes(screen: TriageScreen) -> bool:
    """Whether the focused grader passes."""
    state = screen.session.state
    if state.trial is None or state.slot is None:
        return False
    return shown_verdict(screen.session.board, state, state.trial, state.slot).verdict.passed is True
