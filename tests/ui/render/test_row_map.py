from hypothesis import given
from hypothesis import strategies as st

from vally_tui.ui.render.row_map import Fold, Notice, RowMap, Shown


def _all(made: RowMap) -> list[tuple[str, int, int]]:
    return [(row.shown.value, row.row, row.part) for row in map(made.at, range(made.height))]


def test_rows_are_screen_rows_where_nothing_is_special() -> None:
    made = RowMap(500_000)
    assert made.height == 500_000
    assert made.at(123_456).row == made.of(123_456) == 123_456


def test_an_empty_text_has_no_rows() -> None:
    assert RowMap(0).height == 0
    assert RowMap(0).of(0) == 0


def test_a_notice_stands_below_its_row() -> None:
    made = RowMap(3, [Notice(1, "odd")])
    assert _all(made) == [("line", 0, 0), ("line", 1, 0), ("notice", 1, 0), ("line", 2, 0)]
    assert made.of(2) == 3


def test_a_fold_is_one_row_and_stands_for_all_it_hides() -> None:
    made = RowMap(6, folds=[Fold(1, 4, "context")])
    assert _all(made) == [("line", 0, 0), ("fold", 1, 0), ("line", 5, 0)]
    assert [made.of(row) for row in range(6)] == [0, 1, 1, 1, 1, 2]
    assert made.fold_of(3) == Fold(1, 4, "context")
    assert made.fold_of(5) is None


def test_a_notice_of_a_folded_row_is_shown_behind_the_fold() -> None:
    made = RowMap(5, [Notice(2, "odd")], [Fold(1, 3, "context")])
    assert [row.shown for row in map(made.at, range(made.height))] == [
        Shown.LINE,
        Shown.FOLD,
        Shown.NOTICE,
        Shown.LINE,
    ]


def test_the_cursor_passes_a_fold_in_one_step() -> None:
    made = RowMap(6, folds=[Fold(1, 4, "context")])
    assert [made.step(0, 1), made.step(1, 1), made.step(5, -1), made.step(1, -1)] == [1, 5, 1, 0]
    assert made.step(5, 1) == 5
    assert made.step(0, -1) == 0


def test_a_wrapped_line_has_a_row_for_each_part() -> None:
    made = RowMap(3, [Notice(1, "odd")], heights=[1, 3, 1])
    assert _all(made) == [
        ("line", 0, 0),
        ("line", 1, 0),
        ("line", 1, 1),
        ("line", 1, 2),
        ("notice", 1, 0),
        ("line", 2, 0),
    ]
    assert [made.of(0), made.of(1), made.of(2)] == [0, 1, 5]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=30), st.data())
def test_every_row_that_is_not_folded_is_found_where_it_is_shown(heights: list[int], data: st.DataObject) -> None:
    count = len(heights)
    start = data.draw(st.integers(0, count - 1))
    folds = [Fold(start, data.draw(st.integers(1, count - start)), "context")]
    notices = [Notice(row, "odd") for row in sorted(data.draw(st.lists(st.integers(0, count - 1), max_size=4)))]
    made = RowMap(count, notices, folds, heights)
    shown = [made.at(row) for row in range(made.height)]
    lines = [(row.row, row.part) for row in shown if row.shown is Shown.LINE]
    hidden = range(start, start + folds[0].count)
    assert lines == [(row, part) for row in range(count) if row not in hidden for part in range(heights[row])]
    assert len([row for row in shown if row.shown is Shown.NOTICE]) == len(notices)
    for row in range(count):
        at = made.at(made.of(row))
        assert at.fold == folds[0] if row in hidden else (at.shown, at.row, at.part) == (Shown.LINE, row, 0)
