from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.ui.render.looks import DARK
from vally_tui.triage.views_model import Word
from vally_tui.ui.render.row import Row

texts = st.lists(st.text(max_size=20), max_size=6)


@given(texts, st.integers(0, 40), st.integers(0, 50))
def test_a_row_has_exactly_its_width_whatever_is_written(parts: list[str], width: int, column: int) -> None:
    row = Row(width)
    for part in parts:
        row.put(part, limit=7).to(column).put_exact("一")
    assert cell_len(row.strip().text) == width


def test_what_does_not_fit_ends_in_an_ellipsis() -> None:
    assert Row(6).put("abcdefgh").strip().text == "abcde…"


def test_words_of_our_own_are_left_out_rather_than_cut() -> None:
    row = Row(8).put_phrase((Word("18 same"), Word(" of 24 trials", whole=True)), DARK)
    assert row.strip().text == "18 same "


def test_words_that_stand_together_whole_are_put_together_or_not_at_all() -> None:
    hint = (Word("near "), Word("x", whole=True), Word(" why not", whole=True))
    assert Row(14).put_phrase(hint, DARK).strip().text == "near x why not"
    assert Row(13).put_phrase(hint, DARK).strip().text == "near         "
