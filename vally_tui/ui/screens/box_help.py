"""Help and palette: every command with its keys, found by typing, run with enter; made from the one list of commands.

The help shows an overview until something is typed; the palette lists all at once, themes too. A command that is not
possible now stands there with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, zip_longest

from msgspec import Struct

from vally_tui.triage.fuzzy import best
from vally_tui.triage.views_model import Hint, Mark, Tone, Word
from vally_tui.ui.commands import COMMANDS, Command, Group, Keymap, key_sign
from vally_tui.ui.render.cells import cells, cut, fit, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.signs import ARROW, LOOK, SIGNS, TONES, WHOLE_RUN, WORDS
from vally_tui.ui.widgets.line_list import BLANK, Line, heading, text_line
from vally_tui.ui.widgets.overlay import FindBox

KEYS_WIDTH = 13
"""Cells of the keys in a list of commands."""
WORDS_COLUMN = KEYS_WIDTH + 2
TWO_COLUMNS = 84
"""From so many cells of text on the overview stands in two columns."""
GAP = 4
SHOWN = 200
"""Commands that are listed at most."""

Refusal = Callable[[str], str | None]
"""Why a command is not possible now, or None."""


class Choice(Struct, frozen=True):
    """Something that can be run."""

    id: str
    """A command's id, or ``theme:`` and a name."""
    keys: str
    words: str
    group: str
    refusal: str | None = None


def command_choices(keymap: Keymap, refusal: Refusal, known: Iterable[str]) -> list[Choice]:
    """All commands that the screen knows, with their keys and why they are not possible."""
    ids = set(known)
    return [
        Choice(command.id, keys_text([command], keymap), command.words, command.group.value, refusal(command.id))
        for command in COMMANDS
        if command.id in ids
    ]


def theme_choices(names: Iterable[str], current: str) -> list[Choice]:
    """All themes; the current one says so."""
    return [
        Choice(f"theme:{name}", "", f"theme {name}", "Theme", "it is the current theme" if name == current else None)
        for name in names
    ]


def keys_text(commands: Sequence[Command], keymap: Keymap) -> str:
    """The keys of commands that share a row: two of a single one, the first of each of a few, first and last of many."""
    if len(commands) == 1:
        return " ".join(key_sign(key) for key in keymap.keys[commands[0].id][:2])
    signs = [key_sign(keymap.keys[command.id][0]) for command in commands if keymap.keys[command.id]]
    return f"{signs[0]} … {signs[-1]}" if len(signs) > 3 else " ".join(signs)


def choice_line(choice: Choice, width: int) -> Line:
    """A command in a list: keys, what it does, and why it cannot be done now or its group.

    A reason that does not fit whole is not said here, only that there is one: enter says it.
    """
    room = width - WORDS_COLUMN
    said = _with_reason(choice.words, choice.refusal) if choice.refusal else choice.words
    fits = cells(inert(said)) <= room
    before = choice.words if said.startswith(choice.words) or not fits else ""
    why = said[len(before) :] if fits else ""
    words = (Word(cut(before, room), Tone.MUTED if choice.refusal else Tone.PLAIN), Word(why, Tone.MUTED))
    keys = (Word(fit(choice.keys, KEYS_WIDTH, right=True), Tone.KEY),)
    aside = choice.group if not choice.refusal else "" if fits else "not now"
    right = (Word(aside, Tone.MUTED),) if aside else ()
    return Line(((0, keys), (WORDS_COLUMN, words)), right, selectable=True)


# The overview


def overview(keymap: Keymap, refusal: Refusal, known: Iterable[str], width: int) -> list[Line]:
    """All commands by group, the signs, and what is not possible now."""
    ids = set(known)
    commands = [command for command in COMMANDS if command.id in ids]
    lower = _impossible(commands, keymap, refusal, width)
    if width < TWO_COLUMNS:
        return _stacked([*_blocks(tuple(Group), commands, keymap, width), signs(), lower])
    column = (width + GAP) // 2
    left = _stacked([*_blocks((Group.MOVE, Group.FIND), commands, keymap, column - GAP), signs()])
    right = _stacked(_blocks((Group.UNDERSTAND, Group.MEND, Group.REST), commands, keymap, width - column))
    return _stacked([_beside(left, right, column), lower])


def _blocks(groups: Sequence[Group], commands: Sequence[Command], keymap: Keymap, room: int) -> list[list[Line]]:
    """A block of rows of ``room`` cells for each group, their keys in one column that all of them share."""
    rows = {group: _rows([command for command in commands if command.group is group], keymap) for group in groups}
    width = max((cells(keys) for mine in rows.values() for keys, _ in mine), default=0)
    return [
        [heading(group.value), *(line for keys, words in mine for line in _row(keys, words, width, room))]
        for group, mine in rows.items()
        if mine
    ]


def _rows(commands: Sequence[Command], keymap: Keymap) -> list[tuple[str, str]]:
    """Keys and words of each row; neighbours with the same words for a row share it."""
    shared = [list(same) for _, same in groupby(commands, key=lambda command: command.row or command.id)]
    return [(keys_text(same, keymap), same[0].row or same[0].words) for same in shared]


