"""The box of s on the screen: what is pointed at in the evidence, the trials that patterns made of it are judged on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Subject, kept_because, subject_of
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import Matcher
from vally_tui.triage.explain.lens import TRIALS
from vally_tui.triage.suggest import Selected, Suggestion, suggest
from vally_tui.ui.screens.box_suggest import SuggestBox
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.editing import no_field, no_grader
from vally_tui.ui.screens.explaining import try_config
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

SUGGESTING = Handlers()
SUGGEST = "suggest"
_CODE = (LineKind.ADDED, LineKind.REMOVED, LineKind.CONTEXT)


class Suggested(Struct, frozen=True):
    """What was found for one box."""

    selected: Selected
    suggestions: tuple[Suggestion, ...]


def _not_here(screen: TriageScreen) -> str | None:
    """Why no pattern can be made from what is in view for the focused grader."""
    session = screen.session
    slot = session.state.slot
    if slot is None or session.state.trial is None:
        return no_grader(screen)
    config = session.board.config(slot, session.state.edits)
    type_, kept = config.type, kept_because(config)
    if subject_of(type_) is None:
        return f"{type_} is not judged again: focus another grader, or add one with +"
    if kept is not None:
        return f"{type_} is not judged again, since it has {kept}"
    if subject_of(type_) is not session.state.tab.subject:
        return f"{type_} does not look at this text: open its own with ( or )"
    if no_field(screen) is not None:
        return no_field(screen)
    text = screen.diff.view.copy_text()
    return None if text.split("\n", 1)[0].strip() else "the line at the diff's cursor is blank"


def selected_in(screen: TriageScreen) -> Selected:
    """The line at the cursor of the evidence, or what is marked there, and what is known of it."""
    view = screen.diff.view
    document, position = view.document, view.position
    lines = document.rows(view.cursor, 1)
    is_code = view.has_mark or (bool(lines) and lines[0].kind in _CODE)
    is_diff = screen.session.state.tab.subject is Subject.DIFF and is_code
    path = document.files[position.file].path if is_diff and position.file is not None else None
    return Selected(view.copy_text(), not view.has_mark, path, is_diff)


@SUGGESTING.does("suggest", unless=_not_here)
def open_suggestions(screen: TriageScreen) -> None:
    """Patterns from the line at the diff's cursor, or from what is marked there."""
    session = screen.session
    slot = session.state.slot
    assert slot is not None
    selected = selected_in(screen)
    config = session.board.config(slot, session.state.edits)
    every = session.board.trials_of(slot)
    trials = {key: _recorded(screen, key, slot) for key in every[:TRIALS]}
    box = SuggestBox(screen.keymap, selected, len(trials), len(every), copy=partial(copy_text, screen.app))

    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> Suggested | None:
        found = suggest(selected, config, trials, matcher, evidence, lambda: cancelled() or not box.is_wanted)
        return None if found is None else Suggested(selected, found)

    screen.waiting_box = box
    session.service.ask(SUGGEST, job)
    screen.app.push_screen(box, partial(_take_choice, screen, slot))


def _recorded(screen: TriageScreen, key: int, slot: int) -> bool | None:
    detail = screen.session.board.recorded(key, slot)
    return detail.passed if detail is not None and detail.is_verdict else None


def take_suggestions(screen: TriageScreen, value: object) -> None:
    """Suggestions came in for the box that waits for them."""
    box = screen.waiting_box
    if isinstance(box, SuggestBox) and isinstance(value, Suggested) and value.selected is box.selected:
        box.take(value.suggestions)


def _take_choice(screen: TriageScreen, slot: int, config: GraderConfig | None) -> None:
    screen.waiting_box = None
    if config is not None:
        try_config(screen, slot, config)
