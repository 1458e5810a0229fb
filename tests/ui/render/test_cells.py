from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vally_tui.ui.render.cells import (
    Columns,
    Position,
    cells,
    cut,
    fit,
    front_cut,
    shorten_path,
    step_cells,
    wrap_cells,
    wrap_points,
    wrap_words,
)
from vally_tui.ui.render.inert import inert

lines = st.text(st.sampled_from("ab \t一二e\u0301\x1b🙂"), max_size=80)


@pytest.mark.parametrize(
    ("text", "width", "result"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("一二三", 6, "一二三"),
        ("一二三", 5, "一二…"),
        ("一二三", 4, "一…"),
        ("一", 1, "…"),
        ("abc", 0, ""),
        ("\x1b[0m", 3, "␛[…"),
    ],
)
def test_text_is_cut_at_a_cell_and_never_inside_a_wide_character(text: str, width: int, result: str) -> None:
    assert cut(text, width) == result


@given(lines, st.integers(0, 30))
def test_a_fitted_text_has_exactly_its_width(text: str, width: int) -> None:
    assert cells(fit(text, width)) == width


@pytest.mark.parametrize(
    ("path", "width", "result"),
    [
        ("src/calc.py", 20, "src/calc.py"),
        ("packages/server/src/routes/users.ts", 20, "packages/s…/users.ts"),
        ("a/b/very-long-file-name-indeed.py", 12, "a/b…ndeed.py"),
        ("目录/子目录/文件.py", 16, "目录/子…/文件.py"),
        ("x", 1, "x"),
        ("long", 2, "…"),
    ],
)
def test_a_path_is_shortened_in_its_middle(path: str, width: int, result: str) -> None:
    short = shorten_path(path, width)
    assert cells(short) <= width
    assert short == result


@given(st.text(st.sampled_from("ab/一🙂e\u0301\x07"), max_size=40), st.integers(0, 24))
def test_a_shortened_path_never_exceeds_its_width(path: str, width: int) -> None:
    assert cells(shorten_path(path, width)) <= width
    assert cells(front_cut(path, width)) <= width


def _naive_columns(text: str) -> list[int]:
    columns, at = [], 0
    for character in text:
        columns.append(at)
        at += step_cells(character, at)
    return [*columns, at]


@given(lines)
def test_a_character_stands_where_the_ones_before_it_end(text: str) -> None:
    columns = Columns(text, 0, len(text))
    assert [columns.column(index) for index in range(len(text) + 1)] == _naive_columns(text)


@given(lines, st.integers(0, 200))
def test_the_character_at_a_column_is_the_one_that_covers_it(text: str, column: int) -> None:
    position = Columns(text, 0, len(text)).at(column)
    naive = _naive_columns(text)
    covering = [i for i in range(len(text)) if naive[i] <= column < naive[i + 1]]
    assert position == (Position(covering[0], naive[covering[0]]) if covering else Position(len(text), naive[-1]))


@pytest.mark.parametrize("unit", ["x", "一", "a\t", "e\u0301"])
def test_checkpoints_of_a_long_line_agree_with_counting_it_all(unit: str) -> None:
    text = "before\n" + unit * 5_000 + "\nafter"
    start, end = 7, len(text) - 6
    columns, naive = Columns(text, start, end), _naive_columns(text[start:end])
    for index in (0, 1, 1023, 1024, 1025, 4096, end - start):
        assert columns.column(start + index) == naive[index]
    found = columns.at(4_000)
    assert naive[found.index - start] == found.column <= 4_000 < naive[found.index - start + 1]


def test_only_as_much_of_a_long_line_is_measured_as_is_asked_for() -> None:
    columns = Columns("一" * 1_000_000, 0, 1_000_000)
    columns.at(100)
    assert len(columns._columns) <= 2


def test_tabs_reach_to_the_next_multiple_of_eight_cells() -> None:
    assert _naive_columns("\ta\tbc") == [0, 8, 9, 16, 17, 18]


@pytest.mark.parametrize("text", ["一二三四", "1一二三四", "12一二三四五六", "abc一二三de"])
@pytest.mark.parametrize("width", [2, 3, 5, 7])
def test_a_wrapped_row_never_exceeds_its_width_nor_cuts_a_wide_character(text: str, width: int) -> None:
    points = [*wrap_points(text, 0, len(text), width), len(text)]
    rows = [text[a:b] for a, b in pairwise(points)]
    assert "".join(rows) == text
    assert all(cells(inert(row)) <= width for row in rows)


@given(lines, st.integers(1, 20))
def test_wrapping_covers_the_whole_line_in_order(text: str, width: int) -> None:
    points = wrap_points(text, 0, len(text), width)
    assert points == sorted(set(points))
    assert points[0] == 0
    assert all(point < max(len(text), 1) for point in points)


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("one two three", 7, ["one two", "three"]),
        ("one\ntwo", 10, ["one", "two"]),
        ("abcdefgh", 3, ["abc", "def", "gh"]),
        ("", 5, [""]),
        ("一二 三", 5, ["一二", "三"]),
    ],
)
def test_sentences_wrap_at_blanks_and_long_words_at_cells(text: str, width: int, rows: list[str]) -> None:
    assert wrap_words(text, width) == rows


def test_a_pattern_is_broken_at_cells_and_never_at_a_blank() -> None:
    assert wrap_cells("(?!\\+ ).*raise", 6, 4) == ["(?!\\+ ", ").*rai", "se"]
    assert wrap_cells("一二三四", 5, 2) == ["一二", "三四"]
    assert wrap_cells("abcdefgh", 3, 2) == ["abc", "de…"]
    assert wrap_cells("", 3, 2) == [""]
