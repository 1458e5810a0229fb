"""The text report of ``grade``, made for people: what failed first, why, and what is different from the record.

Each state has its sign and its word, so nothing is lost without colour. Text from outside is made inert here, piece by
piece, before it becomes a line.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from vally_tui.cli.output import Output, Tone, inert
from vally_tui.cli.wrapping import cells, cut, padded, wrapped
from vally_tui.grading.model import State
from vally_tui.runs.model import LoadIssue, RunSource
from vally_tui.triage.judged import JudgedGrader, JudgedTrial, Step, says_fail
from vally_tui.triage.options import Only, Options
from vally_tui.triage.standing import Standing

_WIDEST, _NARROWEST = 100, 40
_EVIDENCE_LINES = 8
"""Lines of one sentence of evidence that are shown; recorded ones can be whole essays."""
_EVIDENCE_LENGTH = 4000
_NAME_CELLS, _MODEL_CELLS = 46, 28


class _Look(Struct, frozen=True):
    sign: str
    word: str
    tone: Tone


_STANDINGS = {
    Standing.FAILED: _Look("✘", "failed", Tone.FAIL),
    Standing.ERROR: _Look("!", "error", Tone.FAIL),
    Standing.NO_EVIDENCE: _Look("?", "no evidence", Tone.WARN),
    Standing.UNGRADED: _Look("·", "ungraded", Tone.MUTED),
    Standing.SKIPPED: _Look("–", "skipped", Tone.MUTED),
    Standing.PASSED: _Look("✔", "passed", Tone.PASS),
}
"""Worst first."""
_WORST_FIRST = {standing: rank for rank, standing in enumerate(_STANDINGS)}

_STATES = {
    State.PASS: _Look("✔", "pass", Tone.PASS),
    State.FAIL: _Look("✘", "fail", Tone.FAIL),
    State.NO_EVIDENCE: _Look("?", "no evidence", Tone.WARN),
    State.INVALID: _Look("!", "invalid", Tone.FAIL),
    State.TIMEOUT: _Look("!", "too slow", Tone.FAIL),
    State.ERROR: _Look("!", "error", Tone.FAIL),
    State.UNRECORDED: _Look("·", "not recorded", Tone.MUTED),
}
_RECORDED = {
    True: _Look("✔", "recorded pass", Tone.MUTED),
    False: _Look("✘", "recorded fail", Tone.FAIL),
    None: _Look("·", "recorded without a verdict", Tone.MUTED),
}


class TextReport:
    """Prints a run when it is judged to its end, as what is worst in it comes first."""

    def __init__(self, out: Output, options: Options) -> None:
        self._out = out
        self._only = options.only
        self._spec = options.spec
        self._width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size((80, 24)).columns))
        self._trials: list[JudgedTrial] = []
        self._shown = 0
        self._counts: Counter[Standing] = Counter()
        self._flips: Counter[bool] = Counter()
        self._all: Counter[Standing] = Counter()
        self._runs = 0
        self._told: dict[int, tuple[object, list[str]]] = {}

    def issue(self, issue: LoadIssue) -> None:
        """Issues are on standard error."""

    def step(self, step: Step, shown: tuple[JudgedTrial, ...]) -> None:
        """Keep what is shown until the run ends, and count everything."""
        self._counts.update(trial.standing for trial in step.trials)
        self._flips.update(
            grader.verdict.passed is True for trial in step.trials for grader in trial.graders if grader.flipped
        )
        self._trials.extend(shown)
        if step.last:
            self._print_run(step.source)

    def end(self) -> None:
        """Print the total of several runs."""
        if self._runs > 1:
            self._out.line(self._out.toned(f"{self._runs} runs", Tone.STRONG) + "  " + self._tally(self._all))

    def _print_run(self, source: RunSource) -> None:
        out = self._out
        out.line(out.toned(cut(inert(source.name), self._width), Tone.STRONG))
        out.line(self._tally(self._counts))
        for line in self._remarks(source):
            out.line(out.toned(line, Tone.MUTED))
        out.line()
        for stimulus, trials in _by_stimulus(self._trials):
            self._print_stimulus(stimulus, trials)
        self._all.update(self._counts)
        self._runs += 1
        self._trials, self._counts, self._flips = [], Counter(), Counter()

    def _remarks(self, source: RunSource) -> Iterator[str]:
        """What is to be known about the run as a whole."""
        yield inert(source.shown)
        if self._spec is not None:
            yield from wrapped(f"judged by the graders of {inert(self._spec)}", self._width)
        if self._flips:
            now = [
                f"{self._flips[passed]} now {word}"
                for passed, word in ((True, "pass"), (False, "fail"))
                if self._flips[passed]
            ]
            yield f"differs from the record: {' · '.join(now)}"
        if self._only is not None:
            yield f"only {_ONLY_WORDS[self._only]}: {len(self._trials)} of {self._counts.total()} trials are shown"

    def _tally(self, counts: Counter[Standing]) -> str:
        """Every state that there is, worst first, and the total that they add up to."""
        parts = [
            self._out.toned(f"{look.sign} {counts[standing]} {look.word}", look.tone)
            for standing, look in _STANDINGS.items()
            if counts[standing]
        ]
        total = counts.total()
        return "  ".join([*parts, f"of {total} {'trial' if total == 1 else 'trials'}"])

    def _print_stimulus(self, stimulus: str | None, trials: Sequence[JudgedTrial]) -> None:
        passed = sum(trial.standing is Standing.PASSED for trial in trials)
        said = f"{passed} of {len(trials)} passed"
        name = cut(inert(stimulus) if stimulus is not None else "(no stimulus)", self._width - len(said) - 2)
        self._out.line(self._out.toned(name, Tone.STRONG) + "  " + said)
        model = max(map(cells, {_model(trial) for trial in trials}))
        self._told = {}
        for trial in sorted(trials, key=lambda trial: _WORST_FIRST[trial.standing]):
            self._print_trial(trial, min(model, _MODEL_CELLS))
        self._out.line()

    def _print_trial(self, judged: JudgedTrial, model_cells: int) -> None:
        look = _STANDINGS[judged.standing]
        number = "" if judged.trial.trial_index is None else f"trial {judged.trial.trial_index}"
        row = [
            self._out.toned(padded(f"  {look.sign} {look.word}", 15), look.tone),
            padded(number, 8),
            padded(cut(_model(judged), model_cells), model_cells),
            _result(judged),
        ]
        self._out.line("  ".join([part for part in row if part.strip()]).rstrip())
        for line in self._trial_remarks(judged):
            self._out.line(line)
        for line in self._news(judged.graders):
            self._out.line(line)

    def _news(self, graders: tuple[JudgedGrader, ...]) -> list[str]:
        """What is to be told of a trial's graders. Trials with the same outcome share theirs, and hence these lines."""
        # The graders are kept, so that their identity stays their own.
        known = self._told.get(id(graders))
        if known is None:
            known = self._told[id(graders)] = (graders, list(self._news_lines(graders)))
        return known[1]

    def _news_lines(self, graders: Sequence[JudgedGrader]) -> Iterator[str]:
        news = [grader for grader in graders if _is_news(grader)]
        for grader, following in zip_longest(news, news[1:]):
            yield self._head(grader)
            # Graders that lack the same evidence share its sentence.
            if following is None or following.evidence != grader.evidence:
                yield from self._evidence(grader)

    def _trial_remarks(self, judged: JudgedTrial) -> Iterator[str]:
        trial = judged.trial
        if trial.error:
            yield from self._text(f"error: {trial.error}", "      ")
        if trial.skip_reason:
            yield from self._text(f"skipped: {trial.skip_reason}", "      ")
        if not trial.has_trajectory:
            yield "      no trajectory is recorded: there is nothing to judge"
        elif not judged.graders:
            yield "      no graders are known of it"

    def _head(self, grader: JudgedGrader) -> str:
        look = _look(grader)
        turn = grader.config.turn
        scope = f" T{turn}" if isinstance(turn, int) and not isinstance(turn, bool) else ""
        kind = "" if grader.name == grader.config.type else f" · {cut(inert(grader.config.type), 24)}"
        head = f"{look.sign} {cut(inert(grader.name), _NAME_CELLS)}{kind}{scope}"
        return f"      {self._out.toned(head, look.tone)}  {_outcome(grader)}"

    def _evidence(self, grader: JudgedGrader) -> Iterator[str]:
        if grader.evidence:
            for line in self._text(grader.evidence, "        "):
                yield self._out.toned(line, Tone.MUTED)

    def _text(self, text: str, indent: str) -> Iterator[str]:
        """Some text from outside, line by line, cut where it is an essay."""
        kept = text if len(text) <= _EVIDENCE_LENGTH else text[:_EVIDENCE_LENGTH] + "…"
        lines = [
            line for part in kept.strip("\n").split("\n") for line in wrapped(inert(part), self._width - len(indent))
        ]
        for line in lines[:_EVIDENCE_LINES]:
            yield (indent + line).rstrip()
        if len(lines) > _EVIDENCE_LINES:
            yield f"{indent}… {len(lines) - _EVIDENCE_LINES} more lines"


