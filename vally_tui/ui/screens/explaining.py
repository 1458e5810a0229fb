"""Why not and why so on the screen: the near place of the selected grader, doubts about passes, the box of x.

Answers come in as jobs do; one for a grader, question or box that is gone is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import GraderConfig, Spans, State
from vally_tui.grading.pattern import Matcher
from vally_tui.triage import update
from vally_tui.triage.board import Asked
from vally_tui.triage.config_edit import field_text
from vally_tui.triage.explain.doubts import short_of
from vally_tui.triage.explain.explain import explain, nearly
from vally_tui.triage.explain.lens import measured
from vally_tui.triage.explain.model import Explained, Explanation, Near
from vally_tui.triage.explain.phrases import broken_phrase, nearly_phrase
from vally_tui.triage.explain.subject import subject_of, written_by
from vally_tui.triage.session import Session
from vally_tui.triage.views_model import GraderRow, Highlight, Phrase, Tone, Word
from vally_tui.ui.render.signs import LOOK
from vally_tui.ui.screens.box_explain import ExplainBox, ShowPlace, TryConfig
from vally_tui.ui.screens.copying import copy_text
from vally_tui.ui.screens.editing import no_grader
from vally_tui.ui.screens.handlers import Handlers

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen

EXPLAINING = Handlers()
NEAR, EXPLAIN, EFFECTS = "near", "explain", "effects"

Job = Callable[[Matcher, EvidenceSource, Callable[[], bool]], object]


@dataclass(frozen=True, slots=True)
class NearFound:
    """Where a failing grader nearly matched, or what broke it."""

    trial: int
    slot: int
    asked: Asked
    near: Near | None


class Explainer:
    """What the screen knows of reasons: asked for when the verdicts are there, dropped when it is late."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._near: NearFound | None = None
        self._asked_near: tuple[int, int, Asked] | None = None

    def look(self) -> None:
        """Ask for what is not known yet of the grader in focus, and for doubts when all is judged."""
        wanted = self._wanted()
        if wanted is not None and wanted != self._asked_near:
            self._asked_near = wanted
            trial, slot, asked = wanted
            self._session.service.ask(NEAR, _near_job(trial, slot, asked, subject(self._session, trial, slot)))
        self._session.look_for_doubts()

    def take(self, token: object, value: object) -> None:
        """A job is done."""
        if token == NEAR and isinstance(value, NearFound):
            self._near = value

    @property
    def near(self) -> Near | None:
        """The near place of the grader in focus, where it is known for what it asks now."""
        found = self._near
        return found.near if found is not None and self._wanted() == (found.trial, found.slot, found.asked) else None

    def highlight(self, number: int) -> tuple[Highlight, ...]:
        """The near mark in the evidence, for the grader with this number."""
        near, state = self.near, self._session.state
        if near is None or state.slot is None or self._is_broken() or self._session.tab_of_spot(near.spot) != state.tab:
            return ()
        return (Highlight(number, Spans.of((near.spot.start, near.spot.end))),)

    def explained(self, row: GraderRow, key: int, slot: int) -> GraderRow:
        """A grader's row with what is known of its reason."""
        state = self._session.state
        if slot == state.slot and self.near is not None:
            sign, said = ("n", "go there") if self._is_broken() else ("x", "why not")
            hint = (Word(f"   {sign}", Tone.KEY, whole=True), Word(f" {said}", Tone.MUTED, whole=True))
            phrase = broken_phrase(self.near) if self._is_broken() else nearly_phrase(self.near)
            return replace(row, finding=(*phrase, *hint))
        doubt = self._session.doubting.of(self._session.board, key, slot, state.edits)
        if doubt is None:
            return row
        finding: Phrase = (Word(f"{LOOK} {doubt.sentence}", Tone.WARN),) if slot == state.slot else ()
        between = (Word("  "),) if row.notice else ()
        short, colon, more = short_of(doubt).partition(":")
        notice = (
            *row.notice,
            *between,
            Word(f"{LOOK} {short}", Tone.WARN, bold=True),
            Word(colon + more, Tone.WARN, bold=True, whole=True),
        )
        return replace(row, notice=notice, finding=finding)

    def _wanted(self) -> tuple[int, int, Asked] | None:
        """The failing grader in focus and what it asks, once it is judged."""
        session = self._session
        key, slot = session.state.trial, session.state.slot
        if key is None or slot is None:
            return None
        asked = session.board.asked(slot, session.state.edits)
        shown = session.board.in_view(key, slot, session.state.edits)
        if asked is None or shown is None or shown.stale or shown.verdict.state is not State.FAIL:
            return None
        return key, slot, asked

    def _is_broken(self) -> bool:
        wanted = self._wanted()
        if wanted is None or not isinstance(wanted[2], Question):
            return False
        # A grader without a pattern wants the text to be empty: whatever stands in it breaks that.
        return wanted[2].pattern is None or not wanted[2].wants_match


def subject(session: Session, key: int, slot: int) -> Explained:
    """A grader on a trial as the explanations take it."""
    entry = session.board.entries[key]
    config = session.board.config(slot, session.state.edits)
    return subject_of(entry.trial, config, single_turn=entry.single_turn, recorded=session.board.recorded(key, slot))


def _near_job(trial: int, slot: int, asked: Asked, about: Explained) -> Job:
    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> NearFound:
        return NearFound(trial, slot, asked, nearly(about, matcher, evidence, cancelled))

    return job


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
    called = (f"grader {number}", about.config.name or "", about.config.type)
    names = (*called, trial.stimulus or "", f"trial {session.board.numbers[key]}")
    box = ExplainBox(screen.keymap, about, number, names, copy=partial(copy_text, screen.app))
    screen.waiting_box = box
    session.service.ask(EXPLAIN, job)
    screen.app.push_screen(box, partial(_take_choice, screen, slot))


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


def _take_choice(screen: TriageScreen, slot: int, outcome: TryConfig | ShowPlace | None) -> None:
    screen.waiting_box = None
    match outcome:
        case TryConfig(config=config):
            try_config(screen, slot, config)
        case ShowPlace(spot=spot):
            tab = screen.session.tab_of_spot(spot)
            if tab is not None and tab != screen.session.state.tab:
                screen.select_tab(tab)
            screen.show_later((spot.start, spot.end))


def try_config(screen: TriageScreen, slot: int, config: GraderConfig) -> None:
    """Put a config into the grader as an unsaved edit, with its field open."""
    session = screen.session
    screen.change(update.edit_slot(session.state, session.board, slot, config))
    if field_text(config) and screen.refusal("edit.pattern") is None:
        screen.action_command("edit.pattern")
