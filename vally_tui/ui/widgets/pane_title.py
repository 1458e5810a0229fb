"""The one-row title of a pane: ``─ Name  info ───── right ─``; heavy and in the focus colour while the pane is active."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from vally_tui.triage.views_model import Mark, Note, PaneTitleView, Tone, TurnTab
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, cut, shorten_path
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.signs import MINUS, SIGNS, TONES
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.widgets.layout import ONE_COLUMN
from vally_tui.ui.widgets.themed import Themed

LEAST_RULE = 2


class PaneTitle(Themed):
    """A pane's title row."""

    DEFAULT_CSS = "PaneTitle { height: 1; }"
    ALLOW_SELECT = False

    class TabChosen(Message):
        """A turn tab was clicked."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key
            """``TurnTab.key``."""

    def __init__(self, name: str, ground: Ground, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.view = PaneTitleView(name)
        self.extra: tuple[Note, ...] = ()
        """Notes at the right that the pane itself adds."""
        self.active = False
        self._ground = ground

    def show(self, view: PaneTitleView) -> None:
        """Shows another title."""
        if view != self.view:
            self.view = view
            self.refresh()

    def set_extra(self, extra: tuple[Note, ...]) -> None:
        """Says what the pane itself adds at the right."""
        if extra != self.extra:
            self.extra = extra
            self.refresh()

    def set_active(self, active: bool) -> None:
        """Says whether the pane has the focus."""
        self.active = active
        self.refresh()

    def draw_row(self, y: int, width: int) -> Strip:
        """The title."""
        tabs = fitting_tabs(self.view.tabs, width, counts=self._counts)
        return title_strip(self.view, self.extra, tabs, width, self.look, self._ground, active=self.active)

    @property
    def _counts(self) -> bool:
        """Whether the current tab says how much was added and removed."""
        return self.app.size.width >= ONE_COLUMN

    def on_click(self, event: events.Click) -> None:
        """A click on a tab opens it."""
        tabs = fitting_tabs(self.view.tabs, self.size.width, counts=self._counts)
        column = self.size.width - 1 - sum(cells(text) for _, text in tabs)
        for tab, text in tabs:
            if column <= event.x < column + cells(text):
                self.post_message(self.TabChosen(tab.key))
            column += cells(text)


def title_strip(
    view: PaneTitleView,
    extra: Sequence[Note],
    tabs: Sequence[tuple[TurnTab, str]],
    width: int,
    look: Look,
    ground: Ground,
    *,
    active: bool,
) -> Strip:
    """The title row; notes are dropped whole, highest rank first, until what is left fits."""
    rule, line = (look.text(Tone.KEY) + Style(bold=False), "━") if active else (look.ink(Ink.RULE), "─")
    tab_cells = sum(cells(text) for _, text in tabs)
    notes, right = _dropped(view, [] if tabs else [*view.right, *extra], width - tab_cells)
    row = Row(width, look.ground(ground)).put(line, rule).put(" ")
    row.put(view.name, look.text(Tone.KEY if active else Tone.STRONG))
    _put_notes(row, notes, look, width - (tab_cells + 2 if tabs else _notes_cells(right)), "  ")
    end = width - tab_cells - 2 if tabs else width - _notes_cells(right) - (3 if right else 0)
    row.put(" ").to(end, rule, line)
    if tabs:
        _put_tabs(row.put(" "), tabs, look)
    elif right:
        _put_notes(row.put(" "), right, look, width - 2, "")
        row.put(" ").to(width, rule, line)
    return row.strip()


def _note_text(note: Note, first: bool, lead: str) -> str:
    return (lead if first else note.joint) + inert(note.text[:LONGEST_SHOWN])


def _notes_cells(notes: Sequence[Note], lead: str = "") -> int:
    return sum(cells(_note_text(note, index == 0, lead)) for index, note in enumerate(notes))


def _dropped(view: PaneTitleView, right: list[Note], width: int) -> tuple[list[Note], list[Note]]:
    """The notes that stay, left and right."""
    notes = list(view.notes)
    fixed = 2 + cells(inert(view.name)) + 1 + LEAST_RULE

    def needed() -> int:
        return fixed + _notes_cells(notes, "  ") + (_notes_cells(right) + 3 if right else 0)

    while needed() > width and (droppable := [note for note in notes + right if note.rank > 0]):
        worst = max(note.rank for note in droppable)
        pool = notes if any(note.rank == worst for note in notes) else right
        last = max(index for index, note in enumerate(pool) if note.rank == worst)
        del pool[last]
    while right and fixed + _notes_cells(right) + 3 + 8 > width:
        right.pop()
    return notes, right


def _put_notes(row: Row, notes: Sequence[Note], look: Look, end: int, lead: str) -> None:
    """Writes notes up to column ``end``; one that is too long is shortened, a path in its middle."""
    for index, note in enumerate(notes):
        joint = lead if index == 0 else note.joint
        later = sum(cells(_note_text(each, False, "")) for each in notes[index + 1 :])
        room = end - row.column - cells(joint) - later - (LEAST_RULE if lead else 0)
        if room <= 0:
            continue
        shorten: Callable[[str, int], str] = shorten_path if note.path else cut
        row.put(joint, look.text(Tone.MUTED)).put(shorten(note.text, room), _note_style(note, look))


def _note_style(note: Note, look: Look) -> Style:
    return look.text(note.tone, bold=note.tone is Tone.EDIT)


def tab_text(tab: TurnTab, *, counts: bool) -> str:
    """A tab with its brackets or the blanks in their place."""
    words = [inert(tab.label)]
    if tab.mark is Mark.NO_EVIDENCE:
        words.append(SIGNS[tab.mark])
    elif counts and tab.current and tab.added is not None:
        words += [f"+{tab.added}", f"{MINUS}{tab.removed or 0}"]
    text = " ".join(words)
    return f"[{text}]" if tab.current else f" {text} "


def fitting_tabs(tabs: Sequence[TurnTab], width: int, *, counts: bool) -> list[tuple[TurnTab, str]]:
    """The tabs that fit in half of ``width``: first the counts go, then tabs far from the current one."""
    for with_counts in (counts, False):
        made = [(tab, tab_text(tab, counts=with_counts)) for tab in tabs]
        if sum(cells(text) for _, text in made) <= width // 2:
            return made
    current = next((index for index, tab in enumerate(tabs) if tab.current), 0)
    order = sorted(range(len(tabs)), key=lambda index: (abs(index - current), index))
    kept: set[int] = set()
    room = width // 2
    for index in order:
        room -= cells(tab_text(tabs[index], counts=False))
        if room < 0 and kept:
            break
        kept.add(index)
    return [(tabs[index], tab_text(tabs[index], counts=False)) for index in sorted(kept)]


def _put_tabs(row: Row, tabs: Sequence[tuple[TurnTab, str]], look: Look) -> None:
    for tab, text in tabs:
        if tab.current:
            style = look.tab_current
        else:
            style = look.text(TONES[tab.mark] if tab.mark is not None else Tone.MUTED)
        row.put_exact(text, style)
