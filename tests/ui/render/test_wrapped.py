"""Long texts as rows."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from vally_tui.ui.render.cells import cells
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.wrapped import readable, row_spans


def rows(text: str, width: int, first: int = 0) -> list[str]:
    return [text[start:end] for start, end in row_spans(text, width, first)]


def test_rows_break_at_blanks_and_the_blank_goes() -> None:
    assert rows("one two three", 8) == ["one two", "three"]


def test_a_word_that_is_wider_than_a_row_is_cut_at_cells() -> None:
    assert rows("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"]


def test_newlines_break_and_empty_lines_stay() -> None:
    assert rows("a\n\nb\n", 5) == ["a", "", "b", ""]


def test_an_empty_text_is_one_empty_row() -> None:
    assert rows("", 5) == [""]


def test_the_first_row_has_less_room() -> None:
    assert rows("ab cd ef", 5, first=3) == ["ab", "cd ef"]


def test_a_word_without_room_beside_what_stands_first_goes_to_the_next_row() -> None:
    assert rows("abcd ef", 5, first=3) == ["", "abcd", "ef"]
    assert rows("abcdefgh", 5, first=3) == ["", "abcde", "fgh"]


def test_indentation_is_kept_when_a_line_is_broken() -> None:
    assert rows("    abcdef", 6) == ["    ab", "cdef"]


def test_a_wide_character_is_never_cut() -> None:
    assert rows("日本語", 3) == ["日", "本", "語"]


def test_a_row_of_one_cell_takes_a_wide_character_all_the_same() -> None:
    assert rows("日本", 1) == ["日", "本"]


def test_tabs_become_blanks_and_carriage_returns_before_newlines_go() -> None:
    assert readable("a\tb\r\nc\rd") == "a   b\nc\rd"


@given(st.text(alphabet=st.sampled_from("ab  \n日\u0301\x1b"), max_size=60), st.integers(2, 9))
def test_no_row_is_too_wide_and_only_blanks_and_newlines_are_left_out(text: str, width: int) -> None:
    spans = list(row_spans(text, width))
    assert all(cells(inert(text[start:end])) <= width for start, end in spans)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    left_out = [text[one[1] : other[0]] for one, other in pairwise(spans)]
    assert all(each in ("", " ", "\n") for each in left_out)


def test_a_line_of_a_million_characters_is_broken_in_linear_steps() -> None:
    assert len(rows("x" * 1_000_000, 100)) == 10_000
