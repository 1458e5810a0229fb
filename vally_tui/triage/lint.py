"""Graders that cannot be right: what is wrong with each, by its syntax and by what it says of every trial. Judges; prints
nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.grading.graders import Faults, Question, Subject, ask
from vally_tui.grading.judge import Case, EvidenceSource, judge
from vally_tui.grading.model import GraderConfig, State, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Matcher, Outcome, Pattern, TimeLimit, regex, short_message
from vally_tui.triage.explain.doubts import idle_patterns
from vally_tui.triage.explain.probe import Budget, Cancelled, Probe
from vally_tui.triage.explain.shape import anchors_without_m, dots_stop_at_lines, never_matches, path_dots, slow_shape
from vally_tui.triage.explain.soften import Form, form_of
from vally_tui.triage.gathered import identity
from vally_tui.triage.regex_syntax import modifiers, repeated_names

PORTION = 64
"""Graders that are judged together."""
PORTION_BUDGET = Budget(60.0, 60.0)
"""Seconds of searching for such a portion, beyond its verdicts."""


class Severity(StrEnum):
    """How sure a finding is."""

    ERROR = "error"
    """The grader cannot say what it is meant to."""
    WARNING = "warning"
    """It may be meant so, which is unlikely."""
    NOTE = "note"
    """The trials at hand do not tell whether it is right."""


class Check(StrEnum):
    """What is looked for."""

    INVALID = "invalid"
    NEVER_MATCHES = "never-matches"
    ALWAYS_MATCHES = "always-matches"
    NEVER_FAILS = "never-fails"
    ANCHORS = "anchors-without-m"
    PATH_DOT = "dot-in-path"
    DOT_LINES = "dot-stops-at-lines"
    SLOW = "slow"
    DUPLICATE = "duplicate"
    NODE_LEVEL = "node-level"


class Linted(Struct, frozen=True):
    """A grader, and the trials that it judges."""

    stimulus: str | None
    position: int
    """0-based place among the graders of its stimulus."""
    config: GraderConfig
    trials: tuple[int, ...] = ()
    """Keys of trials with a trajectory."""
    group: object = None
    """Graders of one group are compared for duplicates: those of one stimulus in one spec or eval."""
    verdicts: tuple[Verdict, ...] | None = None
    """What it says of its trials where that is known, in any order; None: they are judged."""


class LintFinding(Struct, frozen=True):
    """One thing that is wrong with one grader."""

    grader: int
    """Index into the graders that were given."""
    check: Check
    severity: Severity
    sentence: str
    pattern: str | None = None
    """A pattern that does not have the fault, where one is sure to be valid."""


def lint(
    graders: Sequence[Linted],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
    limit: TimeLimit = FULL_LIMIT,
) -> tuple[LintFinding, ...] | None:
    """Everything that is wrong, in the order of the graders; None when cancelled. Graders that are not judged again have no
    findings but duplicates."""
    found = list(_duplicates(graders))
    try:
        for first in range(0, len(graders), PORTION):
            portion = list(enumerate(graders))[first : first + PORTION]
            found += _portion(portion, matcher, evidence, cancelled, limit)
    except Cancelled:
        return None
    order = list(Check)
    return tuple(sorted(found, key=lambda finding: (finding.grader, order.index(finding.check))))


def _portion(
    portion: Sequence[tuple[int, Linted]],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool],
    limit: TimeLimit,
) -> Iterator[LintFinding]:
    asked = [(index, grader, ask(grader.config)) for index, grader in portion]
    verdicts = _verdicts(asked, matcher, evidence, cancelled, limit)
    patterns = {question.pattern for _, _, question in asked if isinstance(question, Question) and question.pattern}
    probe = Probe(matcher, evidence, cancelled, budget=PORTION_BUDGET)
    idle = idle_patterns(patterns, probe)
    for index, grader, question in asked:
        if isinstance(question, Faults):
            yield from (_error(index, Check.INVALID, f"{sentence}.") for sentence in question.sentences)
        elif question is not None:
            yield from _about(index, grader, question, verdicts[index], idle, probe)


def _verdicts(
    asked: Sequence[tuple[int, Linted, Question | Faults | None]],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool],
    limit: TimeLimit,
) -> dict[int, list[Verdict]]:
    """The verdicts of each grader on its trials."""
    owners: list[int] = []
    cases: list[Case] = []
    for index, grader, question in asked:
        if question is not None and grader.verdicts is None:
            owners += [index] * len(grader.trials)
            cases += [Case(trial, question) for trial in grader.trials]
    verdicts = {index: list(grader.verdicts or ()) for index, grader, _ in asked}
    for number, verdict in judge(cases, evidence, matcher, limit=limit, cancelled=cancelled):
        verdicts[owners[number]].append(verdict)
    if cancelled():
        raise Cancelled
    return verdicts


def _about(
    index: int,
    grader: Linted,
    question: Question,
    verdicts: Sequence[Verdict],
    idle: frozenset[Pattern],
    probe: Probe,
) -> Iterator[LintFinding]:
    pattern = question.pattern
    refusal = probe.check([pattern])[0] if pattern is not None else None
    if pattern is not None and refusal is not None:
        yield from _about_refusal(index, pattern, refusal)
        return
    form = form_of(pattern) if pattern is not None else None
    never = never_matches(form) if form is not None and question.subject is Subject.DIFF else None
    if form is not None and pattern is not None and pattern.kind == "regex":
        yield from _about_syntax(index, form, pattern, never, question.subject)
    if pattern is not None:
        yield from _about_matches(index, grader, question, pattern, verdicts, never, pattern in idle, probe)
    yield from _about_verdicts(index, question, verdicts)


def _about_refusal(index: int, pattern: Pattern, message: str) -> Iterator[LintFinding]:
    if _needs_new_node(pattern):
        yield _level(index, pattern)
    yield _error(index, Check.INVALID, f"V8 refuses the pattern: {short_message(pattern, message)}.")


def _needs_new_node(pattern: Pattern) -> bool:
    form = form_of(pattern)
    return pattern.kind == "regex" and (
        (form is not None and modifiers(form.syntax)) or bool(repeated_names(pattern.source))
    )


def _level(index: int, pattern: Pattern) -> LintFinding:
    names = repeated_names(pattern.source)
    what = f"the group name {names[0]!r} is given twice" if names else "a group switches flags, such as (?i:…)"
    return _warning(index, Check.NODE_LEVEL, f"Valid from Node 23 on, an error before: {what}.")


def _about_syntax(
    index: int, form: Form, pattern: Pattern, never: str | None, subject: Subject
) -> Iterator[LintFinding]:
    anchors = anchors_without_m(form)
    if anchors is not None and never is None:
        mended = replace(form, flags=form.flags + "m").whole
        sentence = f"{anchors} without (?m) means the whole {subject}, not each line."
        yield _warning(index, Check.ANCHORS, sentence, mended)
    for path in path_dots(form):
        yield _warning(index, Check.PATH_DOT, f"The dot in {path} stands for any character: write \\. for a dot.")
    if subject is Subject.DIFF and dots_stop_at_lines(form):
        sentence = ". stops at the end of a line, so what follows a header here is never reached: give (?s)."
        yield _error(index, Check.DOT_LINES, sentence, replace(form, flags=form.flags + "s").whole)
    slow = slow_shape(form)
    if slow is not None:
        yield _warning(index, Check.SLOW, f"{slow} can take exponential time: repeat what is inside only once.")
    if _needs_new_node(pattern):
        yield _level(index, pattern)


def _about_matches(
    index: int,
    grader: Linted,
    question: Question,
    pattern: Pattern,
    verdicts: Sequence[Verdict],
    never: str | None,
    is_idle: bool,
    probe: Probe,
) -> Iterator[LintFinding]:
    found = [verdict.passed is question.wants_match for verdict in verdicts if _is_verdict(verdict)]
    if is_idle:
        yield _error(
            index,
            Check.ALWAYS_MATCHES,
            f"The pattern matches the empty text, so it is found in every {question.subject}.",
        )
    elif never is not None:
        yield _error(index, Check.NEVER_MATCHES, f"It can match in no diff: {never}.", _at_lines(pattern))
    elif len(found) > 1 and all(found):
        yield _note(index, Check.ALWAYS_MATCHES, f"It matches in all of its {len(found)} trials.")
    elif found and not any(found) and question.wants_match:
        with_s = _matches_across_lines(grader, question, pattern, probe)
        if with_s:
            sentence = f"It matches in none of its {len(found)} trials; with (?s), . crosses lines and {with_s} match."
            yield _warning(index, Check.DOT_LINES, sentence, _with_flag(pattern, "s"))
        else:
            yield _warning(index, Check.NEVER_MATCHES, f"It matches in none of its {_trials(len(found))}.")


def _at_lines(pattern: Pattern) -> str | None:
    """The pattern with its anchors at every line, where only that keeps it from matching."""
    form = form_of(pattern)
    if form is None or pattern.kind != "regex" or anchors_without_m(form) is None:
        return None
    mended = replace(form, flags=form.flags + "m")
    return mended.whole if never_matches(mended) is None else None


def _matches_across_lines(grader: Linted, question: Question, pattern: Pattern, probe: Probe) -> int:
    """In how many trials the pattern is found when its dots cross lines."""
    if pattern.kind != "regex" or "s" in pattern.flags or "." not in pattern.source:
        return 0
    across = regex(_with_flag(pattern, "s"))
    keys = [Case(trial, question).evidence for trial in grader.trials]
    held = [key for key in keys if isinstance(probe.evidence.holds(key), int)]
    answers: list[Answer] = probe.ask([(across, key) for key in held])
    return sum(answer.outcome is Outcome.FOUND for answer in answers)


def _with_flag(pattern: Pattern, flag: str) -> str:
    return f"(?{pattern.flags}{flag}){pattern.source}"


def _about_verdicts(index: int, question: Question, verdicts: Sequence[Verdict]) -> Iterator[LintFinding]:
    stopped = sum(verdict.state is State.TIMEOUT for verdict in verdicts)
    if stopped:
        yield _error(index, Check.SLOW, f"It took too long and was stopped on {_trials(stopped)}.")
    failed = sum(verdict.state is State.ERROR for verdict in verdicts)
    if failed:
        yield _error(index, Check.SLOW, f"V8 ran out of room for it on {_trials(failed)}.")
    judged = [verdict for verdict in verdicts if _is_verdict(verdict)]
    # For a grader that wants a match this is what "always matches" says.
    wants_none = question.pattern is None or not question.wants_match
    if len(judged) > 1 and wants_none and all(verdict.passed for verdict in judged):
        yield _note(index, Check.NEVER_FAILS, f"It fails in none of its {len(judged)} trials.")


def _duplicates(graders: Sequence[Linted]) -> Iterator[LintFinding]:
    first: dict[tuple[object, ...], int] = {}
    for index, grader in enumerate(graders):
        nameless = replace(grader.config, name=None)
        key = (grader.group, grader.stimulus, identity(nameless))
        other = first.setdefault(key, index)
        if other != index and graders[other].position != grader.position:
            where = graders[other].position + 1
            yield _warning(index, Check.DUPLICATE, f"It asks the same as grader {where} of this stimulus.")


def _is_verdict(verdict: Verdict) -> bool:
    return verdict.state in (State.PASS, State.FAIL)


def _trials(count: int) -> str:
    return f"{count} trial{'s' * (count != 1)}"


def _error(index: int, check: Check, sentence: str, pattern: str | None = None) -> LintFinding:
    return LintFinding(index, check, Severity.ERROR, sentence, pattern)


def _warning(index: int, check: Check, sentence: str, pattern: str | None = None) -> LintFinding:
    return LintFinding(index, check, Severity.WARNING, sentence, pattern)


def _note(index: int, check: Check, sentence: str) -> LintFinding:
    return LintFinding(index, check, Severity.NOTE, sentence)
