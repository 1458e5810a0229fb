"""Going to a place by its letters."""

from msgspec.structs import replace

from tests.triage.builders import FAIL, PASS, board_of, contains, put, trial
from vally_tui.triage.goto import MOST, PORTION, Found, Kind, Target, find, graders, trial_with
from vally_tui.triage.state import TriageState


def test_nothing_typed_gives_the_first_places_and_how_many_there_are() -> None:
    targets = [Target(Kind.TRIAL, f"trial {number}", number) for number in range(MOST + 7)]
    assert find(targets, "  ") == Found(tuple(targets[:MOST]), MOST + 7)


def test_the_best_places_come_first_over_all_kinds() -> None:
    trial = Target(Kind.TRIAL, "recalculate · trial 1", 4)
    file = Target(Kind.FILE, "src/calc.py", 0)
    assert find([trial, file, Target(Kind.STIMULUS, "docs", 1)], "calc") == Found((file, trial), 2)


def test_of_many_that_fit_only_the_best_are_shown_and_all_are_counted() -> None:
    targets = [Target(Kind.TRIAL, f"xfix {number}", number) for number in range(PORTION + 10)]
    targets.append(Target(Kind.TRIAL, "fix last", 99_999))
    found = find(targets, "fix")
    assert found is not None
    assert found.count == PORTION + 11
    assert found.targets[0].label == "fix last"
    assert len(found.targets) == MOST


def test_a_search_that_was_cancelled_gives_nothing() -> None:
    assert find([Target(Kind.FILE, "a", 0)], "a", lambda: True) is None


NAMED, PLAIN, OTHER = replace(contains("raise"), name="raises"), contains("def"), replace(contains("log"), name="logs")


def test_places_are_the_graders_of_the_trial_in_view_and_the_named_ones_of_other_stimuli() -> None:
    board = board_of(trial(0, "fix-it", NAMED, PLAIN), trial(1, "log-it", OTHER, PLAIN))
    assert [target.label for target in graders(board, TriageState(trial=0))] == [
        "1 · raises · diff-contains · raise",
        "2 · diff-contains · def",
        "logs · log-it",
    ]


def test_a_grader_is_seen_in_the_trial_in_view_else_where_it_fails_first() -> None:
    board = board_of(*(trial(key, "fix-it", NAMED) for key in range(3)), trial(3, "log-it", OTHER))
    put(board, 0, t0=PASS, t1=FAIL, t2=FAIL)
    assert trial_with(board, TriageState(trial=2), 0) == 2
    assert trial_with(board, TriageState(trial=3), 0) == 1
    assert trial_with(board, TriageState(trial=0), 1) == 3
