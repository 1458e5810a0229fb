"""What a screen or a report shows, as plain frozen values. Owns no way of making or drawing them, and no colour.

Words may hold text from outside (names, patterns, paths): whoever draws them makes them inert first. Offsets are code
points of the evidence shown; trial and grader numbers are as a person reads them, from 1.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from vally_tui.diffs.model import FileKind
from vally_tui.grading.model import NO_SPANS, Spans


class Mark(StrEnum):
    """The state of a trial or a grader; each has one sign, one word and one colour."""

    PASS = "pass"
    FAIL = "fail"
    NO_EVIDENCE = "no evidence"
    ERROR = "error"
    """Also an invalid config and a stopped pattern."""
    RECORDED = "recorded only"
    SKIPPED = "skipped"
    PENDING = "not judged yet"
    DOUBTFUL = "doubtful pass"
    """A pass that says nothing, or little; in strips only."""


class Tone(StrEnum):
    """What a word means to the eye; the theme says how that looks."""

    PLAIN = "plain"
    STRONG = "strong"
    MUTED = "muted"
    PASS = "pass"
    FAIL = "fail"
    WARN = "warn"
    EDIT = "edit"
    KEY = "key"
    NEAR = "near"
    """Text that nearly matched, in the look of its grader."""
    MATCH = "match"
    """Text that matched, in the look of its grader."""
    BROKEN = "broken"
    """Text that broke a restraint."""


class Word(Struct, frozen=True):
    """A piece of a phrase; pieces are joined as they are, so they hold their own blanks."""

    text: str
    tone: Tone = Tone.PLAIN
    bold: bool = False
    whole: bool = False
    """Words of our own, left out rather than cut where they do not fit."""
    rank: int = 0
    """Words of the highest rank are left out first where room is lacking; 0 stays. For rows that say so."""


Phrase = tuple[Word, ...]


class Tally(Struct, frozen=True):
    """How many there are of one state; tallies are listed worst first and never with 0."""

    mark: Mark
    count: int


class Position(Struct, frozen=True):
    """Which one something is of those in the same state: ``✘ 1 of 8``."""

    mark: Mark
    number: int
    """From 1."""
    of: int


class TitleView(Struct, frozen=True):
    """The first row of the screen."""

    run: str
    tallies: tuple[Tally, ...] = ()
    total: int | None = None
    """All trials of the run, for "of 24 trials"; None while it is not known."""
    progress: str = ""
    """"reading 58 %" while the run is read, else empty."""
    progress_note: str = ""
    """"14 trials so far", beside the progress."""
    notices: tuple[str, ...] = ()
    """"2 load issues": what to look at, most important first."""
    spec: str = ""
    spec_differs: bool = False
    """Whether its graders are others than the recorded ones."""
    unsaved: int = 0
    place: Position | None = None
    """Which trial is in view, where there is no trial list that says it."""


class Note(Struct, frozen=True):
    """A part of a pane's title that is shown whole or not at all."""

    text: str
    tone: Tone = Tone.PLAIN
    rank: int = 1
    """The highest rank goes first where room is lacking; 0 stays, and is cut at a cell if it must."""
    joint: str = " · "
    """What stands between it and what is before it."""
    path: bool = False
    """Shortened in its middle, not at its end."""


class TurnTab(Struct, frozen=True):
    """One piece of evidence that can be opened: a turn, or the whole run."""

    key: str
    """What the screen calls it in messages."""
    label: str
    """"T1", or "Σ" for the whole run."""
    current: bool = False
    added: int | None = None
    removed: int | None = None
    mark: Mark | None = None
    """NO_EVIDENCE where there is none, else None."""


class PaneTitleView(Struct, frozen=True):
    """The title row of a pane."""

    name: str
    notes: tuple[Note, ...] = ()
    right: tuple[Note, ...] = ()
    tabs: tuple[TurnTab, ...] = ()
    """Turn tabs stand right, in place of ``right``."""


class Hint(Struct, frozen=True):
    """A key and what it does."""

    key: str
    words: str
    short: str = ""
    """Said in place of ``words`` below 100 columns; empty: the same words."""


class FooterView(Struct, frozen=True):
    """The last row of the screen."""

    hints: tuple[Hint, ...] = ()
    """Most useful first; those that do not fit are left out from the right."""
    right: tuple[Hint, ...] = (Hint("?", "help"), Hint("q", "quit"))
    refusal: str = ""
    """Why the command just asked for is not possible; stands in place of the hints until the next key."""


