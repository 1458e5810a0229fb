"""Which texts of a trial the evidence pane has tabs for, and on which of them a grader is judged."""

import pytest
from msgspec.structs import replace

from tests.triage.builders import board_of, contains, trial
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import GraderConfig
from vally_tui.runs.model import NO_DIFF, Trial
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.tabs import MESSAGES, OUTPUT, WHOLE_DIFF, Tab, tab_of, tabs_of

SAYS = GraderConfig("output-contains", config={"substring": "ok"})
TALKS = GraderConfig("transcript-not-matches", config={"pattern": "sorry"})
PROMPT = GraderConfig("prompt")
TURN_1 = Tab(Subject.DIFF, 1)


def tabs(own: Trial) -> tuple[Tab, ...]:
    return tabs_of(board_of(own), own.key, NO_EDITS)


def own_tab(own: Trial, number: int = 0) -> Tab:
    """The tab of one of its graders, from 0."""
    board = board_of(own)
    return tab_of(board, own.key, board.slots_of(own.key, NO_EDITS)[number], NO_EDITS)


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (trial(0, "a", contains("x")), (WHOLE_DIFF,)),
        (trial(0, "a", contains("x"), turns=2), (Tab(Subject.DIFF, 0), TURN_1, WHOLE_DIFF)),
        (trial(0, "a", contains("x"), TALKS, SAYS), (WHOLE_DIFF, OUTPUT, MESSAGES)),
        # A recorded diff can be looked at also where no grader does.
        (trial(0, "a", SAYS), (WHOLE_DIFF, OUTPUT)),
        (trial(0, "a", SAYS, PROMPT, diff=NO_DIFF), (OUTPUT,)),
        (trial(0, "a", SAYS, contains("x"), diff=NO_DIFF), (WHOLE_DIFF, OUTPUT)),
        (trial(0, "a", PROMPT, diff=NO_DIFF), (WHOLE_DIFF,)),
        # It is not judged again, but its text is there to be read.
        (trial(0, "a", replace(TALKS, turn=0), diff=NO_DIFF), (MESSAGES,)),
    ],
)
def test_a_trial_has_tabs_for_its_diffs_and_for_what_else_its_graders_look_at(
    own: Trial, expected: tuple[Tab, ...]
) -> None:
    assert tabs(own) == expected


def test_each_tab_is_called_by_what_it_opens() -> None:
    own = trial(0, "a", contains("x"), SAYS, TALKS, turns=2)
    assert [tab.label for tab in tabs(own)] == ["T0", "T1", "Σ", "output", "messages"]


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (trial(0, "a", contains("x")), WHOLE_DIFF),
        (trial(0, "a", replace(contains("x"), turn=1), turns=2), TURN_1),
        (trial(0, "a", replace(contains("x"), turn=0)), WHOLE_DIFF),
        (trial(0, "a", SAYS), OUTPUT),
        (trial(0, "a", TALKS), MESSAGES),
        (trial(0, "a", replace(SAYS, turn=1)), OUTPUT),
        # A config that is invalid for now still means the same text: the tab does not jump while one types.
        (trial(0, "a", replace(SAYS, config={"substring": ""})), OUTPUT),
        (trial(0, "a", replace(contains(""), turn=1), turns=2), TURN_1),
    ],
)
def test_a_grader_opens_the_text_that_it_looks_at(own: Trial, expected: Tab) -> None:
    assert own_tab(own) == expected


def test_a_grader_that_looks_at_none_of_them_opens_the_trials_own() -> None:
    assert own_tab(trial(0, "a", SAYS, PROMPT), 1) == WHOLE_DIFF
    assert own_tab(trial(0, "a", SAYS, PROMPT, diff=NO_DIFF), 1) == OUTPUT


def test_a_tab_names_the_text_of_any_trial() -> None:
    assert TURN_1.of(7) == EvidenceKey(7, Subject.DIFF, 1)
    assert MESSAGES.of(7) == EvidenceKey(7, Subject.TRANSCRIPT, None)
