import pytest
from msgspec.structs import replace

from tests.triage.builders import (
    FAIL,
    INVALID,
    LACKING,
    PASS,
    SLOW,
    board_of,
    contains,
    excludes,
    put,
    question,
    run,
    said,
    trial,
)
from vally_tui.grading.graders import ask
from vally_tui.grading.model import PENDING, GraderConfig, Spans, State, Verdict
from vally_tui.runs.load import started_run
from vally_tui.runs.model import IssueKind, LoadIssue
from vally_tui.triage import update, views
from vally_tui.triage.board import Board
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.filter import read_filter
from vally_tui.triage.state import TriageState
from vally_tui.triage.trial_list import trial_list
from vally_tui.triage.views_model import Mark, Position

RAISES, QUIET = contains("raise"), excludes("print")


def recorded(passed: bool | None) -> Verdict:
    return Verdict(State.RECORDED, passed, None, None)


@pytest.mark.parametrize(
    ("verdict", "mark", "result"),
    [
        (PASS, Mark.PASS, "found"),
        (replace(PASS, match_count=1), Mark.PASS, "1 match"),
        (replace(PASS, match_count=1200), Mark.PASS, "1,200 matches"),
        (FAIL, Mark.FAIL, "not found"),
        (LACKING, Mark.NO_EVIDENCE, "no evidence"),
        (INVALID, Mark.ERROR, "invalid"),
        (SLOW, Mark.ERROR, "too slow"),
        (PENDING, Mark.PENDING, "waiting"),
        (recorded(True), Mark.RECORDED, "recorded pass"),
        (recorded(False), Mark.FAIL, "recorded fail"),
        (recorded(None), Mark.RECORDED, "recorded error"),
        (Verdict(State.UNRECORDED, None, None, None), Mark.RECORDED, "not recorded"),
    ],
)
def test_every_state_has_its_sign_and_its_word(verdict: Verdict, mark: Mark, result: str) -> None:
    assert views.mark_of(verdict) is mark
    assert views.result_of(verdict, ask(RAISES)) == result


def test_a_restraint_that_fails_says_how_often_it_was_broken() -> None:
    assert views.result_of(replace(FAIL, match_count=2), ask(QUIET)) == "2 matches"
    assert views.result_of(PASS, ask(QUIET)) == "not found"


def test_a_list_says_found_of_every_trial_as_matches_are_counted_in_view_only() -> None:
    assert views.result_of(replace(PASS, match_count=3), ask(RAISES), counted=False) == "found"
    assert views.result_of(replace(FAIL, match_count=2), ask(QUIET), counted=False) == "found"


def test_emptiness_has_words_of_its_own() -> None:
    empty = ask(GraderConfig("diff-empty"))

    assert (views.result_of(PASS, empty), views.result_of(FAIL, empty)) == ("empty", "not empty")


def _board() -> Board:
    """Trial 0 passes, 1 fails, 2 passes against its record."""
    board = board_of(
        trial(0, "fix-it", RAISES, recorded=[said(True)]),
        trial(1, "fix-it", RAISES, recorded=[said(False)]),
        trial(2, "other", RAISES, recorded=[said(False)]),
    )
    put(board, board.slots_of(0, NO_EDITS)[0], t0=PASS, t1=FAIL)
    put(board, board.slots_of(2, NO_EDITS)[0], t2=PASS)
    board.settle(NO_EDITS, NO_EDITS)
    return board


def test_the_title_tallies_worst_first_without_zeros_and_tells_what_could_not_be_read() -> None:
    board = _board()
    board.issues = [LoadIssue(IssueKind.TORN_LINE, "results.jsonl", 4, "torn")]

    title = views.title_view(board, TriageState(), run="run", trouble="no V8")

    assert [(tally.mark, tally.count) for tally in title.tallies] == [(Mark.FAIL, 1), (Mark.PASS, 2)]
    assert title.total == 3
    assert title.notices == ("nothing can be judged again", "1 load issue")


