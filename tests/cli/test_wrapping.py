"""Cells: wide characters take two, combining marks none; no line is longer than it may be and no character is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vally_tui.cli.wrapping import cells, cut, padded, wrapped


@pytest.mark.parametrize(
    ("text", "width"), [("", 0), ("abc", 3), ("说明", 4), ("e\u0301", 1), ("🎉", 2), ("✘", 1), ("ｱ", 1), ("Ａ", 2)]
)
def test_cells_of_a_text(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "kept"),
    [("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("说明书", 5, "说明…"), ("说明书", 4, "说…"), ("说明", 1, "…")],
)
def test_a_cut_text_fits_and_never_ends_in_half_a_character(text: str, width: int, kept: str) -> None:
    assert cut(text, width) == kept
    assert cells(kept) <= width


def test_a_padded_text_takes_its_cells() -> None:
    assert padded("说", 4) == "说  "
    assert padded("abc", 2) == "abc"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("short", 10, ["short"]),
        ("", 10, [""]),
        ("one two three", 8, ["one two", "three"]),
        ("one  two", 5, ["one ", "two"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        # A break at the only blank would waste the line.
        ("a bcdefghij", 8, ["a bcdefg", "hij"]),
        ("说明说明", 5, ["说明", "说明"]),
    ],
)
def test_lines_break_at_blanks(text: str, width: int, lines: list[str]) -> None:
    assert list(wrapped(text, width)) == lines


@given(st.text(st.sampled_from("ab 说🎉é\u0301"), max_size=60), st.integers(2, 12))
def test_wrapping_loses_only_the_blanks_at_which_it_breaks(text: str, width: int) -> None:
    lines = list(wrapped(text, width))
    assert all(cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
