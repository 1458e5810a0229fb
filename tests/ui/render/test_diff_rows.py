import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from tests.ui.render.looks import DARK, PLAIN
from vally_tui.diffs.model import DiffLine, LineKind
from vally_tui.grading.model import Spans
from vally_tui.triage.views_model import GraderMark, Highlight, Layers, Tone
from vally_tui.ui.render.cells import Columns, wrap_points
from vally_tui.ui.render.diff_rows import (
    Geometry,
    RowState,
    diff_strip,
    fitting_marks,
    geometry_for,
    mark_text,
    marks_of_row,
)
from vally_tui.ui.render.styles import Ground, Look
from vally_tui.ui.render.syntax import tokens

GEOMETRY = Geometry(40)
TEXT_AT = 16
NOTHING = Layers()


def draw(
    text: str,
    layers: Layers = NOTHING,
    *,
    kind: LineKind = LineKind.ADDED,
    geometry: Geometry = GEOMETRY,
    state: RowState = RowState(),  # noqa: B008  (frozen)
    look: Look = DARK,
    start: int = 0,
) -> Strip:
    end = text.find("\n", start)
    line = DiffLine(0, start, len(text) if end < 0 else end, kind, None, 7)
    return diff_strip(text, line, Columns(text, start, line.end), layers, look, geometry, state)


def style_at(strip: Strip, column: int) -> Style:
    at = 0
    for segment in strip:
        at += segment.cell_length
        if column < at:
            assert segment.style is not None
            return segment.style
    raise AssertionError(column)


def one(number: int, *spans: tuple[int, int], broken: bool = False, stale: bool = False) -> Layers:
    return Layers((Highlight(number, Spans.of(*spans), broken, stale),))


def test_the_raw_line_is_drawn_from_its_sign_on_behind_gutter_and_numbers() -> None:
    assert draw("+new line").text == "             7  +new line               "


def test_the_sign_is_bold_and_the_line_tinted_to_the_edge() -> None:
    strip = draw("+new")
    assert style_at(strip, TEXT_AT).bold
    assert style_at(strip, TEXT_AT).bgcolor == style_at(strip, 39).bgcolor == DARK.ground(Ground.ADDED).bgcolor
    assert style_at(strip, 14).bgcolor == DARK.ground(Ground.BACKGROUND).bgcolor


def test_a_match_has_its_graders_look_and_its_number_in_the_gutter() -> None:
    strip = draw("+raise x", one(2, (1, 6)))
    assert strip.text.startswith(" 2 ")
    assert style_at(strip, TEXT_AT + 1) == DARK.line(LineKind.ADDED)[0] + DARK.line(LineKind.ADDED)[1] + DARK.match(2)
    assert style_at(strip, TEXT_AT + 6).bgcolor == DARK.ground(Ground.ADDED).bgcolor


def test_the_focused_grader_is_drawn_over_the_others_and_the_lowest_over_the_higher() -> None:
    both = (Highlight(1, Spans.of((1, 5))), Highlight(2, Spans.of((3, 8))))
    assert style_at(draw("+abcdefgh", Layers(both)), TEXT_AT + 4).bgcolor == DARK.match(1).bgcolor
    assert style_at(draw("+abcdefgh", Layers(both, focused=2)), TEXT_AT + 4).bgcolor == DARK.match(2).bgcolor


def test_a_match_takes_no_attribute_from_the_one_below_it() -> None:
    both = (Highlight(1, Spans.of((1, 5))), Highlight(4, Spans.of((1, 5))))
    style = style_at(draw("+abcdefgh", Layers(both, focused=1), look=PLAIN), TEXT_AT + 2)
    assert (style.underline, style.bold, style.italic) == (True, False, False)


def test_the_current_match_stands_out_and_is_reversed_without_colour() -> None:
    layers = Layers((Highlight(1, Spans.of((1, 3), (4, 6))),), focused=1, current=(4, 6))
    assert style_at(draw("+abcdef", layers), TEXT_AT + 4).bgcolor == DARK.current(1).bgcolor
    assert style_at(draw("+abcdef", layers), TEXT_AT + 1).bgcolor == DARK.match(1).bgcolor
    assert style_at(draw("+abcdef", layers, look=PLAIN), TEXT_AT + 4).reverse
    assert not style_at(draw("+abcdef", layers, look=PLAIN), TEXT_AT + 1).reverse