def test_the_list_says_what_is_shown_and_where_one_is() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 1)
    filtered = update.set_filter(state, read_filter("failed"))

    plain = views.trials_title(board, state, trial_list(board, state))
    fewer = views.trials_title(board, filtered, trial_list(board, filtered))

    assert [note.text for note in plain.notes] == ["1 of 3 failed"]
    assert [note.text for note in plain.right] == ["2/3"]
    assert [note.text for note in fewer.notes] == ["1 of 3 shown", "failed"]


def test_a_flipped_trial_has_both_signs_and_a_word() -> None:
    board = _board()
    state = update.select_trial(TriageState(), board, 2)

    row = views.trial_row(board, state, 2, trial_list(board, state))

    assert (row.before, row.mark) == (Mark.FAIL, Mark.PASS)
    assert row.column is not None
    assert row.column.text == "now pass"
    assert (row.sole, row.label) == (True, "other")


def test_drift_is_told_with_both_verdicts() -> None:
    board = _board()

    (row,) = views.grader_rows(board, update.select_trial(TriageState(), board, 2))

    assert "".join(word.text for word in row.notice) == "recorded fail, now pass"
    assert (row.before, row.mark) == (Mark.FAIL, Mark.PASS)


def _typed(verdict: Verdict) -> tuple[Board, TriageState]:
    """Trial 0 fails, then passes under an edit, and then the pattern in the open field comes to this."""
    board = board_of(trial(0, "fix-it", RAISES, recorded=[said(False)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=FAIL)
    state = update.open_field(update.select_trial(TriageState(), board, 0), slot)
    for pattern, comes_to in (("return", PASS), ("(", verdict)):
        state = update.edit_slot(state, board, slot, contains(pattern))
        asked = board.asked(slot, state.edits)
        assert asked is not None
        board.put(slot, asked, {0: comes_to})
    return board, state


@pytest.mark.parametrize(("verdict", "result"), [(INVALID, "invalid"), (SLOW, "too slow")])
def test_a_refused_pattern_is_said_of_the_grader_and_the_list_keeps_the_flip_dimmed(
    verdict: Verdict, result: str
) -> None:
    board, state = _typed(verdict)

    row = views.trial_row(board, state, 0, trial_list(board, state))
    (grader,) = views.grader_rows(board, state)
    title = views.trials_title(board, state, trial_list(board, state))

    assert (row.before, row.mark, row.strip, row.dimmed) == (Mark.FAIL, Mark.PASS, (Mark.PASS,), True)
    assert (grader.mark, grader.before, grader.result) == (Mark.ERROR, None, result)
    assert grader.was == "raise"
    assert [note.text for note in title.notes] == ["last valid pattern"]


def test_once_the_field_is_left_the_strip_says_what_the_pattern_has_come_to() -> None:
    board, state = _typed(INVALID)

    row = views.trial_row(board, update.close_field(state), 0, trial_list(board, state))

    assert row.strip == (Mark.ERROR,)


def test_matches_are_marked_only_for_graders_that_look_at_the_evidence_in_view() -> None:
    in_turn = replace(QUIET, turn=1)
    board = board_of(trial(0, "a", RAISES, in_turn, turns=2))
    whole, turn = board.slots_of(0, NO_EDITS)
    board.put_in_view(0, whole, question(board, whole), replace(PASS, spans=Spans.of((3, 8))))
    board.put_in_view(0, turn, question(board, turn), replace(FAIL, spans=Spans.of((1, 2))))
    state = update.select_trial(TriageState(), board, 0)

    seen = [
        [(mark.number, mark.broken) for mark in views.highlights(board, update.select_slot(state, board, slot))]
        for slot in (whole, turn)
    ]

    assert seen == [[(1, False)], [(2, True)]]


@pytest.mark.parametrize(("pattern", "soon", "dimmed"), [("rai", True, False), ("rai", False, True), ("(", True, True)])
def test_the_matches_of_before_are_dimmed_when_no_answer_comes_or_none_can(
    pattern: str, soon: bool, dimmed: bool
) -> None:
    board = board_of(trial(0, "a", RAISES))
    (slot,) = board.slots_of(0, NO_EDITS)
    board.put_in_view(0, slot, question(board, slot), replace(PASS, spans=Spans.of((3, 8))))
    state = update.select_trial(TriageState(), board, 0)
    edited = replace(RAISES, config={"pattern": pattern})
    state = update.edit_slot(update.open_field(state, slot), board, slot, edited)
    if pattern == "(":
        board.put_in_view(0, slot, board.asked(slot, state.edits), INVALID)

    (mark,) = views.highlights(board, state, soon=soon)

    assert (mark.spans, mark.stale) == (Spans.of((3, 8)), dimmed)


def test_several_runs_are_named_by_their_headings_not_in_each_row() -> None:
    board = _board()
    board.add_trials(board.add_source(run("second")), [trial(3, "fix-it", RAISES)])
    state = TriageState()
    rows = trial_list(board, state)

    heads = [views.group_row(board, state, group) for group in rows.groups]

    assert [(head.name, head.level) for head in heads] == [("run", 0), ("fix-it", 1), ("second", 0)]
    assert "".join(word.text for word in heads[0].tallies) == "1 of 3 failed"


def test_the_heading_of_a_run_without_trials_says_whether_it_was_read() -> None:
    board = board_of(trial(0, "fix-it", RAISES))
    empty = board.add_source(run("empty"))

    def tallies() -> list[str]:
        heads = [views.group_row(board, TriageState(), group) for group in trial_list(board, TriageState()).groups]
        return [head.tallies[0].text for head in heads if head.name == "empty"]

    assert tallies() == ["not read yet"]
    board.finish_run(empty, started_run(run("empty")))
    assert tallies() == ["no trials"]
    board.remove_run(empty)  # as R does
    assert tallies() == ["not read yet"]


def test_a_heading_calls_a_grader_by_name_type_and_pattern_each_once() -> None:
    assert views.names_of(replace(contains("raise"), name="raises")) == ("raises", "diff-contains", "raise")
    assert views.names_of(GraderConfig("prompt", name="prompt")) == ("prompt",)
    negated = GraderConfig("diff-contains", config={"pattern": "x", "negate": True})
    assert views.names_of(negated) == ("not diff-contains", "x")


def test_a_row_has_a_name_beside_a_pattern_and_none_in_its_place() -> None:
    named, prompt = replace(RAISES, name="raises"), GraderConfig("prompt", name="no secret")
    board = board_of(trial(0, "fix-it", named, prompt))
    rows = views.grader_rows(board, TriageState(trial=0))
    assert [(row.pattern, row.name) for row in rows] == [("raise", "raises"), ("no secret", "")]


def test_where_there_is_no_trial_list_the_title_says_which_of_the_failing_trials_is_in_view() -> None:
    board = board_of(*(trial(key, "fix-it", RAISES) for key in range(4)))
    put(board, 0, t0=FAIL, t1=PASS, t2=FAIL, t3=PASS)
    board.settle_few(NO_EDITS, NO_EDITS)
    assert views.title_view(board, TriageState(trial=2), run="run", placed=True).place == Position(Mark.FAIL, 2, 2)
    assert views.title_view(board, TriageState(trial=2), run="run").place is None


def test_matches_are_awaited_until_the_grader_in_focus_is_answered_on_the_trial_in_view() -> None:
    board = board_of(trial(0, "fix-it", RAISES, GraderConfig("prompt")))
    asks, recorded_only = TriageState(trial=0, slot=0), TriageState(trial=0, slot=1)
    assert views.awaits_matches(board, asks)
    assert not views.awaits_matches(board, recorded_only)
    board.put_in_view(0, 0, question(board, 0), FAIL)
    assert not views.awaits_matches(board, asks)


def test_a_wide_list_has_room_for_names_of_stimuli_that_stand_in_rows_of_trials() -> None:
    board = board_of(trial(0, "several", RAISES), trial(1, "several", RAISES), trial(2, "one-trial-only", RAISES))
    assert views.trial_columns(board).named == 0
    assert views.trial_columns(board, wide=True).named == len("one-trial-only")
    assert views.trial_columns(board, wide=True, focused=True).worded
