"""The first row of the screen: run, tallies, spec, unsaved edits. Drops what matters least where room is lacking."""

from __future__ import annotations

import re

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from vally_tui.triage.views_model import Mark, Phrase, Position, Tally, TitleView, Tone, Word
from vally_tui.ui.render.cells import cells, front_cut, shorten_path
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row, phrase_cells
from vally_tui.ui.render.signs import LOOK, SIGNS, TONES, UNSAVED, WORDS
from vally_tui.ui.render.styles import Ground, Look
from vally_tui.ui.widgets.themed import Themed

LEAST_RUN = 24
"""Cells that a run's name keeps before anything else is left out for it."""

_TIMESTAMP = re.compile(r"(\d{4}-)(\d\d-\d\dT\d\d-\d\d)(-\d\d)(-\d{3}Z)")

_DIFFERS = ("differs from the record", "differs")
"""What is said behind the name of a spec, as long as nothing else has to go for it."""
_SPEC_DIFFERS = "spec differs"
"""The same where there is no room for the name."""


class TitleLine(Themed):
    """The title row of the screen."""

    DEFAULT_CSS = "TitleLine { height: 1; }"
    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.view = TitleView("")

    def show(self, view: TitleView) -> None:
        """Shows another title."""
        if view != self.view:
            self.view = view
            self.refresh()

    def draw_row(self, y: int, width: int) -> Strip:
        """The title."""
        return title_line_strip(self.view, width, self.look)


class _Parts(Struct, frozen=True):
    """One way to say it all."""

    run: str
    left: tuple[Phrase, ...]
    right: tuple[Phrase, ...]
    gap: int


def title_line_strip(view: TitleView, width: int, look: Look) -> Strip:
    """The title row: the richest of the ways to say it that fits."""
    ways = _ways(view, width)
    parts = next((way for way in ways if _needed(way) <= width), ways[-1])
    ground = look.ground(Ground.PANEL)
    row = Row(width, ground).put(" ")
    right = _right_cells(parts)
    room = width - 2 - right - sum(parts.gap + phrase_cells(phrase) for phrase in parts.left)
    row.put(front_cut(parts.run, max(room, 8)), look.text(Tone.STRONG))
    for phrase in parts.left:
        row.put(" " * parts.gap).put_phrase(phrase, look)
    if right:
        row.to(width - 1 - right)
        for index, phrase in enumerate(parts.right):
            row.put("  " if index else "", Style()).put_phrase(phrase, look)
    return row.strip()


def _right_cells(parts: _Parts) -> int:
    return sum(map(phrase_cells, parts.right)) + 2 * max(len(parts.right) - 1, 0)


def _needed(parts: _Parts) -> int:
    left = min(cells(inert(parts.run)), LEAST_RUN) + sum(parts.gap + phrase_cells(phrase) for phrase in parts.left)
    return 2 + left + (2 + _right_cells(parts) if parts.right else 0)


def _ways(view: TitleView, width: int) -> list[_Parts]:
    """From the richest to the barest; on narrow screens the rich ones are not tried."""
    runs = run_names(view.run)
    full, short = _tallies(view.tallies, words=True), _tallies(view.tallies, words=False)
    reading, total, notices = _reading(view), _total(view), _notices(view)
    fewer = [notices[:count] for count in range(len(notices), 0, -1)] or [()]
    spec = ((Word(shorten_path(view.spec, max(width // 3, 12))),),) if view.spec else ()
    file = ((Word(shorten_path(view.spec.rpartition("/")[2], 24)),),) if view.spec else ()
    differs = [_phrase(words) for words in _DIFFERS if view.spec_differs]
    told = [spec + words for words in differs]
    told_shortly = [file + words for words in differs[-1:]]
    unsaved, mark = _unsaved(view, words=True), _unsaved(view, words=False)
    place = (_position(view.place),) if view.place else ()
    wide, middle = [], []
    for left in (full + reading + total + notices, full + reading + notices):
        wide += [_Parts(runs[0], left, right + unsaved, 3) for right in told]
        wide += [_Parts(runs[1], left, right + unsaved, 2) for right in told_shortly]
        wide.append(_Parts(runs[0], left, spec + unsaved, 3))
    for left in (full + reading + some for some in fewer):
        wide += [_Parts(runs[1], left, right + unsaved, 2) for right in (*told_shortly, spec, file)]
    for left in (full + reading + some for some in (*fewer, ())):
        middle += [_Parts(runs[1], left, _phrase(_SPEC_DIFFERS) + mark + place, 2)] if differs else []
        middle.append(_Parts(runs[1], left, mark + place, 2))
    narrow = [
        _Parts(runs[2], short + reading, mark + place, 2),
        _Parts(runs[2], short, mark + place, 2),
        _Parts(runs[2], short, mark + place, 1),
        _Parts(runs[2], short, mark, 1),
    ]
    return (wide if width >= 100 else []) + (middle if width > 60 else []) + narrow


def run_names(run: str) -> tuple[str, str, str]:
    """A run's name in three lengths; a time stamp loses its milliseconds, then its year and seconds."""
    match = _TIMESTAMP.fullmatch(run)
    if match is None:
        return run, run, run
    return run, run[:-5], match[2]


def _tallies(tallies: tuple[Tally, ...], *, words: bool) -> tuple[Phrase, ...]:
    return tuple(_tally(tally, words=words) for tally in tallies if tally.count)


def _tally(tally: Tally, *, words: bool) -> Phrase:
    """``✘ 8 failed``: what failed is loud, what passed has only its sign in colour."""
    tone = TONES[tally.mark]
    bold = tally.mark in (Mark.FAIL, Mark.ERROR)
    noun = "errors" if tally.mark is Mark.ERROR and tally.count != 1 else WORDS[tally.mark]
    text = f" {tally.count:,}" + (f" {noun}" if words else "")
    said = Tone.PLAIN if tally.mark is Mark.PASS else tone
    return (Word(SIGNS[tally.mark], tone, bold), Word(text, said, bold))


def _position(place: Position) -> Phrase:
    """``✘ 1 of 8``."""
    tone = TONES[place.mark]
    return (Word(f"{SIGNS[place.mark]} {place.number:,} of {place.of:,}", tone, bold=place.mark is Mark.FAIL),)


def _reading(view: TitleView) -> tuple[Phrase, ...]:
    if not view.progress:
        return ()
    said: Phrase = (Word("… ", Tone.KEY), Word(view.progress))
    return (said, (Word(view.progress_note, Tone.MUTED),)) if view.progress_note else (said,)


def _total(view: TitleView) -> tuple[Phrase, ...]:
    if view.total is None or view.progress_note:
        # While the run is read, the note says how many there are so far.
        return ()
    if not view.total and not view.progress:
        return ((Word("no trials", Tone.WARN),),)
    noun = "trial" if view.total == 1 else "trials"
    return ((Word(f"of {view.total:,} {noun}", Tone.MUTED),),)


def _notices(view: TitleView) -> tuple[Phrase, ...]:
    return tuple((Word(f"{LOOK} {text}", Tone.WARN),) for text in view.notices)


def _phrase(words: str) -> tuple[Phrase, ...]:
    """Quiet words that stand for themselves."""
    return ((Word(words, Tone.MUTED),),)


def _unsaved(view: TitleView, *, words: bool) -> tuple[Phrase, ...]:
    if not view.unsaved:
        return ()
    return ((Word(f"{UNSAVED} {view.unsaved} unsaved" if words else UNSAVED, Tone.EDIT, bold=True),),)
