"""The recorded texts of a trial as the evidence pane has them, a tab for each: which there are, and which is whose."""

from __future__ import annotations

from typing import NamedTuple

from vally_tui.grading.graders import Faults, Question, Subject, subject_of
from vally_tui.grading.judge import EvidenceKey
from vally_tui.runs.evidence import is_whole_diff, turns_of
from vally_tui.runs.model import DiffForm, Trial
from vally_tui.triage.board import Board, Entry
from vally_tui.triage.edits import Edits


class Tab(NamedTuple):
    """One recorded text, of whichever trial is in view."""

    subject: Subject
    turn: int | None = None
    """0-based; None: the whole run."""

    def of(self, trial: int) -> EvidenceKey:
        """The text of a trial."""
        return EvidenceKey(trial, self.subject, self.turn)

    @property
    def label(self) -> str:
        """What the tab is called: T1 for turn 1, Σ for the diff of the whole run."""
        if self.subject is Subject.OUTPUT:
            return "output"
        if self.subject is Subject.TRANSCRIPT:
            return "messages"
        return WHOLE_RUN_SIGN if self.turn is None else f"T{self.turn}"


WHOLE_RUN_SIGN = "Σ"
WHOLE_DIFF, OUTPUT, MESSAGES = Tab(Subject.DIFF), Tab(Subject.OUTPUT), Tab(Subject.TRANSCRIPT)


def tabs_of(board: Board, key: int, edits: Edits) -> tuple[Tab, ...]:
    """The tabs of a trial: its turns, the whole run's diff, then the output and the messages where a grader looks there.

    Where only those are looked at and no diff is recorded, there is no tab for one.
    """
    entry = board.entries[key]
    subjects = {subject_of(board.config(slot, edits).type) for slot in board.slots_of(key, edits)}
    said = [tab for tab in (OUTPUT, MESSAGES) if tab.subject in subjects]
    if said and Subject.DIFF not in subjects and not _has_diff(entry.trial):
        return tuple(said)
    return (*(Tab(Subject.DIFF, turn) for turn in turns_of(entry.trial)), WHOLE_DIFF, *said)


def tab_of(board: Board, key: int, slot: int, edits: Edits) -> Tab:
    """The tab of the text that a slot is judged on; for a grader that looks at none of them the trial's own."""
    asked = board.asked(slot, edits)
    if isinstance(asked, Question | Faults):
        return tab_at(board.entries[key], asked.subject, asked.turn)
    tabs = tabs_of(board, key, edits)
    subject = subject_of(board.config(slot, edits).type)
    return next((tab for tab in tabs if subject is not None and tab == Tab(subject)), _own(tabs))


def tab_at(entry: Entry, subject: Subject, turn: int | None) -> Tab:
    """The tab of a text as a grader names it: ``turn: 0`` of a single-turn trial is the whole run's diff."""
    whole = subject is not Subject.DIFF or is_whole_diff(entry.trial, turn, entry.single_turn)
    return Tab(subject, None if whole else turn)


def _own(tabs: tuple[Tab, ...]) -> Tab:
    return WHOLE_DIFF if WHOLE_DIFF in tabs else tabs[0]


def _has_diff(trial: Trial) -> bool:
    return trial.diff.form is not DiffForm.ABSENT or trial.turn_diffs.recorded
