"""Which trials hold the text of a filter: what is looked at, and the job that looks."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from vally_tui.grading.graders import Question, Subject
from vally_tui.grading.judge import Case, EvidenceKey, EvidenceSource, judge
from vally_tui.grading.model import State
from vally_tui.grading.pattern import Matcher, literal
from vally_tui.triage.board import Board
from vally_tui.triage.edits import Edits
from vally_tui.triage.tabs import WHOLE_DIFF, Tab, tabs_of


class TextFound(Struct, frozen=True):
    """The trials with a text, diff or other, that holds what is looked for."""

    text: str
    trials: frozenset[int]


def text_job(
    text: str, keys: Sequence[EvidenceKey]
) -> Callable[[Matcher, EvidenceSource, Callable[[], bool]], TextFound]:
    """A job that looks for a text, as it is, in recorded texts of whole runs."""

    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> TextFound:
        questions = {subject: Question(subject, None, literal(text), wants_match=True) for subject in Subject}
        cases = [Case(key.trial, questions[key.subject]) for key in keys]
        found = judge(cases, evidence, matcher, cancelled=cancelled)
        return TextFound(text, frozenset(keys[index].trial for index, verdict in found if verdict.state is State.PASS))

    return job


def looked_at(board: Board, edits: Edits) -> list[EvidenceKey]:
    """The whole run's diff of each trial, and what else its graders look at."""
    tabs: dict[tuple[int, ...], tuple[Tab, ...]] = {}
    keys = []
    for key in board.entries:
        slots = board.slots_of(key, edits)
        if slots not in tabs:
            said = (tab for tab in tabs_of(board, key, edits) if tab.subject is not Subject.DIFF)
            tabs[slots] = (WHOLE_DIFF, *said)
        keys += [tab.of(key) for tab in tabs[slots]]
    return keys
