"""What the screen knows of reasons without a key: near places, what broke a grader, and doubts about passes."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import Spans, State
from vally_tui.grading.pattern import Matcher
from vally_tui.triage.board import Asked
from vally_tui.triage.explain.doubts import short_of
from vally_tui.triage.explain.model import Explained, Near
from vally_tui.triage.explain.phrases import broken_phrase, nearly_phrase
from vally_tui.triage.explain.subject import subject_of
from vally_tui.triage.session import Session
from vally_tui.triage.views_model import GraderRow, Highlight, Phrase, Tone, Word
from vally_tui.ui.render.signs import LOOK

NEAR = "near"

Job = Callable[[Matcher, EvidenceSource, Callable[[], bool]], object]


class NearFound(Struct, frozen=True):
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
    def is_looking(self) -> bool:
        """Whether it is not known yet where the grader in focus nearly matches, or what broke it."""
        found, wanted = self._near, self._wanted()
        return wanted is not None and (found is None or wanted != (found.trial, found.slot, found.asked))

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
        # Here, as the first rows do not wait for it.
        from vally_tui.triage.explain.explain import nearly

        return NearFound(trial, slot, asked, nearly(about, matcher, evidence, cancelled))

    return job