class GroupRow(Struct, frozen=True):
    """A heading in the trial list: a stimulus, a run or a variant."""

    name: str
    tallies: Phrase = ()
    failed: bool = False
    level: int = 0
    """How far it is moved in, in steps of one cell."""


class TrialRow(Struct, frozen=True):
    """One trial in the trial list."""

    key: int
    """``Trial.key``."""
    number: str
    """Its number within the stimulus; empty in a row that stands for the whole stimulus."""
    label: str
    """Its model, or what else tells it from its neighbours; in a row for a whole stimulus the stimulus's name."""
    mark: Mark
    before: Mark | None = None
    """The state that an edit took it from, where it flipped."""
    strip: tuple[Mark, ...] = ()
    """The state of each grader, in their order."""
    column: Word | None = None
    """The focused grader's verdict and count, where one is focused."""
    result: Phrase = ()
    """The first failing grader's result, for wide lists."""
    sole: bool = False
    """Whether the row stands for a stimulus with one trial."""
    dimmed: bool = False
    """Whether its flip is of the last valid pattern, not of what stands in the field."""


class TrialColumns(Struct, frozen=True):
    """Widths, in cells, that every row of the trial list shares so that its columns stand."""

    number: int = 2
    label: int = 8
    strip: int = 5
    named: int = 0
    """Of the labels that are names of stimuli."""
    worded: bool = False
    """Whether some row says what flipped or what the focused grader's result is."""


class GraderMark(Struct, frozen=True):
    """A grader's number where it has to do with a row or a file."""

    number: int
    near: bool = False
    broken: bool = False
    """A match of a negated grader that fails for it."""
    empty: bool = False
    """A match of no length."""


class FileRow(Struct, frozen=True):
    """One file of the evidence shown."""

    kind: FileKind | None
    path: str
    old_path: str | None = None
    added: int = 0
    removed: int = 0
    graders: tuple[GraderMark, ...] = ()
    binary: bool = False
    notice: bool = False
    """Something about the file is odd; the diff says what."""


class EditView(Struct, frozen=True):
    """The four rows below the head of a grader that is edited: field, outcome, example, flags."""

    text: str
    caret: int = 0
    """Code points before the caret."""
    fault: int | None = None
    """The code point at fault, where it is known."""
    outcome: Phrase = ()
    """The tally of flips, or the error; its words go by their rank."""
    example: Phrase = ()
    flags: tuple[tuple[str, str, bool], ...] = ()
    """Letter, words, and whether it is set."""
    chosen_flag: int | None = None
    """The flag that has the focus; None while the field has it."""
    invalid: bool = False


class GraderRow(Struct, frozen=True):
    """One grader of the trial shown."""

    number: int
    mark: Mark
    type: str
    scope: str
    """"T1", or "Σ" for the whole run."""
    result: str
    pattern: str
    """The pattern, else the name."""
    before: Mark | None = None
    judged: bool = True
    """False for a recorded grader, whose matches are never drawn."""
    result_tone: Tone | None = None
    """None: as its state has it."""
    notice: Phrase = ()
    """"▲ vacuous", or what the recorded verdict was where it differs."""
    was: str | None = None
    """The saved pattern, while another one is edited."""
    evidence: str = ""
    """The sentence that says why; shown with the selected grader. It may have newlines."""
    finding: Phrase = ()
    """Where it nearly matched, or what broke it; with the selected grader."""
    edit: EditView | None = None
    name: str = ""
    """The name, where it does not stand in the pattern's place."""


class Highlight(Struct, frozen=True):
    """The matches of one grader in the evidence shown."""

    number: int
    spans: Spans = NO_SPANS
    broken: bool = False
    """The grader is negated and these matches fail it."""
    stale: bool = False
    """Matches of the last valid pattern, not of what stands in the field."""


class Layers(Struct, frozen=True):
    """Everything drawn over the text of the evidence."""

    graders: tuple[Highlight, ...] = ()
    """In the order of their numbers."""
    focused: int | None = None
    """The number of the focused grader."""
    current: tuple[int, int] | None = None
    """The current match of the focused grader, half-open."""
    near: tuple[Highlight, ...] = ()
    finds: Spans = NO_SPANS
    """What a search in the pane found."""
    find: tuple[int, int] | None = None
    """The current find."""


NO_LAYERS = Layers()


class EmptyView(Struct, frozen=True):
    """What a pane says when it has nothing to show: why, and what to do."""

    headline: str
    mark: Mark | None = None
    sentences: tuple[str, ...] = ()
    steps: tuple[Hint, ...] = ()
    aside: str = ""
    """A quiet last sentence."""
    progress: float | None = None
    """From 0 to 1, for a still bar."""
    progress_note: str = ""
