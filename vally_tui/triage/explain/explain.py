"""Why a grader says what it says of a trial: asks whoever knows, and puts the answers together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vally_tui.diffs.model import LineKind
from vally_tui.grading.graders import Faults, Question, kept_because
from vally_tui.grading.judge import Case, EvidenceSource, judge
from vally_tui.grading.model import State, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, Outcome, Pattern, TimeLimit, regex, short_message
from vally_tui.triage.explain.configs import with_pattern
from vally_tui.triage.explain.doubts import about_pass, idle_patterns
from vally_tui.triage.explain.ground import Ground, key_of
from vally_tui.triage.explain.lens import turn_answers
from vally_tui.triage.explain.model import Choice, Explained, Explanation, Finding, Near, Stance, TurnAnswer
from vally_tui.triage.explain.probe import Cancelled, Probe, budget_for
from vally_tui.triage.explain.repair import repairs
from vally_tui.triage.explain.shape import aims, slow_shape
from vally_tui.triage.explain.soften import form_of
from vally_tui.triage.explain.whynot import Search, named, the_text
from vally_tui.triage.explain.whyso import LOOKED_AT, Found, about_found, broken_by, by_kind, sharper_choices


def explain(
    subject: Explained,
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
    limit: TimeLimit = FULL_LIMIT,
) -> Explanation | None:
    """Everything that is known of a verdict; None when cancelled.

    ``limit`` is that of judging: the verdict that is explained is the one that judging gives.
    """
    try:
        return _Explaining(subject, matcher, evidence, cancelled, limit).whole()
    except Cancelled:
        return None


def nearly(
    subject: Explained,
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
    limit: TimeLimit = FULL_LIMIT,
) -> Near | None:
    """Only where a failing grader nearly matched, or which line broke it; None where neither is so, or when cancelled."""
    try:
        return _Explaining(subject, matcher, evidence, cancelled, limit).near()
    except Cancelled:
        return None


class _Explaining:
    """One explanation while it is made."""

    def __init__(
        self,
        subject: Explained,
        matcher: Matcher,
        evidence: EvidenceSource,
        cancelled: Callable[[], bool],
        limit: TimeLimit,
    ) -> None:
        self._subject = subject
        self._matcher = matcher
        self._evidence = evidence
        self._cancelled = cancelled
        self._limit = limit
        self._probe = Probe(matcher, evidence, cancelled, budget_for(_length(subject, evidence)))

    def whole(self) -> Explanation:
        question = self._subject.question
        if question is None:
            return self._unjudged(State.RECORDED, self._as_recorded())
        verdict = self._verdict(question)
        if isinstance(question, Faults):
            return self._unjudged(verdict.state, tuple(Finding("invalid", f"{fault}.") for fault in question.sentences))
        match verdict.state:
            case State.INVALID:
                return self._refused(question, verdict)
            case State.PASS | State.FAIL:
                return self._judged(question, verdict)
            case State.NO_EVIDENCE:
                finding = Finding("no-evidence", f"{verdict.evidence}")
                return self._unjudged(verdict.state, (finding,), turns=self._turns(question))
        return self._unjudged(verdict.state, _about_stopped(question, verdict))

    def near(self) -> Near | None:
        question = self._subject.question
        if not isinstance(question, Question):
            return None
        verdict = self._verdict(question)
        if verdict.state is not State.FAIL:
            return None
        ground = Ground(key_of(self._subject.trial, question), self._evidence)
        if question.pattern is None:
            return _first_change(ground)
        if question.wants_match:
            return Search(self._subject, question, ground, self._probe).near()
        return broken_by(question, Found(verdict.match_count, by_kind(ground, verdict.spans)))

    def _verdict(self, question: Question | Faults) -> Verdict:
        case = Case(self._subject.trial, question, LOOKED_AT, count=True)
        for _, verdict in judge([case], self._evidence, self._matcher, limit=self._limit, cancelled=self._cancelled):
            return verdict
        raise Cancelled

    # Judged

    def _judged(self, question: Question, verdict: Verdict) -> Explanation:
        ground = Ground(key_of(self._subject.trial, question), self._evidence)
        if question.pattern is None:
            return self._about_emptiness(question, verdict, ground)
        found = Found(verdict.match_count, by_kind(ground, verdict.spans))
        if verdict.state is State.FAIL:
            return self._broken(question, ground, found) if found.kinds else self._why_not(question, ground)
        return self._passed(question, ground, found)

    def _why_not(self, question: Question, ground: Ground) -> Explanation:
        result = Search(self._subject, question, ground, self._probe).all()
        return Explanation(
            self._subject,
            Stance.WHY_NOT,
            State.FAIL,
            result.findings,
            result.choices,
            result.in_vain,
            result.near,
            changed=ground.changed() if ground.is_diff and not result.choices else None,
            turns=self._turns(question),
            exhausted=self._probe.exhausted,
        )

    def _broken(self, question: Question, ground: Ground, found: Found) -> Explanation:
        findings = about_found(question, found, frozenset())
        choices = sharper_choices(self._subject, question, ground, found, self._probe)
        if not choices and LineKind.ADDED in found.classes:
            findings += (Finding("as-meant", "The agent added that line itself: no narrower pattern would pass here."),)
        return Explanation(
            self._subject,
            Stance.WHY_SO,
            State.FAIL,
            findings,
            choices,
            near=broken_by(question, found),
            kinds=found.kinds,
            turns=self._turns(question),
            exhausted=self._probe.exhausted,
        )

    def _passed(self, question: Question, ground: Ground, found: Found) -> Explanation:
        pattern = question.pattern
        assert pattern is not None
        idle = idle_patterns([pattern], self._probe) if question.wants_match else frozenset()
        doubts = about_pass(self._subject, question, ground, found.classes, idle)
        if question.wants_match:
            aimed = aims(form_of(pattern))
            heads = about_found(question, found, aimed)
            weak = heads[0].doubt is not None
            doubts = tuple(doubt for doubt in doubts if doubt.code != heads[0].code)
        else:
            heads = (Finding("not-found", _absence(question, ground)),)
            weak = False
        choices = sharper_choices(self._subject, question, ground, found, self._probe) if weak else ()
        return Explanation(
            self._subject,
            Stance.WHY_SO,
            State.PASS,
            (*heads, *doubts),
            choices,
            kinds=found.kinds,
            turns=self._turns(question),
            exhausted=self._probe.exhausted,
        )

    def _about_emptiness(self, question: Question, verdict: Verdict, ground: Ground) -> Explanation:
        if verdict.state is State.PASS:
            head = Finding(
                "empty", f"{_capital(the_text(question))} is empty: the agent changed nothing that it shows."
            )
            findings = (head, *about_pass(self._subject, question, ground, frozenset(), ()))
            return Explanation(self._subject, Stance.WHY_SO, State.PASS, findings, turns=self._turns(question))
        changed = ground.changed()
        near = _first_change(ground)
        files = f"{changed.total} file{'s' * (changed.total != 1)} changed, +{changed.added} −{changed.removed}"
        stray = "it holds only text outside of files" if ground.text.strip() else "it holds blanks"
        what = files if changed.total else stray
        head = Finding(
            "not-empty", f"{_capital(the_text(question))} is not empty: {what}.", near.spot if near else None
        )
        return Explanation(
            self._subject,
            Stance.WHY_SO,
            State.FAIL,
            (head,),
            near=near,
            changed=changed,
            turns=self._turns(question),
        )

    def _turns(self, question: Question) -> tuple[TurnAnswer, ...]:
        return turn_answers(self._subject, question, self._matcher, self._evidence, self._cancelled)

    # Not judged

    def _unjudged(
        self,
        state: State,
        findings: Sequence[Finding],
        choices: Sequence[Choice] = (),
        turns: tuple[TurnAnswer, ...] = (),
    ) -> Explanation:
        return Explanation(self._subject, Stance.WHY_UNJUDGED, state, tuple(findings), tuple(choices), turns=turns)

    def _as_recorded(self) -> tuple[Finding, ...]:
        recorded = self._subject.recorded
        kind = self._subject.config.type
        kept = kept_because(self._subject.config)
        why = f"A {kind} grader is not judged again: what was recorded stands." if kept is None else f"It has {kept}."
        first = Finding("recorded", why)
        if recorded is None:
            return (Finding("unrecorded", f"No result of this {kind} grader is recorded, and it is not judged again."),)
        return (first, Finding("evidence", recorded.evidence)) if recorded.evidence else (first,)

    def _refused(self, question: Question, verdict: Verdict) -> Explanation:
        pattern = question.pattern
        assert pattern is not None
        message = short_message(pattern, self._probe.check([pattern])[0] or "")
        head = Finding("invalid-pattern", f"V8 refuses {named(question)}: {message}.")
        return self._unjudged(verdict.state, (head,), self._repaired(question, pattern))

    def _repaired(self, question: Question, pattern: Pattern) -> list[Choice]:
        """Valid patterns that may have been meant, with the verdict that each gives here."""
        proposals = repairs(pattern)
        patterns = [regex(proposal.written) for proposal in proposals]
        refusals = self._probe.check(patterns)
        tried = zip(proposals, patterns, refusals, strict=True)
        valid = [(proposal, one) for proposal, one, refusal in tried if refusal is None]
        key = key_of(self._subject.trial, question)
        if not isinstance(self._evidence.holds(key), int):
            return []
        answers = self._probe.ask([(one, key) for _, one in valid], spans=3, count=True)
        ground = Ground(key, self._evidence)
        return [
            Choice(
                proposal.code,
                proposal.label,
                with_pattern(self._subject.config, proposal.written),
                (answer.outcome is Outcome.FOUND) is question.wants_match,
                count=answer.count or 0,
                spots=tuple(ground.spot(*span) for span in answer.spans),
            )
            for (proposal, _), answer in zip(valid, answers, strict=True)
            if answer.outcome in (Outcome.FOUND, Outcome.NOT_FOUND)
        ]


def _length(subject: Explained, evidence: EvidenceSource) -> int:
    """The length of the text that is looked at, 0 where there is none."""
    question = subject.question
    held = evidence.holds(key_of(subject.trial, question)) if isinstance(question, Question) else 0
    return held if isinstance(held, int) else 0


def _about_stopped(question: Question, verdict: Verdict) -> tuple[Finding, ...]:
    head = Finding(verdict.state.value, f"{verdict.evidence}.".replace("..", "."))
    form = form_of(question.pattern) if question.pattern is not None else None
    slow = slow_shape(form) if form is not None else None
    if slow is None:
        return (head,)
    sentence = f"{slow} can cut the same text up in very many ways: repeat what is inside only once."
    return (head, Finding("slow-shape", sentence))


def _absence(question: Question, ground: Ground) -> str:
    if not ground.text:
        return f"{named(question)} is not found."
    rows = ground.rows
    where = f"the {rows:,} line{'s' * (rows != 1)} of {the_text(question)}"
    return f"{named(question)} is not found: it is nowhere in {where}."


def _first_change(ground: Ground) -> Near | None:
    """The first line that was added or removed, else the first of the diff."""
    for file in ground.index.files:
        for hunk in file.hunks:
            for line in ground.index.rows(hunk.row + 1, hunk.rows)[:200]:
                if ground.text.startswith(("+", "-"), line.start):
                    return Near(ground.spot(line.start, line.end), f"and {_more(ground)}" if _more(ground) else "")
    return Near(ground.spot(0, max(ground.text.find("\n"), 0)), "") if ground.text.strip() else None


def _more(ground: Ground) -> str:
    others = ground.index.added + ground.index.removed - 1
    return f"{others:,} more line{'s' * (others != 1)}" if others > 0 else ""


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
