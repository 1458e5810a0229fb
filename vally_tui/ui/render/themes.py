"""The two themes of the program, and fallbacks of its own variables for every other theme. Colours only, no styles.

All text has a contrast of at least 4.5:1 on each background where it is used; the tests measure it.
"""

from __future__ import annotations

from msgspec import Struct
from textual.color import Color
from textual.theme import Theme

_RULE = 0.3
_FAINT = 0.65
"""How far lines and quiet text of other themes are from their background towards their text."""

GRADER_STYLES = 8
"""From grader 9 on the styles repeat; the digit in the gutter decides."""


class _Pair(Struct, frozen=True):
    """One role in the dark and in the light theme."""

    dark: str
    light: str


_ROLES = {
    "background": _Pair("#12161D", "#FDFDFB"),
    "surface": _Pair("#181D26", "#F4F5F3"),
    "panel": _Pair("#202733", "#E9ECEE"),
    "boost": _Pair("#2C3848", "#D8E5F5"),
    "foreground": _Pair("#D7DEE8", "#1F2731"),
    "primary": _Pair("#7DB8FF", "#0B5CAD"),
    "secondary": _Pair("#9DB2CC", "#48607A"),
    "accent": _Pair("#E6A6F2", "#8F2587"),
    "success": _Pair("#5FD0BE", "#00665E"),
    "error": _Pair("#FF8A78", "#A8123A"),
    "warning": _Pair("#EBBA5A", "#785800"),
    "text-muted": _Pair("#98A4B4", "#545F6B"),
}

_OWN = {
    "strong": _Pair("#F3F6FA", "#0B1016"),
    "faint": _Pair("#828EA0", "#5C6773"),
    "rule": _Pair("#3A4556", "#BFC7CF"),
    "edit-bg": _Pair("#33203C", "#F6E4F4"),
    "diff-add": _Pair("#0D3439", "#D3F0F1"),
    "diff-remove": _Pair("#3F241C", "#FCE4D4"),
    "diff-hunk": _Pair("#1B2330", "#EDF1F6"),
    "diff-hunk-text": _Pair("#8FB0DC", "#2F5A8F"),
    "syntax-keyword": _Pair("#B7A5E3", "#5B3FA0"),
    "syntax-string": _Pair("#CDBB8C", "#6E5500"),
    "syntax-comment": _Pair("#8C98A8", "#56616D"),
    "match-text": _Pair("#FFFFFF", "#14181D"),
    "match-current-text": _Pair("#10141A", "#FFFFFF"),
    "match-broken": _Pair("#96302C", "#A8123A"),
    "match-broken-text": _Pair("#FFFFFF", "#FFFFFF"),
    "grader-1": _Pair("#1F4F88", "#AFD3FF"),
    "grader-2": _Pair("#5B3C8F", "#D9C6FF"),
    "grader-3": _Pair("#87306A", "#FFBFDC"),
    "grader-4": _Pair("#665013", "#F8CB52"),
    "grader-5": _Pair("#46586E", "#C6D2DE"),
    "grader-6": _Pair("#4F6118", "#C8D966"),
    "grader-7": _Pair("#0B676B", "#86D9DB"),
    "grader-8": _Pair("#7B4728", "#F3C7A4"),
    "grader-1-hue": _Pair("#8CC0FF", "#0B5CAD"),
    "grader-2-hue": _Pair("#CBAEFF", "#6A3FA6"),
    "grader-3-hue": _Pair("#FF9CCB", "#9C2468"),
    "grader-4-hue": _Pair("#F0C24F", "#7A5B00"),
    "grader-5-hue": _Pair("#B3C4D6", "#3D5468"),
    "grader-6-hue": _Pair("#C3D45E", "#525E0A"),
    "grader-7-hue": _Pair("#5FD3D3", "#00666A"),
    "grader-8-hue": _Pair("#F0A878", "#87481A"),
}

_ANSI = {
    "strong": "ansi_default",
    "faint": "ansi_default",
    "rule": "ansi_bright_black",
    "diff-hunk-text": "ansi_cyan",
    "syntax-keyword": "ansi_default",
    "syntax-string": "ansi_default",
    "syntax-comment": "ansi_default",
    "match-text": "ansi_default",
    "match-current-text": "ansi_default",
    "match-broken-text": "ansi_red",
    "grader-1-hue": "ansi_blue",
    "grader-2-hue": "ansi_magenta",
    "grader-3-hue": "ansi_red",
    "grader-4-hue": "ansi_yellow",
    "grader-5-hue": "ansi_default",
    "grader-6-hue": "ansi_green",
    "grader-7-hue": "ansi_cyan",
    "grader-8-hue": "ansi_yellow",
}
"""For themes in the terminal's own colours; every background is the terminal's."""


def _side(pairs: dict[str, _Pair], dark: bool) -> dict[str, str]:
    return {name: pair.dark if dark else pair.light for name, pair in pairs.items()}


def own_variables(*, dark: bool, ansi: bool = False) -> dict[str, str]:
    """Our own variables as the dark or the light theme has them."""
    if ansi:
        return {name: _ANSI.get(name, "ansi_default") for name in _OWN}
    return _side(_OWN, dark)


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Our own CSS variables for a theme that does not define them; for ``App.get_theme_variable_defaults``.

    Lines and quiet text lie between the theme's own text and background.
    """
    own = own_variables(dark=theme.dark, ansi=theme.ansi)
    if theme.ansi:
        return own
    made = theme.to_color_system().generate()
    text, ground = Color.parse(made["foreground"]), Color.parse(made["background"])
    return own | {"rule": ground.blend(text, _RULE).hex, "faint": ground.blend(text, _FAINT).hex}


def _theme(name: str, *, dark: bool) -> Theme:
    roles, own = _side(_ROLES, dark), _side(_OWN, dark)
    # Textual drops boost= where panel= is given and derives text-muted; as variables both stand.
    variables = own | {
        "boost": roles["boost"],
        "text-muted": roles["text-muted"],
        "input-cursor-background": roles["accent"],
        "input-selection-background": roles["boost"],
        "screen-selection-background": roles["boost"],
        "screen-selection-foreground": own["strong"],
        "block-cursor-background": roles["boost"],
        "block-cursor-foreground": own["strong"],
        "border": roles["primary"],
        "footer-key-foreground": roles["primary"],
        "scrollbar": own["rule"],
    }
    return Theme(
        name=name,
        primary=roles["primary"],
        secondary=roles["secondary"],
        warning=roles["warning"],
        error=roles["error"],
        success=roles["success"],
        accent=roles["accent"],
        foreground=roles["foreground"],
        background=roles["background"],
        surface=roles["surface"],
        panel=roles["panel"],
        dark=dark,
        variables=variables,
    )


VALLY_DARK = _theme("vally-dark", dark=True)
VALLY_LIGHT = _theme("vally-light", dark=False)
THEMES = (VALLY_DARK, VALLY_LIGHT)