def test_a_match_that_breaks_a_restraint_has_the_failing_look() -> None:
    strip = draw("+API_KEY = 1", one(1, (1, 10), broken=True))
    assert strip.text.startswith(" 1✘ ")
    assert style_at(strip, TEXT_AT + 1).bgcolor == DARK.broken.bgcolor


def test_a_match_of_the_last_valid_pattern_is_dimmed() -> None:
    assert style_at(draw("+abc", one(1, (1, 3), stale=True)), TEXT_AT + 1).bgcolor == DARK.ground(Ground.PANEL).bgcolor


def test_a_near_match_has_no_background_and_a_tilde_in_the_gutter() -> None:
    strip = draw("+raise", Layers(near=(Highlight(1, Spans.of((1, 4))),)))
    assert strip.text.startswith(" ~1 ")
    assert style_at(strip, TEXT_AT + 1).bgcolor == DARK.ground(Ground.ADDED).bgcolor
    assert style_at(strip, TEXT_AT + 1).italic


@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_match_of_no_length_has_a_caret_in_the_gutter_and_underlines_the_next_cell(at: int) -> None:
    strip = draw("+abc", one(1, (at, at)))
    assert strip.text.startswith(" 1‸ ")
    assert style_at(strip, TEXT_AT + at).underline
    assert not style_at(strip, TEXT_AT + at + 1).underline


def test_a_match_over_several_lines_is_drawn_on_each_with_its_number_on_the_first() -> None:
    text = "+ab\n+cd\n+ef"
    layers = one(1, (2, 9))
    first, second = draw(text, layers), draw(text, layers, start=4)
    assert first.text.startswith(" 1 ")
    assert second.text.startswith("   ")
    assert style_at(first, TEXT_AT + 2).bgcolor == style_at(second, TEXT_AT).bgcolor == DARK.match(1).bgcolor


def test_a_matched_newline_is_a_cell_behind_the_line() -> None:
    strip = draw("+ab\n+cd", one(1, (3, 4)))
    assert strip.text.startswith(" 1 ")
    assert style_at(strip, TEXT_AT + 3).bgcolor == DARK.match(1).bgcolor
    assert style_at(strip, TEXT_AT + 4).bgcolor == DARK.ground(Ground.ADDED).bgcolor


def test_marked_text_lies_over_everything() -> None:
    strip = draw("+abc", one(1, (1, 3)), state=RowState(selection=(1, 3)))
    assert style_at(strip, TEXT_AT + 1).bgcolor == DARK.selection.bgcolor


def test_finds_lie_over_matches() -> None:
    layers = Layers((Highlight(1, Spans.of((1, 3))),), finds=Spans.of((2, 4)), find=(2, 4))
    assert style_at(draw("+abcd", layers), TEXT_AT + 2).bgcolor == DARK.find_current.bgcolor


def test_code_has_its_colour_in_the_foreground_below_matches() -> None:
    state = RowState(tokens=tokens("python", "return 1"))
    strip = draw("+return 1", one(1, (1, 4)), state=state)
    assert style_at(strip, TEXT_AT + 5).color != style_at(strip, TEXT_AT + 8).color
    assert style_at(strip, TEXT_AT + 1).color == DARK.match(1).color


def test_the_cursor_has_a_bar_and_leaves_the_lines_tint() -> None:
    strip = draw("+abc", state=RowState(cursor=True, active=True))
    assert strip.text.startswith("▌")
    assert style_at(strip, 3).bgcolor == DARK.ground(Ground.BOOST).bgcolor
    assert style_at(strip, TEXT_AT).bgcolor == DARK.ground(Ground.ADDED).bgcolor
    assert style_at(draw("+a", state=RowState(cursor=True)), 3).bgcolor == DARK.ground(Ground.PANEL).bgcolor


def test_a_line_number_on_boost_is_not_darker_than_muted() -> None:
    strip = draw("+abc", state=RowState(cursor=True, active=True))
    assert style_at(strip, 13).color == DARK.text(Tone.MUTED).color


def test_scrolled_sideways_a_cut_wide_character_is_blank() -> None:
    strip = draw("+一二三", geometry=Geometry(22, scroll=2))
    assert strip.text[TEXT_AT:] == " 二三 "


def test_a_wide_character_is_not_cut_at_the_right_edge() -> None:
    assert draw("+a一二三", geometry=Geometry(22)).text[TEXT_AT:] == "+a一二"
    assert draw("+一二三", geometry=Geometry(22)).text[TEXT_AT:] == "+一二 "


