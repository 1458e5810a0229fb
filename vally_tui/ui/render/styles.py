"""From theme variables to Rich styles: the one place that knows how a tone, a ground or a match looks.

A ``Look`` is made once for each theme. In plain looks (``NO_COLOR``, themes in the terminal's own colours) no
background is set: the current match and the current tab are reversed, everything else differs by sign and attribute.
"""

# ruff: noqa: B019  (a cache may hold its look: there is one for each theme, and it is dropped with the widget's)

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property, lru_cache

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color, ColorParseError

from vally_tui.diffs.model import LineKind
from vally_tui.triage.views_model import Tone
from vally_tui.ui.render.themes import GRADER_STYLES, own_variables


class Ground(StrEnum):
    """What lies below text; the values are theme variables."""

    BACKGROUND = "background"
    SURFACE = "surface"
    PANEL = "panel"
    BOOST = "boost"
    ADDED = "diff-add"
    REMOVED = "diff-remove"
    HUNK = "diff-hunk"
    EDIT = "edit-bg"


class Ink(StrEnum):
    """Colours of text beyond the tones; the values are theme variables."""

    FAINT = "faint"
    RULE = "rule"
    SECONDARY = "secondary"
    HUNK = "diff-hunk-text"
    KEYWORD = "syntax-keyword"
    STRING = "syntax-string"
    COMMENT = "syntax-comment"


_TONES = {
    Tone.PLAIN: "foreground",
    Tone.STRONG: "strong",
    Tone.MUTED: "text-muted",
    Tone.PASS: "success",
    Tone.FAIL: "error",
    Tone.WARN: "warning",
    Tone.EDIT: "accent",
    Tone.KEY: "primary",
}

_BOLD_TONES = frozenset({Tone.STRONG, Tone.KEY})

_WEIGHTS = tuple(Style(bold=bold, italic=italic) for italic in (False, True) for bold in (False, True))

_LINE_GROUNDS = {
    LineKind.ADDED: Ground.ADDED,
    LineKind.REMOVED: Ground.REMOVED,
    LineKind.HUNK_HEADER: Ground.HUNK,
    LineKind.SECTION: Ground.HUNK,
}


_MUTED = 0.65
"""How much of the foreground a theme's muted text has where the theme does not say."""
_SEEN = 0.05
"""The least difference in brightness (0 to 1) with which one ground is told from another."""
_TINT = 0.25


def grader_attributes(number: int) -> Style:
    """The attributes that tell a grader's matches from the others' without colour: 8 ways, then again.

    Each attribute is set or unset, so that a match drawn over another one takes nothing from it.
    """
    slot = (number - 1) % GRADER_STYLES
    return Style(underline=slot < 4, underline2=slot >= 4) + _WEIGHTS[slot % 4]


def _slot(number: int) -> int:
    return (number - 1) % GRADER_STYLES + 1


