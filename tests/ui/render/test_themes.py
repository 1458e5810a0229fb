import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from vally_tui.ui.render.styles import Ground, Look
from vally_tui.ui.render.themes import THEMES, VALLY_DARK, own_variables, variable_defaults

GROUNDS = ("background", "surface", "panel", "boost")
TINTS = ("diff-add", "diff-remove")

USED = [
    *((text, ground) for text in ("foreground", "strong", "text-muted", "primary", "error", "warning", "success")
      for ground in GROUNDS),
    *((text, tint) for text in ("foreground", "error", "success", "syntax-keyword", "syntax-string", "syntax-comment")
      for tint in TINTS),
    *((text, "background") for text in ("syntax-keyword", "syntax-string", "syntax-comment")),
    *(("faint", ground) for ground in ("background", "surface", "panel")),
    *(("secondary", ground) for ground in ("surface", "panel", "boost")),
    *(("accent", ground) for ground in ("background", "panel", "edit-bg")),
    ("foreground", "edit-bg"),
    ("diff-hunk-text", "diff-hunk"),
    ("match-broken-text", "match-broken"),
    ("match-current-text", "primary"),
    *(("match-text", f"grader-{number}") for number in range(1, 9)),
    *(("match-current-text", f"grader-{number}-hue") for number in range(1, 9)),
    *((f"grader-{number}-hue", ground) for number in range(1, 9)
      for ground in ("background", "surface", "panel", "boost", *TINTS)),
]  # fmt: skip


def _luminance(colour: Color) -> float:
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(Color.parse(one)), _luminance(Color.parse(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _values(theme: Theme) -> dict[str, str]:
    return {**theme.to_color_system().generate(), **theme.variables}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(("text", "ground"), USED)
def test_text_can_be_read_on_every_ground_where_it_is_used(theme: Theme, text: str, ground: str) -> None:
    values = _values(theme)
    assert _contrast(values[text], values[ground]) >= 4.5


def test_boost_and_muted_text_are_the_themes_own_not_derived_ones() -> None:
    values = _values(VALLY_DARK)
    assert (values["boost"], values["text-muted"]) == ("#2C3848", "#98A4B4")


@pytest.mark.parametrize("theme", BUILTIN_THEMES.values(), ids=lambda theme: theme.name)
def test_every_theme_has_all_of_our_variables_and_makes_a_look(theme: Theme) -> None:
    defaults = variable_defaults(theme)
    assert defaults.keys() == own_variables(dark=True).keys()
    look = Look({**defaults, **_values(theme)}, dark=theme.dark)
    assert look.plain is theme.ansi
    if not theme.ansi:
        assert look.ground(Ground.BOOST) != look.ground(Ground.BACKGROUND)
