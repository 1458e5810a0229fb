"""Literal search: smart case, order, portions."""

from itertools import islice

from vally_tui.grading.model import Spans
from vally_tui.triage import search
from vally_tui.triage.search import PORTION, find_all, finds_in, rows_with


def test_small_letters_find_any_case_and_a_capital_letter_only_its_own() -> None:
    text = "Raise raise RAISE"
    assert list(find_all(text, "raise")) == [(0, 5), (6, 11), (12, 17)]
    assert list(find_all(text, "Raise")) == [(0, 5)]


def test_finds_do_not_overlap() -> None:
    assert list(find_all("aaaa", "aa")) == [(0, 2), (2, 4)]


def test_what_is_typed_is_no_pattern() -> None:
    assert list(find_all("a.b axb", "a.b")) == [(0, 3)]


def test_nothing_typed_finds_nothing() -> None:
    assert list(find_all("abc", "")) == []


def test_finds_at_the_border_of_two_portions_are_found_once() -> None:
    text = "x" * (PORTION - 2) + "needle" + "x" * PORTION + "needle"
    first = PORTION - 2
    second = first + 6 + PORTION
    assert list(find_all(text, "needle")) == [(first, first + 6), (second, second + 6)]


def test_a_find_that_reaches_over_the_border_takes_its_characters_from_the_next_portion() -> None:
    text = "x" * (PORTION - 1) + "aaaa"
    assert list(find_all(text, "aa")) == [(PORTION - 1, PORTION + 1), (PORTION + 1, PORTION + 3)]


def test_searching_stops_between_two_portions_when_it_is_cancelled() -> None:
    asked = iter([False, True])
    text = "a" + "x" * PORTION + "a"
    assert list(find_all(text, "a", lambda: next(asked))) == [(0, 1)]


def test_finds_are_spans_and_no_more_of_them_than_are_kept(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(search, "MOST", 2)
    assert finds_in("a a a", "a") == Spans.of((0, 1), (2, 3))


def test_finds_come_as_they_are_found() -> None:
    assert list(islice(find_all("ab" * 10, "b"), 2)) == [(1, 2), (3, 4)]


def test_rows_are_found_by_their_numbers() -> None:
    assert rows_with(["fix · gpt", "", "Fix · opus"], "fix") == [0, 2]
    assert rows_with(["a"], "") == []
