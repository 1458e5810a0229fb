"""The text of ``explain``: the finding first, then the choices with their places, then what was of no help."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from vally_tui.cli.output import Output, Tone, inert
from vally_tui.cli.wrapping import cells, cut, padded, wrapped
from vally_tui.diffs.model import LineKind
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
from vally_tui.triage.explain.whynot import KIND_WORDS, one_line
from vally_tui.triage.gathered import GatheredTrial

_WIDEST, _NARROWEST = 100, 40
_HEADS = {Stance.WHY_NOT: "Why not", Stance.WHY_SO: "Why so", Stance.WHY_UNJUDGED: "Why not judged"}
_SIGNS = {State.PASS: ("✔", Tone.PASS), State.FAIL: ("✘", Tone.FAIL), State.NO_EVIDENCE: ("?", Tone.WARN)}
_RECORDED = ("·", Tone.MUTED)
_KIND_TONES = {LineKind.ADDED: Tone.PASS, LineKind.REMOVED: Tone.FAIL}


class ExplainReport:
    """Prints explanations one after the other."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self._width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((80, 24)).columns))
        self._shown = 0

    def show(self, own: GatheredTrial, position: int, explanation: Explanation, trials: int) -> None:
        """Print one; ``trials``: on how many its choices were measured."""
        if self._shown:
            self._out.line()
        self._shown += 1
        self._heading(own, position, explanation)
        self._out.line()
        self._findings(explanation)
        for kind in explanation.kinds:
            self._kind(kind)
        if explanation.choices:
            self._choices(explanation, trials)
        if explanation.in_vain:
            self._paragraph("Tried, and of no help: " + " · ".join(map(inert, explanation.in_vain)), Tone.MUTED)
        if explanation.exhausted:
            self._paragraph("Not everything could be tried in time.", Tone.WARN)
        if explanation.changed is not None:
            self._changed(explanation.changed)
        if explanation.turns:
            self._paragraph("In turns: " + " · ".join(map(_turn_words, explanation.turns)), Tone.PLAIN)

    def _heading(self, own: GatheredTrial, position: int, explanation: Explanation) -> None:
        config, trial = explanation.subject.config, own.trial
        kind = "" if config.label == config.type else f" · {inert(config.type)}"
        first = f"{_HEADS[explanation.stance]}  grader {position + 1} · {inert(config.label)}{kind}"
        self._out.line(self._out.toned(cut(first, self._width), Tone.STRONG))
        number = f"trial {trial.trial_index or 0}"
        parts = [inert(trial.stimulus or "(no stimulus)"), number, *([inert(trial.model)] if trial.model else [])]
        self._out.line(self._out.toned(cut(" · ".join(parts), self._width), Tone.MUTED))

    def _findings(self, explanation: Explanation) -> None:
        sign, tone = _SIGNS.get(explanation.state, ("!", Tone.FAIL))
        if explanation.state in (State.RECORDED, State.UNRECORDED):
            sign, tone = _RECORDED
        for number, finding in enumerate(explanation.findings):
            mark = sign if not number else "▲" if finding.doubt else " "
            self._finding(finding, mark, tone if not number else Tone.WARN)

    def _finding(self, finding: Finding, mark: str, tone: Tone) -> None:
        lines = [line for part in finding.sentence.split("\n") for line in wrapped(inert(part), self._width - 2)]
        warn = Tone.WARN if finding.doubt else Tone.PLAIN
        for number, line in enumerate(lines):
            first = self._out.toned(mark, tone) if not number else " "
            self._out.line(f"{first} {self._out.toned(line, warn)}".rstrip())

    def _kind(self, kind: KindCount) -> None:
        word = padded(KIND_WORDS[kind.kind], 16)
        self._out.line(f"  {self._out.toned(word, _KIND_TONES.get(kind.kind, Tone.PLAIN))}{kind.count:>6,}")
        for spot in kind.spots:
            self._spot(spot, named=False)

    def _choices(self, explanation: Explanation, trials: int) -> None:
        title = "Smallest changes first" if explanation.stance is Stance.WHY_NOT else "Say what you mean"
        of = f"the {trials} trials" if trials != 1 else "the one trial"
        self._paragraph(f"{title}, each judged on this trial and on {of} with this grader:", Tone.STRONG)
        label = max(cells(choice.label) for choice in explanation.choices)
        for number, choice in enumerate(explanation.choices, 1):
            self._choice(number, choice, min(label, 34), explanation)
        wider = wider_sentence(explanation)
        if wider:
            self._paragraph(wider, Tone.MUTED)

    def _choice(self, number: int, choice: Choice, width: int, explanation: Explanation) -> None:
        written = one_line(choice.written)
        before = explanation.subject.config
        where = "" if choice.config.turn == before.turn else "  (the same pattern)"
        where = where if choice.config.type == before.type else f"  as {inert(choice.config.type)}"
        label = padded(cut(inert(choice.label), width), width)
        self._out.line(f"{number:>3}  {label}  {self._out.toned(inert(written), Tone.STRONG)}{where}")
        here = "would pass here" if choice.passes else "would fail here"
        here = "" if explanation.stance is Stance.WHY_NOT else here
        words = [word for word in (_count_words(choice.count), here, *_effect_words(choice.effect)) if word]
        self._out.line(f"     {' · '.join(words)}")
        for spot in choice.spots:
            self._spot(spot, named=True)

    def _spot(self, spot: Spot, *, named: bool) -> None:
        kind = f"  {KIND_WORDS[spot.kind]}" if named else ""
        turn = "" if spot.turn is None else f"T{spot.turn} "
        head = f"     {turn}{inert(spot.place)}{kind}  "
        room = max(self._width - cells(head), 20)
        line, start = inert(spot.line), spot.mark[0]
        if start > room - 10:
            line = "…" + line[start - 10 :]
        self._out.line(head + self._out.toned(cut(line, room), _KIND_TONES.get(spot.kind, Tone.MUTED)))

    def _changed(self, changed: Changed) -> None:
        if not changed.total:
            return
        files = f"{changed.total} file{'s' * (changed.total != 1)}"
        self._paragraph(f"The agent changed {files}, +{changed.added} −{changed.removed}:", Tone.PLAIN)
        for file in changed.files:
            self._out.line(f"     {inert(file.path)}  {file.word}  +{file.added} −{file.removed}")
        if changed.total > len(changed.files):
            self._out.line(f"     and {changed.total - len(changed.files)} more")

    def _paragraph(self, text: str, tone: Tone) -> None:
        self._out.line()
        for line in wrapped(text, self._width):
            self._out.line(self._out.toned(line, tone))


def _effect_words(effect: Effect | None) -> Iterator[str]:
    if effect is None:
        return
    yield f"+{effect.now_pass} now pass"
    yield f"−{effect.now_fail} now fail"
    if effect.unknown:
        yield f"{effect.unknown} unknown"


def _count_words(count: int | None) -> str:
    if count is None:
        return "many places"
    return f"{count:,} place{'s' * (count != 1)}" if count else "no place"


def _turn_words(answer: TurnAnswer) -> str:
    where = "whole run" if answer.turn is None else f"T{answer.turn}"
    return f"{where} {answer.state.value}{' (asked for)' if answer.own else ''}"
