"""Misspelt literals, found by edit distance."""

import pytest

from vally_tui.triage.explain.typo import Misspelt, allowed, nearest


@pytest.mark.parametrize(
    ("literal", "text", "found", "distance"),
    [
        ("ValueEror(", "raise ValueError(x)", "ValueError(", 1),
        ("ValueErrror(", "raise ValueError(x)", "ValueError(", 1),
        ("ValueErrur(", "raise ValueError(x)", "ValueError(", 1),
        ("recieve_all", "x = receive_all()", "receive_all", 2),
        ("self.baord.current(key)", "a self.board.current(key) b", "self.board.current(key)", 2),
    ],
)
def test_the_place_with_the_fewest_edits_is_found(literal: str, text: str, found: str, distance: int) -> None:
    place = nearest(literal, text)
    assert place is not None
    assert (text[place.start : place.end], place.distance) == (found, distance)


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        ("abc", "abd"),  # too short to be told from another word
        ("ValueError", "KeyError TypeError"),
        ("ValueEror", "Value\nError"),  # not within one line
        ("a\nValueEror", "a\nValueError"),
        ("x" * 300, "x" * 299),
        ("ValueError", "ValueError"),  # no misspelling at all
    ],
)
def test_what_is_not_near_is_not_found(literal: str, text: str) -> None:
    assert nearest(literal, text) is None


def test_a_nearer_place_wins_over_an_earlier_one() -> None:
    text = "reqest_hedr request_heder"
    place = nearest("request_header", text)
    assert place == Misspelt(12, 25, 1)


def test_more_edits_are_allowed_in_longer_texts() -> None:
    assert [allowed(length) for length in (4, 5, 9, 10, 15, 100)] == [0, 1, 1, 2, 3, 3]


def test_a_part_that_is_everywhere_does_not_hide_the_place() -> None:
    text = "return self.b\n" * 5000 + "return self.board.current(key, slot)\n"
    place = nearest("return self.baord.current(key, slot)", text)
    assert place is not None
    assert text[place.start : place.end] == "return self.board.current(key, slot)"
