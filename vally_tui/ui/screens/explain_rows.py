"""The rows of an explanation: the finding, where it was found, what could be changed, what was of no help. Owns no keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Question, Subject
from vally_tui.grading.model import State
from vally_tui.triage.explain.model import (
    Changed,
    Choice,
    Effect,
    Explanation,
    Finding,
    KindCount,
    Spot,
    Stance,
    TurnAnswer,
)
from vally_tui.triage.explain.phrases import wider_sentence
from vally_tui.triage.explain.whynot import KIND_WORDS, named, one_line
from vally_tui.triage.tabs import WHOLE_RUN_SIGN
from vally_tui.triage.views_model import Mark, Phrase, Tone, Word
from vally_tui.ui.render.cells import cells, fit, shorten_path, wrap_cells, wrap_words
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import phrase_cells
from vally_tui.ui.render.signs import LOOK, MINUS, SIGNS, TONES
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.line_list import BLANK, Line, heading, text_line

LABEL = 3
"""Column of what a choice changes."""
WIDEST_LABEL = 22
KIND_WORD = 8
PATTERN_ROWS = 3
"""Rows that a long pattern takes at most."""
LEAST_EXCERPT = 24
"""Cells for code, below which places are shortened."""
WIDE_EXCERPT = 40
"""Cells for code from which on more is shown of what stands before a match far to the right."""
_GAP = "   "
_MARKS = {
    State.PASS: Mark.PASS,
    State.FAIL: Mark.FAIL,
    State.NO_EVIDENCE: Mark.NO_EVIDENCE,
    State.RECORDED: Mark.RECORDED,
    State.UNRECORDED: Mark.RECORDED,
}
_GROUNDS = {LineKind.ADDED: Ground.ADDED, LineKind.REMOVED: Ground.REMOVED}
_SIGN_TONES = {LineKind.ADDED: Tone.PASS, LineKind.REMOVED: Tone.FAIL}
_HEADINGS = {
    Stance.WHY_NOT: Word("Smallest changes first, each judged on this trial and on the whole run:", Tone.MUTED),
    Stance.WHY_SO: Word("Say what you mean", Tone.STRONG, bold=True),
    Stance.WHY_UNJUDGED: Word("What may have been meant", Tone.STRONG, bold=True),
}


class Rows(Struct):
    """Rows under way."""

    width: int
    """Cells for text."""
    number: int
    """The grader in whose look matches are drawn."""
    broken: bool = False
    """Whether the matches are what breaks a restraint."""
    lines: list[Line] = field(default_factory=list)
    chosen: dict[int, Choice | Spot] = field(default_factory=dict)
    """What stands at a row that can be chosen."""

    @property
    def first(self) -> int:
        """The row that is chosen at first: the first choice, else the first place."""
        choices = (index for index, one in self.chosen.items() if isinstance(one, Choice))
        return next(choices, next(iter(self.chosen), 0))

    def gap(self) -> None:
        """A blank row, where there is none yet."""
        if self.lines and self.lines[-1] is not BLANK:
            self.lines.append(BLANK)

    def paragraph(self, text: str, tone: Tone = Tone.MUTED) -> None:
        """Words of our own, over as many rows as they need."""
        self.lines += [text_line(Word(row, tone)) for row in wrap_words(text, self.width)]


def rows_of(explanation: Explanation, number: int, width: int) -> Rows:
    """All rows of an explanation, ``width`` cells wide; ``number``: of the grader."""
    rows = Rows(width, number, broken=explanation.state is State.FAIL and explanation.stance is Stance.WHY_SO)
    _say_findings(rows, explanation)
    _say_kinds(rows, explanation)
    _say_choices(rows, explanation)
    _say_rest(rows, explanation)
    return rows


# What was found


def _say_findings(rows: Rows, explanation: Explanation) -> None:
    head, *others = explanation.findings
    mark = _MARKS.get(explanation.state, Mark.ERROR)
    _say_finding(rows, _head_words(explanation, head), Word(SIGNS[mark], TONES[mark]))
    for finding in others:
        tone = Tone.WARN if finding.doubt else Tone.PLAIN
        _say_finding(rows, (Word(finding.sentence, tone),), Word(LOOK if finding.doubt else " ", Tone.WARN))


def _head_words(explanation: Explanation, head: Finding) -> Phrase:
    """The finding with the pattern and, where a pass is doubted, the reason made loud."""
    question = explanation.subject.question
    name = named(question) if isinstance(question, Question) and question.pattern is not None else ""
    sentence = head.sentence
    split = len(name) if name and sentence.startswith(name) else 0
    comma = sentence.find(", but ", split) if head.doubt else -1
    end = len(sentence) if comma < 0 else comma + len(", but ")
    words = (
        Word(sentence[:split], Tone.STRONG, bold=True),
        Word(sentence[split:end]),
        Word(sentence[end:], Tone.WARN, bold=True),
    )
    return tuple(word for word in words if word.text)


def _say_finding(rows: Rows, words: Phrase, sign: Word) -> None:
    for index, row in enumerate(_wrapped(words, rows.width - 2)):
        rows.lines.append(Line(((0, (sign,)), (2, row))) if not index else Line(((2, row),)))


def _wrapped(words: Phrase, width: int) -> list[Phrase]:
    """A phrase over as many rows as it needs."""
    shown = [replace(word, text="\n".join(map(inert, word.text.split("\n")))) for word in words]
    text = "".join(word.text for word in shown)
    rows, at = [], 0
    for row in wrap_words(text, width):
        start = text.find(row, at)
        at = start + len(row)
        rows.append(_part(shown, start, at))
    return rows


def _part(words: Sequence[Word], start: int, end: int) -> Phrase:
    """The part of a phrase between two code points of its whole text."""
    made, first = [], 0
    for word in words:
        piece = word.text[max(start - first, 0) : max(end - first, 0)]
        made += [replace(word, text=piece)] if piece else []
        first += len(word.text)
    return tuple(made)


# Where it was found


def _say_kinds(rows: Rows, explanation: Explanation) -> None:
    kinds = list(explanation.kinds)
    if not kinds:
        return
    rows.gap()
    word = max(KIND_WORD, *(cells(KIND_WORDS[kind.kind]) for kind in kinds)) + 2
    count = max(len(f"{kind.count:,}") for kind in kinds)
    place = word + count + 3
    longest = max((cells(_place(spot)) for kind in kinds for spot in kind.spots), default=0)
    excerpt = place + min(longest, max(rows.width - place - LEAST_EXCERPT - 3, 8)) + 3
    for kind in kinds:
        _say_kind(rows, kind, (word, count, place, excerpt))
    question = explanation.subject.question
    wanted = isinstance(question, Question) and question.wants_match
    if wanted and explanation.findings[0].doubt and LineKind.ADDED not in {kind.kind for kind in kinds}:
        none: Phrase = (Word("none", Tone.WARN),)
        head: Phrase = (Word(KIND_WORDS[LineKind.ADDED], Tone.WARN, bold=True),)
        rows.lines.append(
            Line(((0, head), (word, (Word(fit("0", count, right=True), Tone.WARN, bold=True),)), (place, none)))
        )


def _say_kind(rows: Rows, kind: KindCount, columns: tuple[int, int, int, int]) -> None:
    word, count, place, excerpt = columns
    head: Phrase = (Word(KIND_WORDS[kind.kind], Tone.STRONG, bold=True),)
    number: Phrase = (Word(fit(f"{kind.count:,}", count, right=True), Tone.STRONG),)
    for index, spot in enumerate(kind.spots):
        before = ((0, head), (word, number)) if not index else ()
        shown = _place(spot, excerpt - place - 2)
        rows.chosen[len(rows.lines)] = spot
        words = excerpt_words(spot, rows.width - excerpt, Tone.BROKEN if rows.broken else Tone.MATCH)
        parts = (*before, (place, (Word(shown, Tone.MUTED),)), (excerpt, words))
        ground = _GROUNDS.get(spot.kind, Ground.BACKGROUND)
        rows.lines.append(Line(parts, selectable=True, number=rows.number, ground=ground))
    if not kind.spots:
        rows.lines.append(Line(((0, head), (word, number))))


def _place(spot: Spot, room: int | None = None) -> str:
    """``T1 src/calc.py:6``, its path shortened where it is longer than ``room``."""
    turn = "" if spot.turn is None else f"T{spot.turn} "
    place = inert(f"{turn}{spot.place}")
    if room is None or cells(place) <= room or spot.file is None or spot.number is None:
        return place
    line = f":{spot.number}"
    return turn + shorten_path(spot.file, max(room - len(turn) - len(line), 1)) + line


def excerpt_words(spot: Spot, width: int, tone: Tone = Tone.MATCH) -> Phrase:
    """A row with its match marked, from a place on from which the match is seen."""
    start, end = spot.mark
    before = 8 if width >= WIDE_EXCERPT else 2
    first = max(0, min(start - before, start - width + 20 if width >= WIDE_EXCERPT else start)) if end > width else 0
    sign = _SIGN_TONES.get(spot.kind) if not first and start else None
    lead = spot.line[first:start]
    words = [Word("…")] if first else [Word(lead[:1], sign, bold=True)] if sign else []
    return (
        *words,
        Word(lead[1:] if sign else lead),
        Word(spot.line[start:end], tone),
        Word(spot.line[end:]),
    )


# What could be changed


class _Columns(Struct, frozen=True):
    """How choices are laid out."""

    pattern: int
    """Column of the pattern, and of the code at its places."""
    beside: bool
    """Whether places and effect stand beside the pattern; else in the row below it."""
    count: int
    """Cells of the places."""
    numbers: tuple[int, int]
    """Digits of what now passes and of what now fails."""


def _columns_of(explanation: Explanation, width: int) -> _Columns:
    choices = explanation.choices
    label = max(cells(inert(choice.label)) for choice in choices)
    longest = max((cells(_place(spot)) for choice in choices for spot in choice.spots), default=0)
    pattern = LABEL + min(max(label, min(longest, WIDEST_LABEL)), WIDEST_LABEL, width // 3) + 2
    count = max(len(_count(choice, explanation.stance)) for choice in choices)
    effects = [choice.effect or Effect() for choice in choices]
    plus = max(len(f"{effect.now_pass:,}") for effect in effects)
    minus = max(len(f"{effect.now_fail:,}") for effect in effects)
    # The row stays as it is when the effects come in, which are seldom of more than three digits.
    right = count + len(_GAP) + len("+ now pass  − now fail") + max(plus + minus, 4)
    written = max(cells(inert(one_line(choice.written))) for choice in choices)
    beside = explanation.stance is Stance.WHY_NOT and pattern + written + 2 + right <= width
    return _Columns(pattern, beside, count, (plus, minus))


def _say_choices(rows: Rows, explanation: Explanation) -> None:
    if not explanation.choices:
        return
    rows.gap()
    title = _HEADINGS[explanation.stance]
    rows.lines += [text_line(replace(title, text=row)) for row in wrap_words(title.text, rows.width)]
    columns = _columns_of(explanation, rows.width)
    for number, choice in enumerate(explanation.choices, 1):
        if explanation.stance is Stance.WHY_NOT:
            rows.gap()
        _say_choice(rows, number, choice, explanation.stance, columns)


def _say_choice(rows: Rows, number: int, choice: Choice, stance: Stance, columns: _Columns) -> None:
    outcome = _outcome(choice, stance, columns)
    written = wrap_cells(one_line(choice.written), rows.width - columns.pattern, PATTERN_ROWS)
    label: Phrase = (Word(choice.label),)
    head: list[tuple[int, Phrase]] = [(0, (Word(str(number)),)), (LABEL, label)]
    if LABEL + phrase_cells(label) < columns.pattern:
        head.append((columns.pattern, (Word(written.pop(0), Tone.STRONG),)))
    rows.chosen[len(rows.lines)] = choice
    rows.lines.append(Line(tuple(head), outcome if columns.beside else (), selectable=True))
    rows.lines += [text_line(Word(more, Tone.STRONG), indent=columns.pattern) for more in written]
    if not columns.beside:
        fits = phrase_cells(outcome) <= rows.width
        for part in (outcome,) if fits else (outcome[:1], outcome[1:]):
            rows.lines.append(Line(((min(columns.pattern, max(rows.width - phrase_cells(part), 0)), part),)))
    # A sharper pattern is told by what it does; where it matches is seen on the screen.
    if stance is Stance.WHY_NOT:
        rows.lines += [_spot_line(rows, spot, columns.pattern) for spot in choice.spots]


def _spot_line(rows: Rows, spot: Spot, column: int) -> Line:
    word = KIND_WORDS[spot.kind] if spot.subject is Subject.DIFF else ""
    place: Phrase = (Word(_place(spot, column - LABEL - 1), Tone.MUTED),)
    words = excerpt_words(spot, max(rows.width - column - cells(word) - 2, 10))
    ground = _GROUNDS.get(spot.kind, Ground.BACKGROUND)
    return Line(((LABEL, place), (column, words)), (Word(word, Tone.MUTED),), number=rows.number, ground=ground)


def _count(choice: Choice, stance: Stance) -> str:
    if stance is Stance.WHY_SO and not choice.passes:
        return "would fail here"
    if choice.count is None:
        return "many places"
    if stance is Stance.WHY_SO and not choice.count:
        return "would pass here"
    return f"{choice.count:,} place{'s' * (choice.count != 1)}"


def _outcome(choice: Choice, stance: Stance, columns: _Columns) -> Phrase:
    """``1 place   +3 now pass  −0 now fail``, its numbers below those of the other choices."""
    count = Word(fit(_count(choice, stance), columns.count), Tone.PLAIN if stance is Stance.WHY_SO else Tone.MUTED)
    effect = choice.effect
    if effect is None:
        return (count, Word(f"{_GAP}measuring …", Tone.MUTED))
    plus, minus = effect.now_pass, effect.now_fail
    words = [
        count,
        Word(
            f"{_GAP}{f'+{plus:,}':>{columns.numbers[0] + 1}} now pass", Tone.PASS if plus else Tone.MUTED, bold=plus > 0
        ),
        Word(
            f"  {f'{MINUS}{minus:,}':>{columns.numbers[1] + 1}} now fail",
            Tone.FAIL if minus else Tone.MUTED,
            bold=minus > 0,
        ),
    ]
    return tuple(words)


# The rest


def _say_rest(rows: Rows, explanation: Explanation) -> None:
    if explanation.in_vain:
        rows.gap()
        rows.lines.append(heading("Tried, and of no help"))
        rows.paragraph(" · ".join(explanation.in_vain))
    if explanation.exhausted:
        rows.paragraph("Not everything could be tried in time.", Tone.WARN)
    if explanation.changed is not None and explanation.changed.total:
        _say_changed(rows, explanation.changed)
    if explanation.turns:
        rows.gap()
        rows.lines.append(heading("What it says of each text of this trial"))
        rows.lines += [Line(((0, phrase),)) for phrase in _turn_rows(explanation.turns, rows.width)]
    if explanation.choices:
        rows.gap()
        wider = wider_sentence(explanation)
        if wider:
            rows.paragraph(wider, Tone.PLAIN)
        rows.paragraph("Nothing is saved: the choice goes into the grader as an unsaved edit.")


def _say_changed(rows: Rows, changed: Changed) -> None:
    rows.gap()
    files = f"{changed.total:,} file{'s' * (changed.total != 1)}"
    rows.lines.append(heading(f"The agent changed {files}, +{changed.added:,} {MINUS}{changed.removed:,}"))
    for file in changed.files:
        counts = Word(f"  {file.word}  +{file.added:,} {MINUS}{file.removed:,}", Tone.MUTED)
        path = shorten_path(file.path, max(rows.width - LABEL - cells(counts.text), 8))
        rows.lines.append(text_line(path, counts, indent=LABEL))
    if changed.total > len(changed.files):
        rows.lines.append(text_line(Word(f"and {changed.total - len(changed.files):,} more", Tone.MUTED), indent=LABEL))


def _turn_rows(answers: Sequence[TurnAnswer], width: int) -> Iterator[Phrase]:
    """The answers side by side, as many in a row as fit."""
    row: list[Word] = []
    for answer in answers:
        words = _turn_words(answer)
        if row and phrase_cells((*row, *words)) > width:
            yield tuple(row)
            row = []
        row += words
    if row:
        yield tuple(row)


def _turn_words(answer: TurnAnswer) -> Phrase:
    mark = _MARKS.get(answer.state, Mark.ERROR)
    name = WHOLE_RUN_SIGN if answer.turn is None else f"T{answer.turn}"
    said = {State.PASS: "pass", State.FAIL: "fail"}.get(answer.state, answer.state.value)
    own = ", asked for" if answer.own else ""
    return (Word(f"{name} ", Tone.STRONG), Word(f"{SIGNS[mark]} ", TONES[mark]), Word(f"{said}{own}{_GAP}", Tone.MUTED))
