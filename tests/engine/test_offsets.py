"""UTF-16 offsets into code points."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from vally_tui.engine.offsets import second_units, to_code_points


def test_the_table_holds_the_second_unit_of_each_astral_character() -> None:
    # a 😀 b 😀: units 0, 1-2, 3, 4-5
    assert second_units("a😀b😀") == array("I", [2, 5])


def test_the_table_of_a_later_part_goes_on_from_its_base() -> None:
    assert second_units("b😀", base=3) == array("I", [5])


def test_two_separate_surrogates_are_no_astral_character() -> None:
    assert second_units("\ud83d" + "\ude00") == array("I")


def spans(text: str, *units: tuple[int, int]) -> list[tuple[int, int]]:
    starts, ends = to_code_points([start for start, _ in units], [end for _, end in units], second_units(text))
    return list(zip(starts, ends, strict=True))


def test_a_match_behind_an_emoji_moves_back_by_one() -> None:
    assert spans("😀abc", (2, 4)) == [(1, 3)]


def test_a_match_of_half_an_emoji_is_widened_to_all_of_it() -> None:
    assert spans("a😀b", (1, 2), (2, 3)) == [(1, 2), (1, 2)]


def test_a_match_of_nothing_inside_an_emoji_gives_its_index_twice() -> None:
    assert spans("a😀b", (2, 2)) == [(1, 1)]


def test_a_match_from_half_to_half_is_widened_at_both_ends() -> None:
    assert spans("😀b😀", (1, 4)) == [(0, 3)]


def naive(text: str, start: int, end: int) -> tuple[int, int]:
    """Walk the characters; slow and plain."""
    owners = [index for index, char in enumerate(text) for _ in range(2 if ord(char) > 0xFFFF else 1)]
    first = owners[start] if start < len(owners) else len(text)
    if start == end:
        return first, first
    return first, owners[end - 1] + 1


TEXTS = st.text(st.sampled_from("ab\né中😀𝒜\ud83d\ude00"), max_size=30)


@given(TEXTS, st.data())
def test_every_pair_equals_a_walk_over_the_characters(text: str, data: st.DataObject) -> None:
    units = sum(2 if ord(char) > 0xFFFF else 1 for char in text)
    start = data.draw(st.integers(0, units))
    end = data.draw(st.integers(start, units))
    assert spans(text, (start, end)) == [naive(text, start, end)]
