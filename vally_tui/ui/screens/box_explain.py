"""Why not, why so: the finding first, then what could be changed, each with its places and its effect on the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual import events

from vally_tui.diffs.model import LineKind
from vally_tui.grading.model import GraderConfig, State
from vally_tui.triage.explain.model import Choice, Effect, Explanation, Finding, KindCount, Spot, Stance, TurnAnswer
from vally_tui.triage.explain.whynot import KIND_WORDS, one_line
from vally_tui.triage.views_model import Hint, Mark, Phrase, Tone, Word
from vally_tui.ui.commands import Keymap
from vally_tui.ui.render.cells import wrap_words
from vally_tui.ui.render.signs import LOOK, MINUS, SIGNS, TONES
from vally_tui.ui.render.styles import Ground
from vally_tui.ui.widgets.line_list import BLANK, Line, heading, text_line
from vally_tui.ui.widgets.overlay import Overlay

HEADS = {Stance.WHY_NOT: "Why not", Stance.WHY_SO: "Why so", Stance.WHY_UNJUDGED: "Why not judged"}
LABEL, PATTERN = 3, 26
_MARKS = {
    State.PASS: Mark.PASS,
    State.FAIL: Mark.FAIL,
    State.NO_EVIDENCE: Mark.NO_EVIDENCE,
    State.RECORDED: Mark.RECORDED,
}
_GROUNDS = {LineKind.ADDED: Ground.ADDED, LineKind.REMOVED: Ground.REMOVED}


@dataclass(frozen=True, slots=True)
class TryConfig:
    """The person wants to try this config in the field."""

    config: GraderConfig


@dataclass(frozen=True, slots=True)
class ShowPlace:
    """The person wants to see this place of the evidence."""

    spot: Spot


class ExplainBox(Overlay[TryConfig | ShowPlace]):
    """Waits for an explanation and shows it."""

    def __init__(self, keymap: Keymap, number: int, about: Sequence[str], *, copy: Callable[[str, str], None]) -> None:
        """``number`` of the grader, in whose look matches are drawn; ``about`` names it and its trial."""
        super().__init__(keymap, "explain")
        self._number, self._about, self._copy = number, tuple(about), copy
        self._explanation: Explanation | None = None
        self._choices: dict[int, Choice | Spot] = {}
        """What stands at a row that can be chosen."""

    def take(self, explanation: Explanation) -> None:
        """Show this explanation; the cursor stays where it is when only effects came in."""
        first = self._explanation is None
        self._explanation = explanation
        at = self.list.cursor
        self.fill()
        if not first and at >= 0:
            self.list.move_to(at, say=False)

    def fill(self) -> None:
        """The rows."""
        explanation = self._explanation
        if explanation is None:
            self.show_title("Why", *self._about)
            self.show_lines([text_line(Word("Looking for the reason …", Tone.MUTED))])
            self.show_keys(Hint("esc", "close"))
            return
        self.show_title(HEADS[explanation.stance], *self._about)
        self._choices = {}
        lines = self._findings(explanation)
        for kind in explanation.kinds:
            self._kind(lines, kind)
        if explanation.choices:
            self._say_choices(lines, explanation)
        self._say_rest(lines, explanation)
        self.show_lines(lines, cursor=next(iter(self._choices), 0))
        keys = [Hint("enter", "try in the field")] if explanation.choices else []
        places = [Hint("space", "show the place")] if self._choices else []
        self.show_keys(*keys, *places, Hint("y", "copy"), Hint("esc", "close"))

    # Rows

    def _findings(self, explanation: Explanation) -> list[Line]:
        lines: list[Line] = []
        for number, finding in enumerate(explanation.findings):
            mark = _MARKS.get(explanation.state, Mark.ERROR)
            sign = Word(SIGNS[mark], TONES[mark]) if not number else Word(LOOK if finding.doubt else " ", Tone.WARN)
            lines += self._sentence(finding, sign, strong=not number)
        return lines

    def _sentence(self, finding: Finding, sign: Word, *, strong: bool) -> list[Line]:
        tone = Tone.STRONG if strong else Tone.WARN if finding.doubt else Tone.PLAIN
        rows = [row for part in finding.sentence.split("\n") for row in wrap_words(part, self.text_width - 2)]
        return [
            Line(((0, (sign,)), (2, (Word(row, tone),)))) if not index else text_line(Word(row, tone), indent=2)
            for index, row in enumerate(rows)
        ]

    def _kind(self, lines: list[Line], kind: KindCount) -> None:
        if lines and lines[-1] is not BLANK and not any(isinstance(one, Spot) for one in self._choices.values()):
            lines.append(BLANK)
        head: Phrase = (Word(KIND_WORDS[kind.kind], Tone.STRONG, bold=True),)
        count: Phrase = (Word(f"{kind.count:,}", Tone.STRONG),)
        if not kind.spots:
            lines.append(Line(((0, head), (16, count))))
        for index, spot in enumerate(kind.spots):
            first = ((0, head), (16, count)) if not index else ()
            self._choices[len(lines)] = spot
            lines.append(self._spot(spot, first, kind=False))

    def _spot(self, spot: Spot, before: tuple[tuple[int, Phrase], ...] = (), *, kind: bool = True) -> Line:
        turn = "" if spot.turn is None else f"T{spot.turn} "
        place = (LABEL if not before and kind else 22, (Word(f"{turn}{spot.place}", Tone.MUTED),))
        column = PATTERN if kind else 46
        words = excerpt(spot, max(self.text_width - column - 10, 10))
        right: Phrase = (Word(KIND_WORDS[spot.kind], Tone.MUTED),) if kind else ()
        parts = (*before, place, (column, words))
        return Line(
            parts, right, selectable=not kind, number=self._number, ground=_GROUNDS.get(spot.kind) if kind else None
        )

    def _say_choices(self, lines: list[Line], explanation: Explanation) -> None:
        why_not = explanation.stance is Stance.WHY_NOT
        lines.append(BLANK)
        lines.append(heading("Smallest changes first, each judged in V8:" if why_not else "Say what you mean"))
        for number, choice in enumerate(explanation.choices, 1):
            lines.append(BLANK)
            self._choices[len(lines)] = choice
            wider = Word(" wider", Tone.WARN) if choice.wider else Word("")
            lines.append(
                Line(
                    (
                        (0, (Word(str(number)),)),
                        (LABEL, (Word(choice.label),)),
                        (PATTERN, (Word(one_line(choice.written), Tone.STRONG), wider)),
                    ),
                    _effect(choice.effect),
                    selectable=True,
                )
            )
            here = "" if why_not else f"would {'pass' if choice.passes else 'fail'} here"
            count = "" if choice.count is None or not why_not else f"{choice.count:,} place{'s' * (choice.count != 1)}"
            if here or (count and not choice.spots):
                lines.append(text_line(Word(here or count, Tone.MUTED), indent=PATTERN))
            lines += [self._spot(spot) for spot in choice.spots]

    def _say_rest(self, lines: list[Line], explanation: Explanation) -> None:
        if explanation.in_vain:
            lines += [BLANK, heading("Tried, and of no help")]
            lines += self._wrapped(" · ".join(explanation.in_vain), Tone.MUTED)
        if explanation.exhausted:
            lines.append(text_line(Word("Not everything could be tried in time.", Tone.WARN)))
        changed = explanation.changed
        if changed is not None and changed.total:
            files = f"{changed.total} file{'s' * (changed.total != 1)}"
            lines += [BLANK, heading(f"The agent changed {files}, +{changed.added} {MINUS}{changed.removed}")]
            lines += [
                text_line(
                    file.path, Word(f"  {file.word}  +{file.added} {MINUS}{file.removed}", Tone.MUTED), indent=LABEL
                )
                for file in changed.files
            ]
        if explanation.turns:
            lines += [BLANK, heading("In the other turns")]
            lines.append(text_line(*(word for answer in explanation.turns for word in _turn_words(answer))))
        if explanation.choices:
            lines += [
                BLANK,
                text_line(Word("Nothing is saved: a choice goes into the field as an unsaved edit.", Tone.MUTED)),
            ]

    def _wrapped(self, text: str, tone: Tone) -> list[Line]:
        return [text_line(Word(row, tone)) for row in wrap_words(text, self.text_width)]

    # Keys

    def choose(self, index: int) -> None:
        """Enter: a choice is tried, a place is shown."""
        chosen = self._choices.get(index)
        if isinstance(chosen, Choice):
            self.dismiss(TryConfig(chosen.config))
        elif isinstance(chosen, Spot):
            self.dismiss(ShowPlace(chosen))

    def on_key(self, event: events.Key) -> None:
        """Space shows the place, y copies; the rest moves."""
        chosen = self._choices.get(self.list.cursor)
        if event.key == "space" and chosen is not None:
            event.stop()
            spot = chosen if isinstance(chosen, Spot) else next(iter(chosen.spots), None)
            if spot is not None:
                self.dismiss(ShowPlace(spot))
        elif event.key == "y" and self._explanation is not None:
            event.stop()
            if isinstance(chosen, Choice):
                self._copy(chosen.written, "the pattern")
            else:
                self._copy(self._explanation.headline, "the finding")
        else:
            super().on_key(event)


def excerpt(spot: Spot, width: int) -> Phrase:
    """A row with its match marked, from a place on from which the match is seen."""
    start, end = spot.mark
    first = max(0, min(start - 8, start - width + 20)) if end > width else 0
    lead = "…" if first else ""
    return (
        Word(lead + spot.line[first:start], Tone.PLAIN),
        Word(spot.line[start:end], Tone.MATCH),
        Word(spot.line[end:], Tone.PLAIN),
    )


def _effect(effect: Effect | None) -> Phrase:
    if effect is None:
        return (Word("… measuring", Tone.MUTED),)
    plus, minus = effect.now_pass, effect.now_fail
    return (
        Word(f"+{plus:,} now pass", Tone.PASS if plus else Tone.MUTED, bold=plus > 0),
        Word(f"  {MINUS}{minus:,} now fail", Tone.FAIL if minus else Tone.MUTED, bold=minus > 0),
    )


def _turn_words(answer: TurnAnswer) -> tuple[Word, ...]:
    mark = _MARKS.get(answer.state, Mark.ERROR)
    name = "Σ" if answer.turn is None else f"T{answer.turn}"
    own = " (its own)" if answer.own else ""
    return (Word(f"{name} ", Tone.STRONG), Word(SIGNS[mark], TONES[mark]), Word(f"{own}   ", Tone.MUTED))
