import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from vally_tui.ui.render.cells import cells
from vally_tui.ui.render.inert import inert

any_text = st.text(st.characters(), max_size=60)  # lone surrogates included


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x00\x08\r\x7f", "␀␈␍␡"),
        ("\x9b31m", "�31m"),
        ("a\u202eb\u2066c", "a�b�c"),
        ("a\u200bb\ufeff", "a�b�"),
        ("a\u2028b\u2029", "a�b�"),
        ("\udc80", "�"),
        ("\U000e0041", "�"),
        ("[red]x[/]", "[red]x[/]"),
        ("plain text", "plain text"),
        ("naïve 二つ é e\u0301", "naïve 二つ é e\u0301"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_replaced_one_for_one(text: str, drawn: str) -> None:
    assert inert(text) == drawn


def test_an_emoji_sequence_is_shown_as_its_parts_since_patterns_match_code_points() -> None:
    assert inert("👩\u200d💻 ⚠\ufe0f") == "👩�💻 ⚠�"


@given(any_text)
def test_no_code_point_is_added_or_lost(text: str) -> None:
    assert len(inert(text)) == len(text)


@given(any_text)
def test_nothing_invisible_but_blanks_and_marks_remains(text: str) -> None:
    assert not [c for c in inert(text) if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}]


@given(any_text)
def test_our_count_of_cells_is_the_one_that_is_drawn(text: str) -> None:
    drawn = inert(text)
    assert cells(drawn) == cell_len(drawn)


@given(any_text)
def test_making_inert_twice_changes_nothing(text: str) -> None:
    assert inert(inert(text)) == inert(text)
