"""What the screen knows of graders that cannot be right: marks on those of the trial in view."""

from __future__ import annotations

from msgspec.structs import replace

from vally_tui.triage.linting import SHORT, LintDone, Linting
from vally_tui.triage.session import Session
from vally_tui.triage.views_model import GraderRow, Tone, Word
from vally_tui.ui.render.signs import LOOK

LINT = "lint"


class Linter:
    """What the screen knows of the graders in view: asked for when all is judged."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.linting = Linting()
        self._waits = False

    def look(self) -> None:
        """Look at the graders of the trial in view, once all is judged; not while one of them is typed."""
        session = self._session
        if session.progress.done and not session.is_judging and session.state.typing_slot is None:
            self.ask(late=True)

    def ask(self, *, late: bool) -> None:
        """Look at the graders of the trial in view."""
        session = self._session
        key = session.state.trial
        if key is None or (self._waits and late):
            return
        job = self.linting.job(session.board, key, session.state.edits)
        if job is not None:
            self._waits = True
            session.service.ask(LINT, job, late=late)

    def take(self, value: object) -> None:
        """A job is done."""
        self._waits = False
        if isinstance(value, LintDone):
            self.linting.take(value)

    def marked(self, rows: list[GraderRow], slots: tuple[int, ...]) -> list[GraderRow]:
        """The rows with a mark where a grader cannot be right; one that has another notice keeps that."""
        session = self._session
        key = session.state.trial
        if key is None:
            return rows
        marks = self.linting.marks(session.board, key, session.state.edits)
        made = []
        for row, slot in zip(rows, slots, strict=True):
            mark = marks.get(slot)
            if mark is not None and not row.notice:
                row = replace(row, notice=(Word(f"{LOOK} {SHORT[mark.check]}", Tone.WARN),))
                if slot == session.state.slot and not row.finding:
                    row = replace(row, finding=(Word(f"{LOOK} {mark.sentence}", Tone.WARN),))
            made.append(row)
        return made