_ONLY_WORDS = {
    Only.FAILED: "trials with a failing grader",
    Only.ERROR: "trials in error or without evidence",
    Only.FLIPPED: "trials that differ from the record",
}


def _by_stimulus(trials: Iterable[JudgedTrial]) -> list[tuple[str | None, list[JudgedTrial]]]:
    """Stimuli with their trials, those with the worst trials first, else in the order of the file."""
    found: dict[str | None, list[JudgedTrial]] = {}
    for trial in trials:
        found.setdefault(trial.trial.stimulus, []).append(trial)
    return sorted(found.items(), key=lambda item: min(_WORST_FIRST[trial.standing] for trial in item[1]))


def _model(judged: JudgedTrial) -> str:
    return inert(judged.trial.model or "")


def _result(judged: JudgedTrial) -> str:
    grade = judged.grade
    if grade is None:
        return ""
    score = "" if grade.score is None else f"  score {grade.score:.2f}"
    return f"{grade.evidence}{score}"


def _look(grader: JudgedGrader) -> _Look:
    state = grader.verdict.state
    return _RECORDED[grader.verdict.passed] if state is State.RECORDED else _STATES[state]


def _is_news(grader: JudgedGrader) -> bool:
    """Whether a person has to look at a grader: it did not pass, or it differs from the record."""
    return grader.flipped or grader.verdict.passed is not True or says_fail(grader.verdict)


def _outcome(grader: JudgedGrader) -> str:
    """The word of a verdict, and what it was in the record where that differs or is lost."""
    word = _look(grader).word
    lost = grader.verdict.broken and grader.recorded_passed is True
    return f"recorded {'pass' if grader.recorded_passed else 'fail'} → now {word}" if grader.flipped or lost else word
