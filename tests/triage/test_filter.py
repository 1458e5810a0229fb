import pytest

from tests.triage.builders import FAIL, LACKING, PASS, board_of, contains, put, said, trial
from vally_tui.triage.edits import NO_EDITS
from vally_tui.triage.filter import NO_FILTER, Term, narrower, read_filter

NAMED = contains("raise")


def _shown(written: str, with_text: frozenset[int] | None = None) -> list[int]:
    """Trials of three stimuli: 0 fails, 1 passes (recorded: fail), 2 ended in an error, 3 is another model's and fails."""
    board = board_of(
        trial(0, "fix-it", NAMED),
        trial(1, "fix-it", NAMED, recorded=[said(False)]),
        trial(2, "Add retry", NAMED, has_trajectory=False),
        trial(3, "keep-out", contains("x"), model="gpt-5.1", variant="with skills"),
    )
    put(board, board.slots_of(0, NO_EDITS)[0], t0=FAIL, t1=PASS)
    put(board, board.slots_of(3, NO_EDITS)[0], t3=FAIL)
    return narrower(read_filter(written), board, NO_EDITS, NO_EDITS, with_text)(board.entries)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("", [0, 1, 2, 3]),
        ("failed", [0, 3]),
        ("fail", [0, 3]),
        ("-failed", [1, 2]),
        ("passed", [1]),
        ("ungraded", [2]),
        ("flipped", [1]),
        ("-flipped passed", []),
        ("failed fix", [0]),
        ("FIX", [0, 1]),
        ("gpt", [3]),
        ("model:GPT", [3]),
        ("-model:gpt", [0, 1, 2]),
        ("stimulus:retry", [2]),
        ('stimulus:"add retry"', [2]),
        ("variant:skills", [3]),
        ("grader:diff-cont", [0, 1, 2, 3]),
        ("fails:diff-contains", [0, 3]),
        ("run:run", [0, 1, 2, 3]),
        ("run:other", []),
        # A dash alone is a word: it is looked for.
        ("-", [0, 1, 3]),
    ],
)
def test_a_filter_shows_the_trials_for_which_all_its_terms_hold(written: str, shown: list[int]) -> None:
    assert _shown(written) == shown


def test_a_grader_that_lacked_its_evidence_does_not_fail() -> None:
    board = board_of(trial(0, "fix-it", NAMED))
    put(board, board.slots_of(0, NO_EDITS)[0], t0=LACKING)

    assert narrower(read_filter("fails:diff"), board, NO_EDITS, NO_EDITS)([0]) == []


def test_text_is_looked_for_as_it_is_written_and_hides_nothing_until_it_is_known() -> None:
    assert read_filter("text:Raise").text == "Raise"
    assert read_filter("failed").text is None
    assert _shown("text:x") == [0, 1, 2, 3]
    assert _shown("-text:x") == [0, 1, 2, 3]
    assert _shown("text:x", frozenset({1, 2})) == [1, 2]
    assert _shown("-text:x", frozenset({1, 2})) == [0, 3]


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ('stimulus:"add', "a quote is not closed"),
        ("modle:gpt", "modle: is no key; the keys are stimulus, model, variant, run, grader, fails, text"),
        ("model:", "model: wants a text behind it"),
        ("text:a text:b", "text: can be given once"),
    ],
)
def test_what_is_wrong_with_a_filter_is_told_and_filters_nothing(written: str, fault: str) -> None:
    condition = read_filter(written)

    assert condition.fault == fault
    assert condition.terms == ()


def test_blanks_alone_are_no_filter() -> None:
    assert read_filter("  ").terms == NO_FILTER.terms


def test_a_colon_inside_of_the_text_belongs_to_it() -> None:
    assert read_filter("text:a:b").terms == (Term("text", "a:b"),)
