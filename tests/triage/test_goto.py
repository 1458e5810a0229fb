"""Going to a place by its letters."""

from vally_tui.triage.goto import MOST, PORTION, Found, Kind, Target, find


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
