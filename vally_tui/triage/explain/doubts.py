"""What takes weight from a pass: it would stand had the agent done nothing, or something else. Owns these judgements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Question
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import Absent
from vally_tui.grading.pattern import Answer, Matcher, Outcome, Pattern
from vally_tui.triage.explain.ground import Ground, key_of
from vally_tui.triage.explain.model import Doubt, Explained, Finding
from vally_tui.triage.explain.probe import Budget, Cancelled, Probe, Sample
from vally_tui.triage.explain.shape import aims, never_matches
from vally_tui.triage.explain.soften import form_of
from vally_tui.triage.explain.whynot import one_line
from vally_tui.triage.explain.whyso import by_kind, doubt_of_kinds, strength

SPANS = 64
"""Matches that are looked at before a pass is taken to be in no added line."""
PORTION = 200
"""Passes that are looked at in one call."""
PORTION_BUDGET = Budget(20.0, 20.0)
"""Seconds for such a call, which gives way to everything more urgent; a pass that takes longer has no doubt."""
_SAMPLES = (Sample(""), Sample("\x00"))
PATHS_NAMED = 3
_WEAK_FOR = {
    "context-only": "only context",
    "section-only": "only a heading",
    "never-added": "nothing added",
    "trial-error": "trial in error",
    "blind-spot": "unseen files",
}


def doubts(
    subjects: Sequence[Explained],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[int, Finding] | None:
    """The first doubt about each of these passes, by its index; None when cancelled.

    ``subjects`` are graders that pass now; those that are not judged again have none.
    """
    found: dict[int, Finding] = {}
    try:
        for first in range(0, len(subjects), PORTION):
            probe = Probe(matcher, evidence, cancelled, budget=PORTION_BUDGET)
            portion = list(enumerate(subjects))[first : first + PORTION]
            found |= _of_portion(portion, probe)
    except Cancelled:
        return None
    return found


def short_of(doubt: Finding) -> str:
    """A doubt in two or three words, for lists: "vacuous", or what makes a pass weak."""
    more = _WEAK_FOR.get(doubt.code) if doubt.doubt is Doubt.WEAK else None
    return f"{doubt.doubt}: {more}" if more else f"{doubt.doubt}"


def _of_portion(portion: Iterable[tuple[int, Explained]], probe: Probe) -> dict[int, Finding]:
    judged = [
        (index, subject, question) for index, subject in portion if isinstance(question := subject.question, Question)
    ]
    judged = [
        entry for entry in judged if not isinstance(probe.evidence.holds(key_of(entry[1].trial, entry[2])), Absent)
    ]
    finds = [entry for entry in judged if entry[2].wants_match and entry[2].pattern is not None]
    idle = idle_patterns({question.pattern for _, _, question in finds if question.pattern is not None}, probe)
    asked = [(_pattern(question), key_of(subject.trial, question)) for _, subject, question in finds]
    answers = probe.ask(asked, spans=SPANS)
    by_index = {index: answer for (index, _, _), answer in zip(finds, answers, strict=True)}
    found = {}
    for index, subject, question in judged:
        probe.breathe()
        about = _of_one(subject, question, by_index.get(index), idle, probe)
        if about:
            found[index] = about[0]
    return found


def _of_one(
    subject: Explained, question: Question, answer: Answer | None, idle: Collection[Pattern], probe: Probe
) -> tuple[Finding, ...]:
    ground = Ground(key_of(subject.trial, question), probe.evidence)
    if answer is None:
        return about_pass(subject, question, ground, frozenset(), idle)
    if answer.outcome is not Outcome.FOUND or (_surely_added(ground, answer) and question.pattern not in idle):
        return about_pass(subject, question, ground, frozenset({LineKind.ADDED}), ())
    # With all places used up, an added line may stand behind them.
    full = len(answer.spans) >= SPANS
    kinds = frozenset(kind.kind for kind in by_kind(ground, answer.spans)) | ({LineKind.ADDED} if full else set())
    return about_pass(subject, question, ground, kinds, idle)


def _surely_added(ground: Ground, answer: Answer) -> bool:
    """Whether a match begins in a row that only looks like an added line."""
    starts = (ground.text.rfind("\n", 0, start) + 1 for start in answer.spans.starts)
    return any(ground.text.startswith("+", start) and not ground.text.startswith("+++ ", start) for start in starts)


def idle_patterns(patterns: Collection[Pattern], probe: Probe) -> frozenset[Pattern]:
    """The patterns that are found in any text, also in an empty one."""
    ordered = list(patterns)
    answers = probe.ask([(pattern, sample) for pattern in ordered for sample in _SAMPLES]) if ordered else []
    found = [answer.outcome is Outcome.FOUND for answer in answers]
    return frozenset(pattern for number, pattern in enumerate(ordered) if all(found[2 * number : 2 * number + 2]))


def about_pass(
    subject: Explained,
    question: Question,
    ground: Ground,
    classes: frozenset[LineKind],
    idle: Collection[Pattern],
) -> tuple[Finding, ...]:
    """Every doubt about a pass; ``classes``: of the lines with a match, ``idle``: patterns that are found anywhere."""
    found = []
    if question.pattern is not None and question.pattern in idle:
        found.append(
            Finding(
                "matches-empty",
                f"The pattern matches the empty text, so it is found in every {question.subject}.",
                doubt=Doubt.VACUOUS,
            )
        )
    elif question.wants_match and question.pattern is not None and ground.is_diff:
        weak = doubt_of_kinds(classes, aims(form_of(question.pattern)))
        if weak is not None:
            found.append(Finding(weak[0], f"It is found {weak[1]}.", doubt=strength(classes)))
    if not question.wants_match:
        found += _about_restraint(question, ground)
    if question.pattern is None or not question.wants_match:
        found += _about_blind_spots(subject, question, ground)
    if subject.error is not None:
        why = f": {subject.error}" if subject.error else "."
        found.append(
            Finding("trial-error", f"The trial ended in an error, so its change is unfinished{why}", doubt=Doubt.WEAK)
        )
    return tuple(found)


def _about_restraint(question: Question, ground: Ground) -> list[Finding]:
    assert question.pattern is not None
    if not ground.text:
        sentence = f"The {question.subject} is empty: there is nothing that it could be found in."
        return [Finding(f"empty-{question.subject}", sentence, doubt=Doubt.VACUOUS)]
    form = form_of(question.pattern)
    reason = never_matches(form) if form is not None and ground.is_diff else None
    return [Finding("never-matches", f"It can match in no diff: {reason}.", doubt=Doubt.VACUOUS)] if reason else []


def _about_blind_spots(subject: Explained, question: Question, ground: Ground) -> list[Finding]:
    """Files that the agent wrote and the diff does not show; which turn wrote them is not known."""
    if question.turn is not None and not (question.turn == 0 and subject.single_turn):
        return []
    hidden = hidden_paths(subject.written, ground) if ground.is_diff else ()
    if not hidden:
        return []
    more = len(hidden) - PATHS_NAMED
    names = ", ".join(map(one_line, hidden[:PATHS_NAMED])) + (f" and {more} more" if more > 0 else "")
    sentence = (
        f"A recorded tool call wrote {names}, which the diff does not show: "
        "it is ignored by git, in a nested repository, or was changed back."
    )
    return [Finding("blind-spot", sentence, doubt=Doubt.WEAK)]


def hidden_paths(written: Iterable[str], ground: Ground) -> tuple[str, ...]:
    """Those of the written files in the workspace that the diff does not name."""
    shown = {path for file in ground.index.files for path in (file.path, file.old_path) if path}
    inside = (path for path in written if path and not path.startswith(("/", "~", "../")) and path[1:2] != ":")
    return tuple(dict.fromkeys(path for path in inside if path not in shown))


def _pattern(question: Question) -> Pattern:
    assert question.pattern is not None
    return question.pattern
