"""Everything that is wrong with what was read, with places and next steps."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.triage.builders import FAIL, LACKING, PASS, PlainMatcher, contains, question, run, said, trial
from vally_tui.runs.model import IssueKind, LoadIssue
from vally_tui.spec.document import parse_spec
from vally_tui.triage import update, views
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.session import Session
from vally_tui.triage.spec_target import SpecTarget
from vally_tui.triage.views_issues import Trouble, TroubleGroup, troubles

SPEC = """\
name: eval
stimuli:
  - name: fix-it
    prompt: do it
    graders:
      - type: diff-contains
        config: { pattern: 'new' }
"""


@pytest.fixture
def session() -> Session:
    """A session without runs; nothing is read or judged in it."""
    made = Session([], PlainMatcher(), lambda event: None)
    made.board.add_source(run())
    return made


def groups(found: list[TroubleGroup]) -> dict[str, tuple[Trouble, ...]]:
    return {group.title: group.troubles for group in found}


def test_where_nothing_is_wrong_there_is_no_group(session: Session) -> None:
    session.board.add_trials(0, [trial(0, "fix-it", contains("x"))])
    assert troubles(session) == []


def test_a_load_issue_has_file_line_kind_and_a_next_step_and_its_trial_where_there_is_one(session: Session) -> None:
    session.board.add_trials(0, [trial(4, "fix-it", contains("x"))])
    session.board.issues = [
        LoadIssue(IssueKind.TURN_DIFFS, "run/results.jsonl", 5, "the diff of turn 1 is malformed"),
        LoadIssue(IssueKind.MALFORMED_LINE, "run/results.jsonl", 9, "this line is no record"),
    ]
    first, second = groups(troubles(session))["Could not be read as recorded"]
    assert first == Trouble(
        "run/results.jsonl:5  turn diffs",
        "the diff of turn 1 is malformed",
        "run the stimulus again: a diff cannot be made later",
        4,
    )
    assert second.trial is None
    assert second.step


def test_every_kind_of_issue_has_a_next_step(session: Session) -> None:
    session.board.issues = [LoadIssue(kind, "f", 1, "m") for kind in IssueKind]
    assert all(each.step for each in groups(troubles(session))["Could not be read as recorded"])


def test_lacking_evidence_is_told_once_for_each_trial_that_lacks_it(session: Session) -> None:
    session.board.add_trials(0, [trial(0, "fix-it", contains("x"), contains("y")), trial(1, "fix-it", contains("x"))])
    for slot in session.board.slots:
        keys = session.board.trials_of(slot)
        session.board.put(slot, question(session.board, slot), dict.fromkeys(keys, LACKING))
    lacking = groups(troubles(session))["No evidence"]
    assert [(each.place, each.message, each.trial) for each in lacking] == [
        ("fix-it · trial 1 · opus", "no diff", 0),
        ("fix-it · trial 2 · opus", "no diff", 1),
    ]


def test_a_verdict_that_judging_again_does_not_reproduce_is_news(session: Session) -> None:
    session.board.add_trials(0, [trial(0, "fix-it", contains("x"), recorded=[said(True)])])
    session.board.put(0, question(session.board, 0), {0: FAIL})
    (drift,) = groups(troubles(session))["The recorded verdict is not reproduced"]
    assert drift.message == "diff-contains · x: recorded pass, judged again fail"
    assert (drift.trial, drift.slot) == (0, 0)
    session.board.put(0, question(session.board, 0), {0: PASS})
    assert troubles(session) == []


def test_a_saved_edit_that_is_taken_back_is_no_drift_though_its_verdict_is_another_than_the_saved_one(
    session: Session,
) -> None:
    session.board.add_trials(0, [trial(0, "fix-it", contains("x"), recorded=[said(False)])])
    saved = NO_EDITS.with_config(0, contains("y"), contains("x"))
    session.board.put(0, question(session.board, 0), {0: FAIL})
    session.board.put(0, session.board.asked(0, saved), {0: PASS})
    session.state = replace(session.state, saved=saved)

    assert session.board.flip(0, 0, session.state.edits, saved) == (True, False)
    assert "The recorded verdict is not reproduced" not in groups(troubles(session))
    (row,) = views.grader_rows(session.board, update.select_trial(session.state, session.board, 0))
    assert row.notice == ()


def test_differences_between_spec_and_record_are_told_once_for_each_stimulus(session: Session) -> None:
    path = Path("eval.yaml")
    session.spec = SpecTarget(path, "eval.yaml", parse_spec(SPEC, path), 0.0, given=False)
    shared = (contains("old"),)
    session.board.add_trials(0, [trial(0, "fix-it", *shared)])
    (difference,) = groups(troubles(session))["Spec and record differ"]
    assert difference.place == "eval.yaml:6  fix-it"
    assert difference.step == "the recorded graders are judged; --eval-spec judges the spec's"


@pytest.mark.parametrize(("given", "told"), [(True, 1), (False, 0)])
def test_a_stimulus_that_a_given_spec_lacks_is_told_once_with_its_first_trial(
    session: Session, given: bool, told: int
) -> None:
    path = Path("eval.yaml")
    session.spec = SpecTarget(path, "eval.yaml", parse_spec(SPEC, path), 0.0, given=given)
    session.board.add_trials(
        0, [trial(0, "fix-it", contains("x")), *(trial(key, "gone", contains("x")) for key in (1, 2))]
    )
    found = [trouble for trouble in groups(troubles(session))["Spec and record differ"] if "gone" in trouble.message]
    assert len(found) == told
    assert all(
        (trouble.trial, trouble.message)
        == (1, "the stimulus 'gone' is not in the spec: its trials keep their recorded graders")
        for trouble in found
    )


def test_faults_of_the_persons_configuration_are_told(session: Session) -> None:
    (fault,) = groups(troubles(session, ["x is given to both a and b"]))["Your configuration"]
    assert fault.message == "x is given to both a and b"


def test_that_nothing_can_be_judged_comes_first(session: Session) -> None:
    session.trouble = "V8 could not be started"
    session.spec_fault = "eval.yaml cannot be read"
    assert [group.title for group in troubles(session, ["f"])] == [
        "Nothing can be judged again",
        "The spec",
        "Your configuration",
    ]
