from tests.ui.render.looks import DARK, PLAIN
from vally_tui.diffs.model import LineKind
from vally_tui.triage.views_model import Tone
from vally_tui.ui.render.styles import Ground, grader_attributes


def test_the_attributes_alone_tell_eight_graders_apart() -> None:
    assert len({str(grader_attributes(number)) for number in range(1, 9)}) == 8


def test_from_grader_nine_on_the_styles_repeat() -> None:
    assert DARK.match(9) == DARK.match(1)
    assert DARK.hue(10) == DARK.hue(2)


def test_the_graders_colours_are_those_of_the_theme() -> None:
    assert DARK.match(2).bgcolor is not None
    assert DARK.match(2).bgcolor.name == "#5b3c8f"
    assert DARK.current(2).bgcolor is not None
    assert DARK.current(2).bgcolor.name == "#cbaeff"


def test_without_colour_no_style_has_one() -> None:
    styles = [PLAIN.ground(ground) for ground in Ground]
    styles += [PLAIN.text(tone) for tone in Tone]
    styles += [PLAIN.match(number) for number in range(1, 9)]
    styles += [PLAIN.current(1), PLAIN.near(1), PLAIN.broken, PLAIN.stale, PLAIN.tab_current, PLAIN.selection]
    styles += [style for kind in LineKind for style in PLAIN.line(kind)]
    assert all(style.color is None and style.bgcolor is None for style in styles)


def test_without_colour_what_is_current_is_reversed() -> None:
    assert PLAIN.current(1).reverse
    assert PLAIN.tab_current.reverse
    assert not PLAIN.match(1).reverse


def test_in_colour_nothing_is_reversed() -> None:
    assert not any(style.reverse for style in (DARK.current(1), DARK.tab_current, DARK.selection, DARK.find_current))


def test_a_near_match_has_no_background() -> None:
    assert DARK.near(1).bgcolor is None
    assert DARK.near(1).underline
    assert DARK.near(1).italic
