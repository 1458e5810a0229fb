"""Which texts the worker holds."""

import json
import struct

import pytest

from vally_tui.engine.frames import Splitter
from vally_tui.engine.texts import Measured, Residents, measure


@pytest.mark.parametrize(
    ("text", "units", "wide"),
    [
        ("abc", 3, False),
        ("né", 2, False),
        ("中", 1, True),
        ("a😀", 3, True),
        ("\ud83d", 1, True),
        ("\ud83d" + "\ude00", 2, True),
        ("", 0, False),
    ],
)
def test_a_text_is_measured_in_units_and_width(text: str, units: int, wide: bool) -> None:
    measured = measure("key", text)
    assert (measured.units, measured.wide) == (units, wide)


def test_a_wide_character_behind_the_first_slice_is_seen() -> None:
    assert measure("key", "é" + "x" * 1_100_000 + "😀") == Measured(
        "key", "é" + "x" * 1_100_000 + "😀", 1_100_003, True
    )


def headers(messages: object) -> list[dict[str, object]]:
    return [frame.header for message in messages for frame in Splitter().feed(message)]  # type: ignore[attr-defined]


def kinds(messages: object) -> list[object]:
    return [header["do"] for header in headers(messages)]


def test_small_texts_go_together_wide_ones_apart() -> None:
    residents = Residents(1000)
    texts = [measure(1, "abc"), measure(2, "中"), measure(3, "dé")]
    packs = headers(residents.add(texts, set()))
    assert [(pack["units"], pack["wide"]) for pack in packs] == [([3, 2], False), ([1], True)]


def test_a_large_text_goes_in_slices_of_at_most_a_megabyte() -> None:
    residents = Residents(10_000_000)
    messages = list(residents.add([measure(1, "x" * 2_500_000)], set()))
    assert kinds(messages) == ["part", "part", "part", "join"]
    assert max(struct.unpack("!II", message[:8])[1] for message in messages) <= 1 << 20


def test_what_was_used_longest_ago_goes_first() -> None:
    residents = Residents(100)
    for key in "abc":
        list(residents.add([measure(key, key * 30)], set()))
    residents.use(residents.places["a"].block)
    assert kinds(residents.add([measure("d", "d" * 30)], set())) == ["drop", "pack"]
    assert sorted(residents.places) == ["a", "c", "d"]


def test_a_pinned_block_stays() -> None:
    residents = Residents(50)
    list(residents.add([measure("a", "a" * 30)], set()))
    list(residents.add([measure("b", "b" * 30)], {residents.places["a"].block}))
    assert sorted(residents.places) == ["a", "b"]


def test_two_byte_texts_count_double() -> None:
    residents = Residents(1000)
    list(residents.add([measure(1, "中" * 10), measure(2, "x" * 10)], set()))
    assert residents.cost == 30


def test_a_forgotten_text_frees_its_block_once_all_of_it_is_forgotten() -> None:
    residents = Residents(1000)
    list(residents.add([measure(1, "abc"), measure(2, "def")], set()))
    assert residents.forget([1, "unknown"]) == []
    assert sorted(residents.places) == [2]
    assert kinds(residents.forget([2])) == ["drop"]
    assert residents.cost == 0


def test_a_free_slot_is_used_again() -> None:
    residents = Residents(1000)
    list(residents.add([measure(1, "abc")], set()))
    slot = residents.places[1].slot
    residents.forget_all()
    list(residents.add([measure(2, "def")], set()))
    assert residents.places[2].slot == slot


def test_texts_count_as_held_before_their_messages_are_made() -> None:
    residents = Residents(1000)
    messages = residents.add([measure(1, "abc")], set())
    assert 1 in residents.places
    assert json.dumps(headers(messages)[0]["slots"]) == f"[{residents.places[1].slot}]"
