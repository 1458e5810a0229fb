from msgspec.structs import replace

from tests.triage.builders import FAIL, INVALID, PASS, SLOW, board_of, contains, excludes, put, question, said, trial
from vally_tui.grading.model import UNSET, GraderConfig, Verdict
from vally_tui.triage import update
from vally_tui.triage.board import Board
from vally_tui.triage.edit_view import edit_view, next_turn, toggled
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.state import TriageState
from vally_tui.triage.views_model import EditView, Phrase

RAISES = contains("raise")


def _text(phrase: Phrase) -> str:
    return "".join(word.text for word in phrase)


def _editing(typed: str, **verdicts: Verdict) -> tuple[Board, TriageState]:
    """Three trials, recorded as pass, fail, pass and so judged; then this is typed and comes to these verdicts."""
    recorded = (True, False, True)
    board = board_of(*(trial(key, "fix-it", RAISES, recorded=[said(passed)]) for key, passed in enumerate(recorded)))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=PASS, t1=FAIL, t2=PASS)
    state = update.open_field(update.select_trial(TriageState(), board, 0), slot)
    state = update.edit_slot(state, board, slot, contains(typed))
    asked = board.asked(slot, state.edits)
    assert asked is not None
    board.put(slot, asked, {int(name[1:]): verdict for name, verdict in verdicts.items()})
    return board, state


def _view(board: Board, state: TriageState) -> EditView:
    assert state.slot is not None
    return edit_view(board, state, state.slot, 0, None)


def test_the_effect_on_all_trials_is_told_with_the_first_that_now_fails() -> None:
    view = _view(*_editing("return", t0=PASS, t1=PASS, t2=FAIL))

    assert _text(view.outcome) == "+1 now pass · −1 now fail · 1 same  of 3 trials"
    assert _text(view.example) == "now fail  trial 3 · opus  fix-it"
    assert not view.invalid


def test_where_none_fails_the_first_that_now_passes_is_named() -> None:
    assert _text(_view(*_editing("return", t0=PASS, t1=PASS, t2=PASS)).example) == "now pass  trial 2 · opus  fix-it"


def test_of_a_grader_that_is_not_judged_again_no_effect_is_claimed() -> None:
    files = GraderConfig("file-matches", config={"pattern": "a+", "path": "*.py"})
    board = board_of(trial(0, "fix-it", files, recorded=[said(False)]))
    (slot,) = board.slots_of(0, NO_EDITS)
    state = update.open_field(update.select_trial(TriageState(), board, 0), slot)
    state = update.edit_slot(state, board, slot, replace(files, config={"pattern": "b+", "path": "*.py"}))

    assert _text(_view(board, state).outcome) == "file-matches is not judged again: its effect shows in the next run"


def test_trials_that_are_not_judged_yet_wait() -> None:
    view = _view(*_editing("return", t0=PASS))

    assert _text(view.outcome) == "+0 now pass · −0 now fail · 1 same · 2 waiting  of 3 trials"
    staying = [_text(tuple(word for word in view.outcome if word.rank <= rank)) for rank in (4, 3, 0)]
    assert staying == [
        "+0 now pass · −0 now fail · 1 same · 2 waiting",
        "+0 now pass · −0 now fail · 2 waiting",
        "+0 now pass · −0 now fail",
    ]


def test_of_an_invalid_pattern_v8s_words_and_the_bracket_are_told() -> None:
    refused = Verdict(INVALID.state, False, 0, "Invalid regex pattern: ra(ise. Error: Unterminated group", 0)

    view = _view(*_editing("ra(ise", t0=refused, t1=refused, t2=refused))

    assert view.invalid
    assert _text(view.outcome) == r"! Unterminated group  at character 3: write \( for the sign itself"
    without_place = tuple(word for word in view.outcome if word.rank < 2)
    assert _text(without_place) == r"! Unterminated group: write \( for the sign itself"
    assert view.fault == 2
    assert _text(view.example) == "the verdicts are those of  raise"


def test_faults_of_a_config_are_told_at_once() -> None:
    board, state = _editing("")

    view = _view(board, state)

    assert view.invalid
    assert _text(view.outcome) == "! pattern must not be empty"


def test_of_a_stopped_pattern_it_is_said_whose_verdicts_are_shown() -> None:
    slow = Verdict(SLOW.state, False, 0, "(a+)+$ took longer than 1 s and was stopped", None)

    view = _view(*_editing("(a+)+$", t0=slow, t1=slow, t2=slow))

    assert _text(view.outcome) == "! took longer than 1 s and was stopped  enter tries it again"
    assert _text(view.example) == "the verdicts are those of  raise"


def test_toggles_show_what_the_text_says() -> None:
    board, state = _editing("(?is)raise")

    boxes = {letter: is_set for letter, _, is_set in _view(board, state).flags}

    assert boxes == {"i": True, "m": False, "s": True, "v": False, "n": False, "t": False}


def test_a_toggle_changes_the_text_or_the_config() -> None:
    board = board_of(trial(0, "a", RAISES, excludes("x")))
    raises, not_x = board.slots_of(0, NO_EDITS)
    state = update.select_trial(TriageState(), board, 0)

    assert toggled(board, state, raises, "m") == contains("(?m)raise")
    assert toggled(board, state, raises, "v").config == {"value": "raise"}
    assert toggled(board, state, raises, "n").config == {"pattern": "raise", "negate": True}
    # A restraint is negated by its type; turned round it must say so.
    assert toggled(board, state, not_x, "n").config == {"pattern": "x", "negate": False}


def test_the_turn_goes_round_those_of_the_trial_in_view() -> None:
    board = board_of(trial(0, "a", RAISES, turns=2))
    state = update.select_trial(TriageState(), board, 0)

    turns: list[object] = [UNSET]
    for _ in range(3):
        turns.append(next_turn(board, state, replace(RAISES, turn=turns[-1])))

    assert turns == [UNSET, 0, 1, None]


def test_a_turn_that_is_none_goes_to_the_whole_run() -> None:
    board = board_of(trial(0, "a", RAISES, turns=2))

    assert next_turn(board, update.select_trial(TriageState(), board, 0), GraderConfig("diff-empty", turn="x")) is None


def test_before_anything_was_judged_no_pattern_is_named_as_the_last_valid_one() -> None:
    board = board_of(trial(0, "a", contains("(")))
    (slot,) = board.slots_of(0, NO_EDITS)
    put(board, slot, t0=INVALID)
    assert board.last_good(slot) is None
    assert question(board, slot) is not None

    assert _text(_view(board, update.select_trial(TriageState(), board, 0)).example) == ""