class Look:
    """All styles of one theme."""

    def __init__(self, variables: Mapping[str, str], *, dark: bool = True, colours: bool = True) -> None:
        """``variables``: the theme's, as the app has them; ``colours`` False: attributes only."""
        self._variables = {**own_variables(dark=dark), **variables}
        self._colours = colours
        self.plain = not colours or self._variables.get("background", "").startswith("ansi_")
        """Whether no background is set."""
        self._base = self._parse("background") or Color.parse("#000000" if dark else "#ffffff")
        self.line_number = self.ink(Ink.FAINT)
        self.rule = self.ink(Ink.RULE)
        self.cursor_bar = self.text(Tone.KEY)

    def _parse(self, name: str) -> Color | None:
        """The colour of a variable; None where it is none, such as ``auto 60%``."""
        value = self._variables.get(name, "")
        if value.startswith("ansi_"):
            value = value.split()[0]  # "ansi_default 50%": a terminal's own colour has no shades
        try:
            return Color.parse(value)
        except ColorParseError:
            return None

    def _flat(self, name: str) -> RichColor:
        """A variable as an opaque colour over the background."""
        colour = self._parse(name)
        if colour is None:
            colour = (self._parse("foreground") or Color.parse("#808080")).with_alpha(_MUTED)
        if colour.ansi is not None:
            return colour.rich_color
        return (self._base + colour).rich_color

    def _boost(self) -> RichColor:
        """The cursor's ground; tinted with the focus colour in themes whose own can hardly be seen."""
        boost, primary = self._parse("boost"), self._parse("primary")
        flat = self._base + boost if boost is not None else self._base
        if primary is None or abs(flat.brightness - self._base.brightness) >= _SEEN:
            return flat.rich_color
        return (self._base + primary.with_alpha(_TINT)).rich_color

    def _foreground(self, name: str) -> Style:
        return Style(color=self._flat(name)) if self._colours else Style()

    def _background(self, name: str) -> Style:
        if self.plain:
            return Style()
        return Style(bgcolor=self._boost() if name == Ground.BOOST else self._flat(name))

    @lru_cache(maxsize=16)
    def ground(self, ground: Ground) -> Style:
        """A background; nothing in plain looks."""
        return self._background(ground.value)

    @lru_cache(maxsize=16)
    def ink(self, ink: Ink) -> Style:
        """The colour of text of a special kind, without a background."""
        return self._foreground(ink.value)

    @lru_cache(maxsize=64)
    def text(self, tone: Tone, *, bold: bool = False, number: int = 1) -> Style:
        """Text of a tone, without a background but for the tones of matches, which are those of grader ``number``."""
        if tone is Tone.NEAR:
            return self.near(number)
        if tone is Tone.MATCH:
            return self.match(number)
        if tone is Tone.BROKEN:
            return self.broken
        style = self._foreground(_TONES[tone])
        return style + Style(bold=True) if bold or tone in _BOLD_TONES else style

    @lru_cache(maxsize=16)
    def line(self, kind: LineKind) -> tuple[Style, Style]:
        """A diff line of a kind: its ground and its text."""
        ground = self.ground(_LINE_GROUNDS.get(kind, Ground.BACKGROUND))
        if kind in (LineKind.HUNK_HEADER, LineKind.SECTION):
            return ground, self.ink(Ink.HUNK)
        if kind is LineKind.MARKER:
            return ground, self.text(Tone.MUTED) + Style(italic=True)
        if kind in (LineKind.HEADER, LineKind.BINARY, LineKind.OTHER):
            return ground, self.text(Tone.MUTED)
        return ground, self.text(Tone.PLAIN)

    @lru_cache(maxsize=4)
    def sign(self, kind: LineKind) -> Style:
        """The sign column of an added or removed line."""
        tone = Tone.PASS if kind is LineKind.ADDED else Tone.FAIL
        return self.text(tone, bold=True)

    @lru_cache(maxsize=32)
    def hue(self, number: int) -> Style:
        """A grader's colour as text."""
        return self._foreground(f"grader-{_slot(number)}-hue")

    @lru_cache(maxsize=32)
    def badge(self, number: int) -> Style:
        """A grader's number on its own ground."""
        return self._background(f"grader-{_slot(number)}") + self._foreground("match-text") + Style(bold=True)

    @lru_cache(maxsize=32)
    def match(self, number: int) -> Style:
        """A match of a grader."""
        ink = self.hue(number) if self.plain else self._foreground("match-text")
        return self._background(f"grader-{_slot(number)}") + ink + grader_attributes(number)

    @lru_cache(maxsize=32)
    def current(self, number: int) -> Style:
        """The current match of a grader."""
        if self.plain:
            return self.hue(number) + Style(reverse=True) + grader_attributes(number)
        hue = self._flat(f"grader-{_slot(number)}-hue")
        return Style(bgcolor=hue) + self._foreground("match-current-text") + grader_attributes(number)

    @lru_cache(maxsize=32)
    def near(self, number: int) -> Style:
        """Text that nearly matched."""
        return self.hue(number) + Style(underline=True, italic=True, bold=False)

    @lru_cache(maxsize=32)
    def empty(self, number: int) -> Style:
        """The cell behind a match of no length."""
        return self.hue(number) + Style(underline=True)

    @cached_property
    def broken(self) -> Style:
        """A match that breaks a restraint."""
        ink = self._foreground("match-broken-text")
        return self._background("match-broken") + ink + Style(bold=True, underline=True)

    @cached_property
    def stale(self) -> Style:
        """A match of the last valid pattern."""
        return self.ground(Ground.PANEL) + self.text(Tone.MUTED) + Style(underline=True, bold=False)

    @cached_property
    def find(self) -> Style:
        """What a search in the pane found."""
        return self.ground(Ground.BOOST) + self.text(Tone.STRONG)

    @cached_property
    def find_current(self) -> Style:
        """The current find."""
        return self.tab_current

    @cached_property
    def tab_current(self) -> Style:
        """The current turn tab."""
        if self.plain:
            return Style(bold=True, reverse=True)
        return Style(bgcolor=self._flat("primary"), bold=True) + self._foreground("match-current-text")

    @cached_property
    def selection(self) -> Style:
        """Text marked with the mouse."""
        return Style(reverse=True) if self.plain else self.ground(Ground.BOOST) + self.text(Tone.PLAIN)
