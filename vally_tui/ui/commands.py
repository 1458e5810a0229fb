"""Every command of the screen, declared once. Keys, footer, palette, help and the README's table derive from this list.

A command is done by the function that a screen registers for its id; whether it is possible now is asked of the screen.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import groupby

from msgspec import Struct


class Group(StrEnum):
    """The headings of the help."""

    MOVE = "Move"
    FIND = "Find the failure"
    UNDERSTAND = "Understand"
    MEND = "Mend"
    REST = "The rest"


class Command(Struct, frozen=True):
    """Something a person can ask for."""

    id: str
    keys: tuple[str, ...]
    """Textual's names of its keys; the first is the one that hints show."""
    words: str
    """What it does, for help and palette."""
    group: Group
    hint: str = ""
    """Its words in the footer; empty: it is never hinted at there."""
    brief: str = ""
    """Its words in the footer of a narrow screen; empty: the same ones."""
    row: str = ""
    """Its words in the help's overview where they are others; it shares a row with its neighbours that have the same."""


COMMANDS: tuple[Command, ...] = (
    Command("move.down", ("j", "down"), "down", Group.MOVE, row="down, up"),
    Command("move.up", ("k", "up"), "up", Group.MOVE, row="down, up"),
    Command("move.first", ("g", "home"), "first", Group.MOVE, row="first, last"),
    Command("move.last", ("G", "end"), "last", Group.MOVE, row="first, last"),
    Command("move.half-page-down", ("ctrl+d",), "half a page down", Group.MOVE, row="half a page"),
    Command("move.half-page-up", ("ctrl+u",), "half a page up", Group.MOVE, row="half a page"),
    Command("move.page-down", ("pagedown", "space"), "a page down", Group.MOVE, row="a page"),
    Command("move.page-up", ("pageup",), "a page up", Group.MOVE, row="a page"),
    Command("move.left", ("left",), "the diff to the left", Group.MOVE, row="the diff to the left, right"),
    Command("move.right", ("right",), "the diff to the right", Group.MOVE, row="the diff to the left, right"),
    Command(
        "move.enter",
        ("enter",),
        "one pane further; on a grader: edit it",
        Group.MOVE,
        row="one pane further, edit a grader",
    ),
    Command("pane.next", ("tab", "l"), "next pane", Group.MOVE, "pane", row="next, previous pane"),
    Command("pane.previous", ("shift+tab", "h"), "previous pane", Group.MOVE, row="next, previous pane"),
    Command("diff.down", ("J",), "scroll the diff down from any pane", Group.MOVE, row="scroll the diff from any pane"),
    Command("diff.up", ("K",), "scroll the diff up from any pane", Group.MOVE, row="scroll the diff from any pane"),
    Command(
        "leave",
        ("escape",),
        "end the search or the filter, close the list",
        Group.MOVE,
        row="end search, filter or list",
    ),
    Command(
        "go.to",
        ("t",),
        "go to a trial, grader, file or stimulus",
        Group.MOVE,
        "go to",
        row="go to a trial, grader or file",
    ),
    Command(
        "trial.next-failing",
        ("f",),
        "next failing trial",
        Group.FIND,
        "next failure",
        row="next, previous failing trial",
    ),
    Command("trial.previous-failing", ("F",), "previous failing trial", Group.FIND, row="next, previous failing trial"),
    Command("match.next", ("n",), "next match", Group.FIND, "match", row="next, previous match"),
    Command("match.previous", ("N",), "previous match", Group.FIND, row="next, previous match"),
    Command("hunk.next", ("]",), "next hunk", Group.FIND, "hunk", row="next, previous hunk"),
    Command("hunk.previous", ("[",), "previous hunk", Group.FIND, row="next, previous hunk"),
    Command("file.next", (".",), "next file", Group.FIND, "next file", row="next, previous file"),
    Command("file.previous", (",",), "previous file", Group.FIND, row="next, previous file"),
    Command("turn.next", (")",), "next turn", Group.FIND, "turn", row="next, previous turn"),
    Command("turn.previous", ("(",), "previous turn", Group.FIND, row="next, previous turn"),
    Command("flip.next", ("}",), "next flipped trial", Group.FIND, "next flip", row="next, previous flipped trial"),
    Command("flip.previous", ("{",), "previous flipped trial", Group.FIND, row="next, previous flipped trial"),
    *(
        Command(f"grader.{number}", (str(number),), f"focus grader {number}", Group.FIND, row="focus that grader")
        for number in range(1, 10)
    ),
    Command(
        "grader.none",
        ("0",),
        "focus no grader: walk the matches of all",
        Group.FIND,
        row="focus none: walk all matches",
    ),
    Command("pane.search", ("/",), "search in the pane", Group.FIND, "search"),
    Command("trials.filter", ("\\",), "filter the trials", Group.FIND, "filter"),
    Command("trials.sort", ("S",), "sort the trials", Group.FIND),
    Command("explain", ("x",), "why not, why so", Group.UNDERSTAND, "why not", "why"),
    Command(
        "lint",
        ("L",),
        "what is odd about the graders of this trial",
        Group.UNDERSTAND,
        row="what is odd about the graders",
    ),
    Command(
        "suggest",
        ("s",),
        "suggest a pattern from the line at the diff's cursor",
        Group.UNDERSTAND,
        row="suggest a pattern from the diff's line",
    ),
    Command(
        "trial.facts",
        ("o",),
        "prompt, output, evidence, metrics of the trial",
        Group.UNDERSTAND,
        "prompt, output",
        "output",
        "prompt, output, evidence, metrics",
    ),
    Command("match.list", ("m",), "list the matches of the focused grader", Group.UNDERSTAND),
    Command(
        "run.stimuli",
        ("b",),
        "results by stimulus: k of n, pass@k, pass^k",
        Group.UNDERSTAND,
        row="results by stimulus, pass@k",
    ),
    Command("run.issues", ("!",), "what could not be read", Group.UNDERSTAND, "load issues"),
    Command("diff.wrap", ("w",), "wrap long lines", Group.UNDERSTAND),
    Command("diff.fold", ("z",), "fold context", Group.UNDERSTAND),
    Command("edit.pattern", ("e",), "edit the pattern in place", Group.MEND, "edit pattern", "edit"),
    Command("edit.config", ("E",), "edit the whole config as YAML", Group.MEND),
    Command("edit.literal", ("v",), "pattern becomes plain text, and back", Group.MEND),
    Command(
        "edit.negate",
        ("i",),
        "must match becomes must not match, and back",
        Group.MEND,
        row="must match or must not, and back",
    ),
    Command("edit.type", ("c",), "the next type for the same text", Group.MEND),
    Command("edit.turn", ("@",), "the grader looks at the next turn", Group.MEND),
    Command("edit.add", ("+",), "add a grader to the stimulus", Group.MEND, row="add a grader, remove it"),
    Command("edit.remove", ("-",), "remove the grader", Group.MEND, row="add a grader, remove it"),
    Command("edit.undo", ("u",), "undo", Group.MEND, row="undo, redo"),
    Command("edit.redo", ("ctrl+r",), "redo", Group.MEND, row="undo, redo"),
    Command("save", ("ctrl+s",), "save, after showing the change", Group.MEND, "save"),
    Command("spec.editor", ("ctrl+o",), "open the spec in $EDITOR", Group.MEND),
    Command("run.reread", ("R",), "read the run and the spec again", Group.MEND, "read again"),
    Command("copy", ("y",), "copy line, pattern, YAML, evidence", Group.REST),
    Command("theme.next", ("T",), "next theme", Group.REST),
    Command("palette", ("ctrl+p",), "all commands", Group.REST),
    Command("help", ("?",), "this help", Group.REST, "help"),
    Command("suspend", ("ctrl+z",), "back to the shell; fg goes on", Group.REST),
    Command("quit", ("q", "ctrl+q"), "quit", Group.REST, "quit"),
)

