from tests.triage.builders import contains
from vally_tui.triage.edits import NO_EDITS

READ, OTHER = contains("raise"), contains("return")


def test_a_config_like_the_one_that_was_read_is_no_edit() -> None:
    edited = NO_EDITS.with_config(3, OTHER, READ)

    assert edited.configs == {3: OTHER}
    assert edited.with_config(3, READ, READ) == NO_EDITS


def test_true_in_the_place_of_1_is_an_edit() -> None:
    read, mended = contains("raise", negate=1), contains("raise", negate=True)

    assert NO_EDITS.with_config(3, mended, read).configs == {3: mended}
    assert NO_EDITS.with_config(3, contains("raise", negate=1.0), read) == NO_EDITS


def test_an_added_grader_stays_an_edit_with_the_config_that_it_was_added_with() -> None:
    added = NO_EDITS.with_added("fix-it", 7, READ)

    assert added.added == {"fix-it": (7,)}
    assert added.with_config(7, OTHER, READ).with_config(7, READ, READ) == added


def test_removing_an_added_grader_leaves_nothing_behind() -> None:
    assert NO_EDITS.with_added("fix-it", 7, READ).without(7) == NO_EDITS


def test_removing_a_grader_forgets_its_edit_and_remembers_the_removal() -> None:
    removed = NO_EDITS.with_config(3, OTHER, READ).without(3)

    assert removed.removed == {3}
    assert removed.configs == {}


def test_each_grader_that_differs_from_the_saved_edits_counts_once() -> None:
    saved = NO_EDITS.with_config(1, OTHER, READ)
    now = saved.with_config(2, OTHER, READ).with_config(2, contains("yield"), READ).without(3)

    assert now.count_against(saved) == 2
    assert now.count_against(now) == 0
    # The saved edit of grader 1 is taken back: that is to be saved, too.
    assert now.with_config(1, READ, READ).count_against(saved) == 3