def test_tabs_are_drawn_as_blanks_up_to_the_next_stop() -> None:
    assert draw("+\tx").text[TEXT_AT:].rstrip() == "+       x"


def test_a_match_behind_a_tab_stands_where_its_text_does() -> None:
    strip = draw("+\tx", one(1, (2, 3)))
    assert style_at(strip, TEXT_AT + 8).underline
    assert not style_at(strip, TEXT_AT + 7).underline


def test_each_part_of_a_wrapped_line_is_one_row_and_only_the_first_has_a_number() -> None:
    text = "+" + "x" * 30
    points = wrap_points(text, 0, len(text), GEOMETRY.text_width)
    rows = [draw(text, state=RowState(part=part)) for part in zip(points, [*points[1:], len(text)], strict=True)]
    assert [row.text[TEXT_AT:].strip() for row in rows] == ["+" + "x" * 23, "x" * 7]
    assert [row.text[13] for row in rows] == ["7", " "]


def test_a_line_of_five_million_characters_is_cut_out_of_its_middle() -> None:
    text = "+" + "x" * 5_000_000 + "END"
    strip = draw(text, one(1, (5_000_001, 5_000_004)), geometry=Geometry(40, scroll=4_999_990))
    assert strip.text[TEXT_AT:] == "x" * 11 + "END" + " " * 10


@given(
    st.text(st.characters(exclude_characters="\n"), max_size=120),
    st.integers(0, 60),
    st.integers(0, 140),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9)), max_size=5),
    st.sampled_from(LineKind),
)
def test_every_row_has_exactly_its_width_and_nothing_a_terminal_obeys(
    text: str, width: int, scroll: int, raw: list[tuple[int, int]], kind: LineKind
) -> None:
    pairs: list[tuple[int, int]] = []
    for start, length in sorted(raw):
        if not pairs or start >= pairs[-1][1]:
            pairs.append((start, start + length))
    layers = Layers((Highlight(1, Spans.of(*pairs)),), focused=1, current=pairs[0] if pairs else None)
    strip = draw(text, layers, kind=kind, geometry=Geometry(width, scroll=scroll))
    assert cell_len(strip.text) == width
    assert not [c for c in strip.text if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000]


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (GraderMark(2), "2"),
        (GraderMark(1, near=True), "~1"),
        (GraderMark(1, broken=True), "1✘"),
        (GraderMark(1, empty=True), "1‸"),
        (GraderMark(12), "12"),
    ],
)
def test_how_a_grader_is_named_in_the_gutter(mark: GraderMark, text: str) -> None:
    assert mark_text(mark) == text


def _gutter(marks: list[GraderMark], width: int, focused: int | None = None) -> str:
    kept, more = fitting_marks(marks, width, focused)
    return "".join(map(mark_text, kept)) + "+" * more


def test_what_does_not_fit_in_the_gutter_is_a_plus_with_the_focused_grader_first() -> None:
    marks = [GraderMark(number) for number in (1, 2, 3, 4)]
    assert _gutter(marks[:3], 3) == "123"
    assert _gutter(marks, 3) == "12+"
    assert _gutter(marks, 3, focused=4) == "41+"
    assert _gutter([GraderMark(3), GraderMark(1, near=True)], 3) == "3~1"
    assert _gutter(marks, 1) == "+"
    assert _gutter(marks[:1], 1) == "1"


def test_marks_are_of_matches_that_begin_in_the_row_lowest_number_first_then_near_ones() -> None:
    line = DiffLine(1, 10, 20, LineKind.CONTEXT)
    layers = Layers(
        (
            Highlight(1, Spans.of((5, 12))),
            Highlight(2, Spans.of((0, 1), (20, 21))),
            Highlight(3, Spans.of((12, 12))),
            Highlight(4, Spans.of((21, 22))),
        ),
        near=(Highlight(1, Spans.of((11, 12))),),
    )
    assert marks_of_row(line, layers) == [GraderMark(2), GraderMark(3, empty=True), GraderMark(1, near=True)]


@pytest.mark.parametrize(
    ("screen", "digits", "text_column", "columns"),
    [(120, 2, 16, 2), (120, 6, 20, 2), (80, 2, 14, 2), (60, 2, 10, 1), (40, 2, 3, 0), (120, 11, 22, 2)],
)
def test_numbers_take_less_room_on_narrow_screens(screen: int, digits: int, text_column: int, columns: int) -> None:
    geometry = geometry_for(screen, screen, digits)
    assert (geometry.text, geometry.columns) == (text_column, columns)
