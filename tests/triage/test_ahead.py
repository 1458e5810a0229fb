"""Taking items ahead: the same items in their order, what goes wrong is raised here, and nothing is left hanging."""

import threading
from collections.abc import Iterator

import pytest

from vally_tui.triage.ahead import ahead


def test_the_items_are_the_same_in_the_same_order() -> None:
    assert list(ahead(range(1000))) == list(range(1000))
    assert list(ahead([])) == []


def test_they_are_made_in_another_thread() -> None:
    def made() -> Iterator[int]:
        yield threading.get_ident()

    assert list(ahead(made())) != [threading.get_ident()]


def test_what_making_them_raises_is_raised_here_behind_the_items_before() -> None:
    def made() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    items = ahead(made())
    assert next(items) == 1
    with pytest.raises(ValueError, match="broken"):
        next(items)


def test_at_most_two_items_are_made_that_nobody_has_taken() -> None:
    made: list[int] = []
    enough = threading.Event()

    def makes() -> Iterator[int]:
        for number in range(10):
            made.append(number)
            if number == 2:
                enough.set()
            yield number

    items = ahead(makes())
    next(items)
    assert enough.wait(10)
    assert made == [0, 1, 2]


def test_leaving_early_ends_the_thread() -> None:
    before = threading.active_count()
    items = ahead(iter(range(1_000_000)))
    assert next(items) == 0
    items.close()  # type: ignore[attr-defined]
    for thread in threading.enumerate()[before:]:
        thread.join(10)
    assert threading.active_count() == before


def test_it_can_be_used_on_itself() -> None:
    doubled = (2 * number for number in ahead(range(100)))
    assert list(ahead(doubled)) == [2 * number for number in range(100)]
