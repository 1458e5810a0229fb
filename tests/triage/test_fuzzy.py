"""Finding by a few letters."""

from vally_tui.triage.fuzzy import best, fuzzy


def test_every_part_must_be_in_the_text() -> None:
    score = fuzzy("fix gpt")
    assert score("fix-divide · trial 1 · gpt-5.1") is not None
    assert score("fix-divide · trial 1 · opus") is None


def test_letters_are_compared_without_regard_to_case() -> None:
    assert fuzzy("CALC")("src/Calc.py") == 0


def test_a_word_start_is_better_than_the_inside_and_that_better_than_scattered_letters() -> None:
    texts = ["s-c-a-l-c", "recalculate", "src/calc.py"]
    assert best("calc", texts, 5) == [2, 1, 0]


def test_a_later_word_start_counts_as_well_as_an_earlier_inside_place() -> None:
    assert fuzzy("calc")("recalc calc") == fuzzy("calc")("calc")


def test_letters_far_apart_do_not_fit() -> None:
    assert fuzzy("theme")("the grader looks at the next turn, mended") is None
    assert fuzzy("theme")("t and far behind it: the mended") is not None


def test_equally_good_texts_keep_their_order_and_only_the_best_are_given() -> None:
    assert best("a", ["a1", "a2", "a3"], 2) == [0, 1]


def test_nothing_typed_fits_everything() -> None:
    assert best("", ["x", "y"], 9) == [0, 1]


def test_signs_of_regular_expressions_are_letters_like_others() -> None:
    assert best("(a|b)*", ["ab", "x(a|b)*y"], 9) == [1]
