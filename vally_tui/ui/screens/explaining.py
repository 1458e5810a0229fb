"""Why not and why so on the screen: the near place of the selected grader, doubts about passes, the box of x.

Answers come in as jobs do; one for a grader, question or box that is gone is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import Matcher
from vally_tui.triage import update
from vally_tui.triage.config_edit import field_text
from vally_tui.triage.explain.explain import explain
from vally_tui.triage.explain.lens import measured
from vally_tui.triage.explain.model import Explanation
from vally_tui.triage.explain.subject import written_by
from vally_tui.triage.views_model import Note
from vally_tui.ui.screens.box_explain import ExplainBox, ShowPlace, TryConfig
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.editing import no_grader
from vally_tui.ui.screens.explainer import subject
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

EXPLAINING = Handlers()
EXPLAIN, EFFECTS = "explain", "effects"

# x


@EXPLAINING.does("explain", unless=no_grader)
def open_explanation(screen: TriageScreen) -> None:
    """Why not, or why so."""
    session = screen.session
    key, slot = session.state.trial, session.state.slot
    assert key is not None
    assert slot is not None
    entry = session.board.entries[key]
    about = subject(session, key, slot)
    source, trial = session.board.sources[entry.run], entry.trial

    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> Explanation | None:
        def ended() -> bool:
            return cancelled() or not box.is_wanted

        return explain(replace(about, written=written_by(source, trial)), matcher, evidence, ended)

    slots = session.board.slots_of(key, session.state.edits)
    number = slots.index(slot) + 1
    names = (
        Note(f"grader {number}", rank=0),
        Note(about.config.name or "", rank=2),
        Note(about.config.type, rank=4 if about.config.name else 2),
        Note(trial.stimulus or "", rank=3),
        Note(f"trial {session.board.numbers[key]}", rank=1),
    )
    box = ExplainBox(screen.keymap, about, number, names, copy=partial(copy_text, screen.app))
    screen.waiting_box = box
    session.service.ask(EXPLAIN, job)
    screen.app.push_screen(box, partial(_take_choice, screen, key, slot))


def take_explanation(screen: TriageScreen, token: object, value: object) -> None:
    """An explanation, or its effects on the run, came in for the box that waits for it."""
    box = screen.waiting_box
    if not isinstance(box, ExplainBox) or not isinstance(value, Explanation) or not box.take(value):
        return
    slot = screen.session.state.slot
    if token == EXPLAIN and value.choices and slot is not None:
        trials = [key for key in screen.session.board.trials_of(slot) if key in screen.session.board.entries]

        def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> Explanation | None:
            return measured(value, trials, matcher, evidence, lambda: cancelled() or not box.is_wanted)

        screen.session.service.ask(EFFECTS, job)


def _take_choice(screen: TriageScreen, key: int, slot: int, outcome: TryConfig | ShowPlace | None) -> None:
    screen.waiting_box = None
    match outcome:
        case TryConfig(config=config):
            try_config(screen, slot, config)
        case ShowPlace() if screen.session.state.trial != key:
            screen.refuse("the run was read anew meanwhile: ask again")
        case ShowPlace(spot=spot):
            tab = screen.session.tab_of_spot(spot)
            if tab is not None and tab != screen.session.state.tab:
                screen.select_tab(tab)
            screen.show_later((spot.start, spot.end))


def try_config(screen: TriageScreen, slot: int, config: GraderConfig) -> None:
    """Put a config into a grader of the trial in view as an unsaved edit, with its field open.

    Where spec or run were read anew while a box was open, the grader may be gone, and what was found is of what it was.
    """
    session = screen.session
    trial = session.state.trial
    if trial is None or slot not in session.board.slots_of(trial, session.state.edits):
        screen.refuse("nothing was edited: the graders were read anew meanwhile, ask again")
        return
    screen.change(update.edit_slot(session.state, session.board, slot, config))
    if field_text(config) and screen.refusal("edit.pattern") is None:
        screen.action_command("edit.pattern")
