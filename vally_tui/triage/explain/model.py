"""What an explanation holds: places, findings, choices, all as frozen values. Owns no way of finding them.

Offsets are half-open code points of the evidence that a spot names; rows count from 0, numbers of lines from 1. Sentences
may hold text from outside (patterns, paths, code): whoever shows them makes them inert first.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import TEXT_KEYS, Faults, Question, Subject, ask
from vally_tui.grading.model import GraderConfig, RecordedDetail, State


class Explained(Struct, frozen=True):
    """What is to be explained: a grader on a trial, and what is known of the trial."""

    trial: int
    config: GraderConfig
    turns: tuple[int, ...] = ()
    """0-based turns that the trial has or should have evidence of."""
    single_turn: bool = True
    """Whether ``turn: 0`` is the whole run's diff."""
    error: str | None = None
    """What the execution of the trial ended with, where it ended in an error; empty where that was not recorded."""
    written: tuple[str, ...] = ()
    """Files that recorded tool calls wrote, relative to the workspace where they are below it."""
    recorded: RecordedDetail | None = None
    """What was recorded of the grader."""

    @property
    def question(self) -> Question | Faults | None:
        """What the config asks; None for graders that are not judged again."""
        return ask(self.config)


_ONE_LINE = str.maketrans({"\n": "\\n", "\r": "\\r", "\t": "\\t"})
"""A path may hold line ends, a sentence may not."""


class Stance(StrEnum):
    """Which question an explanation answers."""

    WHY_NOT = "why not"
    """What a grader wants is not there."""
    WHY_SO = "why so"
    """It passes, or what it forbids is there."""
    WHY_UNJUDGED = "why not judged"
    """It has no verdict of its own: no evidence, invalid, stopped, or only recorded."""


class Spot(Struct, frozen=True):
    """A place in a piece of evidence, ready to be shown."""

    start: int
    end: int
    turn: int | None
    """The turn whose evidence it is in, as the grader names it; None: the whole run."""
    row: int
    """Row of ``start``."""
    kind: LineKind
    """Class of the character at ``start``."""
    file: str | None
    number: int | None
    """Line in the new file, or in the old one for a removed line; None in headers and outside of hunks."""
    line: str
    """The row's text, or the part of a long row that holds the beginning of the match."""
    mark: tuple[int, int]
    """The part of ``line`` that belongs to the match, half-open."""
    subject: Subject = Subject.DIFF
    """The text that it is in."""

    @property
    def place(self) -> str:
        """ "src/calc.py:6", or "line 3" of the text where the row is no line of a file."""
        if self.file is not None and self.number is not None:
            return f"{self.file.translate(_ONE_LINE)}:{self.number}"
        of = " of the messages" if self.subject is Subject.TRANSCRIPT else ""
        return f"line {self.row + 1}{of}"

    @property
    def excerpt(self) -> str:
        """What matched, as far as it stands in ``line``."""
        return self.line[self.mark[0] : self.mark[1]]


class Doubt(StrEnum):
    """How much weight something takes from a pass."""

    VACUOUS = "vacuous"
    """The pass would stand had the agent done nothing, or only taken code away."""
    WEAK = "weak"
    """The pass says less than it seems to."""


class Finding(Struct, frozen=True):
    """One thing that is so, in one sentence."""

    code: str
    """A short stable word for programs, such as "removed-only"."""
    sentence: str
    spot: Spot | None = None
    doubt: Doubt | None = None
    """How much weight it takes from a pass; None: none."""


class Effect(Struct, frozen=True):
    """What a choice does to the trials of the run, against the config that is explained."""

    now_pass: int = 0
    now_fail: int = 0
    same: int = 0
    unknown: int = 0
    """Without evidence, or not judged in time."""


class Choice(Struct, frozen=True):
    """A config that could be put in place of the one that is explained."""

    code: str
    label: str
    """What it changes, in two or three words."""
    config: GraderConfig
    passes: bool
    """The verdict of the engine on this trial with it."""
    wider: bool = False
    """Whether it may also find what is not meant."""
    count: int | None = None
    """How often it matches in the evidence; None where that was not counted in time."""
    spots: tuple[Spot, ...] = ()
    """The first of these places."""
    effect: Effect | None = None
    """None until it is measured."""

    @property
    def written(self) -> str:
        """The pattern or text as the config has it."""
        config = self.config.config
        if isinstance(config, dict):
            for key in TEXT_KEYS:
                if isinstance(config.get(key), str):
                    return str(config[key])
        return ""


class Near(Struct, frozen=True):
    """Where a grader nearly found what it wants, or what broke it."""

    spot: Spot
    words: str
    """What is otherwise there, to follow the excerpt: ``then " instead of '``."""
    wants: str | None = None
    """The piece of the pattern at which it stops."""
    finds: str | None = None
    """What stands there instead; empty at the end of the text."""
    upto: str | None = None
    """The part of the pattern that matches there."""


class KindCount(Struct, frozen=True):
    """Matches in one class of line."""

    kind: LineKind
    count: int
    spots: tuple[Spot, ...] = ()
    """The first of them, one a row."""


class ChangedFile(Struct, frozen=True):
    """What the agent changed of one file."""

    path: str
    added: int
    removed: int
    word: str
    """"modified", "added", …"""


class Changed(Struct, frozen=True):
    """What the agent changed instead."""

    files: tuple[ChangedFile, ...] = ()
    """The first of them."""
    total: int = 0
    added: int = 0
    removed: int = 0


class TurnAnswer(Struct, frozen=True):
    """What the grader says of another piece of evidence."""

    turn: int | None
    """None: the whole run."""
    state: State
    count: int | None = None
    own: bool = False
    """Whether it is the evidence that the grader asks for."""


class Explanation(Struct, frozen=True):
    """Everything that is known of one verdict."""

    subject: Explained
    stance: Stance
    state: State
    findings: tuple[Finding, ...]
    """The first is the headline."""
    choices: tuple[Choice, ...] = ()
    """Best first."""
    in_vain: tuple[str, ...] = ()
    """What was tried and did not help, in words."""
    near: Near | None = None
    kinds: tuple[KindCount, ...] = ()
    """Matches by class of line, most telling first; empty where nothing matched."""
    changed: Changed | None = None
    turns: tuple[TurnAnswer, ...] = ()
    """For graders of a turn, and trials of several: each turn, then the whole run."""
    exhausted: bool = False
    """Whether something could not be tried in time."""

    @property
    def headline(self) -> str:
        """The finding in one sentence."""
        return self.findings[0].sentence