BY_ID: Mapping[str, Command] = {command.id: command for command in COMMANDS}

_KEY_SIGNS = {
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "escape": "esc",
}


def key_sign(key: str) -> str:
    """A key as hints show it: ``ctrl+s`` is ``^s``."""
    return "^" + key.removeprefix("ctrl+") if key.startswith("ctrl+") else _KEY_SIGNS.get(key, key)


class Keymap(Struct, frozen=True):
    """Which keys ask for which command, and what was wrong with the person's own choice."""

    keys: Mapping[str, tuple[str, ...]]
    """Command id -> its keys."""
    faults: tuple[str, ...] = ()

    def command_of(self) -> Mapping[str, str]:
        """Key -> command id."""
        return {key: command for command, keys in self.keys.items() for key in keys}


def keymap(chosen: Mapping[str, object]) -> Keymap:
    """The default keys with the person's choice put over them.

    ``chosen``: command id -> keys, blank-separated or as a list. A chosen key is taken from the command that has it by
    default; unknown ids, keys chosen twice and values of another kind are faults, and the rest holds.
    """
    faults: list[str] = []
    wanted: dict[str, tuple[str, ...]] = {}
    taken: dict[str, str] = {}
    for command, value in chosen.items():
        keys = _chosen_keys(value)
        if command not in BY_ID:
            faults.append(f"{command!r} is no command; the palette (ctrl+p) lists them")
        elif keys is None:
            faults.append(f"the keys of {command} must be a text or a list of texts")
        else:
            faults += [
                f"{key} is given to both {taken[key]} and {command}; {taken[key]} keeps it"
                for key in keys
                if key in taken
            ]
            wanted[command] = tuple(key for key in keys if taken.setdefault(key, command) == command)
    keys_now = {
        command.id: wanted.get(command.id, tuple(key for key in command.keys if key not in taken))
        for command in COMMANDS
    }
    faults += [
        f"{command.id} has lost its only key to {taken[command.keys[0]]}"
        for command in COMMANDS
        if not keys_now[command.id] and command.id not in wanted
    ]
    return Keymap(keys_now, tuple(faults))


def _chosen_keys(value: object) -> tuple[str, ...] | None:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(key, str) for key in value):
        return tuple(value)
    return None


DEFAULT_KEYMAP = keymap({})


def key_table(commands: Iterable[Command] = COMMANDS) -> str:
    """The keys as a Markdown table, for the README; neighbours that share a row of the help share one here."""
    rows = ["| keys | does |", "| --- | --- |"]
    for _, group in groupby(commands, lambda command: command.row or command.id):
        shared = list(group)
        keys = [f"`{_escaped(key)}`" for command in shared for key in command.keys]
        shown = f"{keys[0]} … {keys[-1]}" if len(shared) > 2 else " ".join(keys)
        rows.append(f"| {shown} | {shared[0].row if len(shared) > 1 else shared[0].words} |")
    return "\n".join(rows) + "\n"


def _escaped(key: str) -> str:
    return key_sign(key).replace("|", "\\|")