def _row(keys: str, words: str, keys_width: int, room: int, tone: Tone = Tone.PLAIN) -> list[Line]:
    """Keys and what they do, over as many lines as the words need."""
    first, *others = wrap_words(words, room - keys_width - 2)
    shown = fit(keys, keys_width, right=True)
    return [
        Line(((0, (Word(shown, Tone.KEY),)), (keys_width + 2, (Word(first, tone),)))),
        *(text_line(Word(other, tone), indent=keys_width + 2) for other in others),
    ]


def _impossible(commands: Sequence[Command], keymap: Keymap, refusal: Refusal, width: int) -> list[Line]:
    reasons = [
        (keys_text([command], keymap), _with_reason(command.words, why))
        for command in commands
        if (why := refusal(command.id)) is not None
    ]
    if not reasons:
        return []
    keys_width = max(cells(keys) for keys, _ in reasons)
    return [
        heading("Not possible now", Tone.MUTED),
        *(line for keys, why in reasons for line in _row(keys, why, keys_width, width, Tone.MUTED)),
    ]


def _with_reason(words: str, why: str) -> str:
    """What a command does and why it is not possible; a reason that names the command stands for both."""
    named, colon, _ = why.partition(": ")
    return why if colon and words.startswith(named) else f"{words}: {why}"


def signs() -> list[Line]:
    """What the signs mean, as the screen draws them."""
    return [
        heading("Signs"),
        _legend(Mark.PASS, Mark.FAIL, Mark.NO_EVIDENCE, Mark.ERROR),
        _legend(Mark.RECORDED, Mark.SKIPPED, Mark.PENDING),
        text_line(
            Word(LOOK, Tone.WARN),
            " look here   ",
            Word(ARROW, Tone.MUTED),
            " flipped   ",
            Word(WHOLE_RUN, Tone.MUTED),
            " whole run   ",
            Word("T1", Tone.MUTED),
            " turn 1",
        ),
        Line(
            ((0, (Word("match", Tone.MATCH), Word("   "), Word("nearly", Tone.NEAR), Word("   "),
                  Word("broken", Tone.BROKEN), Word("   of grader 2", Tone.MUTED))),),
            number=2,
        ),
    ]  # fmt: skip


def _legend(*marks: Mark) -> Line:
    words: list[Word | str] = []
    for mark in marks:
        words += [Word(SIGNS[mark], TONES[mark], bold=True), f" {WORDS[mark]}   "]
    return text_line(*words)


def _stacked(blocks: Iterable[list[Line]]) -> list[Line]:
    """Blocks with a blank row between them."""
    lines: list[Line] = []
    for block in blocks:
        if block:
            lines += [BLANK, *block] if lines else block
    return lines


def _beside(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Two blocks side by side, the right one from ``column`` on."""
    return [
        Line(
            one.parts + tuple((column + at, words) for at, words in other.parts),
            number=one.number,
        )
        for one, other in zip_longest(left, right, fillvalue=BLANK)
    ]


class CommandBox(FindBox[str]):
    """Finds a command; dismisses with its id."""

    PLACEHOLDER = " find a command"

    def __init__(
        self,
        keymap: Keymap,
        choices: Sequence[Choice],
        *,
        title: tuple[str, str],
        opened_by: str,
        overview: Callable[[int], list[Line]] | None = None,
    ) -> None:
        """``overview`` makes what is shown while nothing is typed, for a width; None: all choices."""
        super().__init__(keymap, opened_by)
        self._choices = choices
        self._title = title
        self._overview = overview
        self._found: list[Choice] = []

    def fill(self) -> None:
        """The overview, or what fits the typed text."""
        typed = self.field.value.strip()
        self.show_title(*self._title)
        if not typed and self._overview is not None:
            self._found = []
            self.show_lines(self._overview(self.text_width))
            self._show_overview_keys()
            return
        numbers = best(typed, (f"{choice.words} {choice.group}" for choice in self._choices), SHOWN)
        self._found = [self._choices[number] for number in (numbers if typed else range(len(self._choices)))]
        lines = [choice_line(choice, self.text_width) for choice in self._found]
        self.show_lines(lines or [text_line(Word("no command has these letters", Tone.MUTED))])
        self.show_keys(Hint("type", "to find"), Hint("enter", "run it"), Hint("esc", "close"))

    def opened(self) -> None:
        """Says below the overview whether there is more of it."""
        super().opened()
        self.watch(self.list, "scroll_y", self._show_overview_keys, init=False)

    def _show_overview_keys(self) -> None:
        if not self.field.value.strip() and self._overview is not None:
            height = self.list.size.height
            more = (Hint("↓", "more"),) if self.list.scroll_offset.y + height < self.list.count and height else ()
            self.show_keys(Hint("type", "to find"), *more, Hint("esc", "close"))

    def choose(self, index: int) -> None:
        """Run the command, or say why it cannot be."""
        if index >= len(self._found):
            return
        choice = self._found[index]
        if choice.refusal is not None:
            self.say((Word(f"{LOOK} {choice.refusal}", Tone.WARN),))
        else:
            self.dismiss(choice.id)
