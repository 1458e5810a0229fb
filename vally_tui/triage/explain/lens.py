"""What a grader says of the trial's other evidence, and what a choice does to the other trials. Judges; decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from vally_tui.grading.graders import Question, Subject, ask
from vally_tui.grading.judge import Case, EvidenceSource, judge
from vally_tui.grading.model import GraderConfig, State, Verdict
from vally_tui.grading.pattern import TYPING_LIMIT, Matcher
from vally_tui.triage.explain.model import Effect, Explained, Explanation, TurnAnswer

TURNS = 50
"""Turns that are looked at."""
TRIALS = 5000
"""Trials on which a choice is measured; more count as unknown."""


def turn_answers(
    subject: Explained,
    question: Question,
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool],
) -> tuple[TurnAnswer, ...]:
    """The grader's verdict on each turn and on the whole run; empty for a trial that has one turn."""
    if question.subject is not Subject.DIFF or (
        (question.turn is None or (question.turn == 0 and subject.single_turn)) and len(subject.turns) < 2
    ):
        return ()
    turns: list[int | None] = [*subject.turns[:TURNS], None]
    if question.turn not in turns:
        turns.insert(0, question.turn)
    cases = [Case(subject.trial, replace(question, turn=turn), count=True) for turn in turns]
    verdicts = dict(judge(cases, evidence, matcher, limit=TYPING_LIMIT, cancelled=cancelled))
    return tuple(
        TurnAnswer(turn, verdict.state, verdict.match_count, turn == question.turn)
        for index, turn in enumerate(turns)
        if (verdict := verdicts.get(index)) is not None
    )


def measured(
    explanation: Explanation,
    trials: Sequence[int],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
) -> Explanation | None:
    """The explanation with the effect of each choice on these trials; None when cancelled."""
    configs = [choice.config for choice in explanation.choices]
    effects = effects_of(explanation.subject.config, configs, trials, matcher, evidence, cancelled)
    if effects is None:
        return None
    choices = tuple(replace(choice, effect=effect) for choice, effect in zip(explanation.choices, effects, strict=True))
    return replace(explanation, choices=choices)


def effects_of(
    before: GraderConfig,
    configs: Sequence[GraderConfig],
    trials: Sequence[int],
    matcher: Matcher,
    evidence: EvidenceSource,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Effect] | None:
    """What each config does to the verdicts of ``before`` on these trials; None when cancelled."""
    looked_at = list(trials)[:TRIALS]
    columns = [_column(config, looked_at) for config in (before, *configs)]
    cases = [case for column in columns for case in column]
    verdicts = dict(judge(cases, evidence, matcher, limit=TYPING_LIMIT, cancelled=cancelled))
    if cancelled() or len(verdicts) < len(cases):
        return None
    width = len(looked_at)
    rows = [[verdicts[first + offset] for offset in range(width)] for first in range(0, len(cases), max(width, 1))]
    return [_effect(rows[0], row, len(trials) - width) for row in rows[1:]] if width else [Effect()] * len(configs)


def _column(config: GraderConfig, trials: Sequence[int]) -> list[Case]:
    question = ask(config)
    return [Case(trial, question) for trial in trials] if question is not None else []


def _effect(before: Sequence[Verdict], after: Sequence[Verdict], more: int) -> Effect:
    now_pass = now_fail = same = unknown = 0
    for one, other in zip(before, after, strict=True):
        if other.state not in (State.PASS, State.FAIL):
            unknown += 1
        elif one.passed == other.passed:
            same += 1
        elif other.passed:
            now_pass += 1
        else:
            now_fail += 1
    return Effect(now_pass, now_fail, same, unknown + more)
