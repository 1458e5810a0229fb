"""Judging many cases: the order of Vally's checks, what is asked of the engine, batches, cancelling.

The matcher here is a fake that answers from the text with ``in``; JavaScript's semantics are the engine's to test.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

import pytest

from vally_tui.grading import judge as judging
from vally_tui.grading.graders import Faults, Question, Subject, ask
from vally_tui.grading.judge import Case, EvidenceKey, judge
from vally_tui.grading.model import Absence, Absent, GraderConfig, Spans, State, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Outcome, Pattern, Search, TimeLimit


@dataclass
class Texts:
    """Evidence from a dict; notes what was asked."""

    held: dict[tuple[int, int | None], str | Absent]
    asked: list[EvidenceKey] = field(default_factory=list)
    read: list[EvidenceKey] = field(default_factory=list)

    def holds(self, key: EvidenceKey) -> Absent | int:
        self.asked.append(key)
        text = self.held[key.trial, key.turn]
        return text if isinstance(text, Absent) else len(text)

    def text(self, key: EvidenceKey) -> str:
        self.read.append(key)
        text = self.held[key.trial, key.turn]
        assert isinstance(text, str)
        return text


@dataclass
class FakeMatcher:
    """Refuses patterns that begin with ``[``, finds by ``in``, answers in reverse order."""

    batches: list[list[Search]] = field(default_factory=list)
    limits: list[tuple[TimeLimit, float | None]] = field(default_factory=list)
    checked: list[list[Pattern]] = field(default_factory=list)

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        self.checked.append(list(patterns))
        return [
            f"Invalid regular expression: /{p.source}/: Unterminated character class" if p.source[0] == "[" else None
            for p in patterns
        ]

    def search(
        self,
        searches: Sequence[Search],
        load: Callable[[Hashable], str],
        *,
        limit: TimeLimit = FULL_LIMIT,
        budget: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[int, Answer]]:
        self.batches.append(list(searches))
        self.limits.append((limit, budget))
        for index in reversed(range(len(searches))):
            if cancelled():
                return
            search = searches[index]
            place = load(search.text).find(search.pattern.source)
            if place < 0:
                yield index, Answer(Outcome.NOT_FOUND, count=0)
            else:
                yield index, Answer(Outcome.FOUND, count=1, spans=Spans.of((place, place + len(search.pattern.source))))


def asked(type_: str, config: object, turn: int | None = None) -> Question | Faults:
    answer = ask(GraderConfig(type_, None, config, turn))
    assert answer is not None
    return answer


GONE = Absent(Absence.SIDECAR_GONE, "The sidecar is gone")


def test_each_case_gets_one_verdict() -> None:
    cases = [
        Case(1, asked("diff-contains", {"value": "b"}), spans=20, count=True),
        Case(1, asked("diff-not-contains", {"value": "b"})),
        Case(2, asked("diff-contains", {"value": "b"})),
        Case(2, asked("diff-empty", {})),
        Case(3, asked("diff-empty", {})),
        Case(1, asked("diff-contains", {})),
        Case(1, asked("diff-contains", {"pattern": "[b"})),
        Case(4, asked("diff-contains", {"value": "b"})),
    ]
    texts = Texts({(1, None): "abc", (2, None): "xyz", (3, None): "", (4, None): GONE})
    verdicts = dict(judge(cases, texts, FakeMatcher()))
    assert [verdicts[index].state for index in range(8)] == [
        State.PASS, State.FAIL, State.FAIL, State.FAIL, State.PASS, State.INVALID, State.INVALID, State.NO_EVIDENCE,
    ]  # fmt: skip
    assert verdicts[0] == Verdict(State.PASS, True, 1, 'Value "b" found in workspace diff', 1, Spans.of((1, 2)))
    assert verdicts[6].evidence == "Invalid regex pattern: [b. Error: Unterminated character class"
    assert verdicts[7].evidence == "The sidecar is gone"


def test_nothing_to_judge_asks_nothing() -> None:
    matcher = FakeMatcher()
    assert list(judge([], Texts({}), matcher)) == []
    assert matcher.batches == []


@pytest.mark.parametrize("type_", ["diff-contains", "diff-not-contains"])
def test_an_invalid_pattern_is_told_even_where_no_diff_exists(type_: str) -> None:
    texts = Texts({(1, None): GONE})
    cases = [Case(1, asked(type_, {"pattern": "[b"})), Case(1, asked(type_, {"value": 1}))]
    verdicts = dict(judge(cases, texts, FakeMatcher()))
    assert {verdict.state for verdict in verdicts.values()} == {State.INVALID}
    assert texts.asked == []


def test_without_patterns_the_engine_is_not_asked_at_all() -> None:
    matcher = FakeMatcher()
    list(
        judge([Case(1, asked("diff-empty", {})), Case(1, asked("diff-contains", {}))], Texts({(1, None): ""}), matcher)
    )
    assert (matcher.checked, matcher.batches) == ([], [])


def test_each_pattern_is_checked_once() -> None:
    matcher = FakeMatcher()
    cases = [Case(trial, asked("diff-contains", {"value": value})) for trial in (1, 2, 3) for value in ("a", "b")]
    list(judge(cases, Texts({(trial, None): "ab" for trial in (1, 2, 3)}), matcher))
    assert [[pattern.source for pattern in patterns] for patterns in matcher.checked] == [["a", "b"]]


def test_a_turn_asks_for_the_text_of_that_turn() -> None:
    texts = Texts({(1, None): "whole", (1, 0): "first", (1, 2): "third"})
    cases = [Case(1, asked("diff-contains", {"value": "third"}, turn)) for turn in (None, 0, 2)]
    verdicts = dict(judge(cases, texts, FakeMatcher()))
    assert [verdicts[index].passed for index in range(3)] == [False, False, True]
    assert texts.asked == [EvidenceKey(1, Subject.DIFF, turn) for turn in (None, 0, 2)]


def test_emptiness_is_known_without_reading_or_searching() -> None:
    texts, matcher = Texts({(1, None): " \n"}), FakeMatcher()
    [(_, verdict)] = judge([Case(1, asked("diff-empty", {}))], texts, matcher)
    assert verdict.state is State.FAIL
    assert (texts.read, matcher.batches) == ([], [])


def test_the_engine_is_asked_for_what_the_case_wants() -> None:
    matcher = FakeMatcher()
    limit = TimeLimit(3.0)
    case = Case(7, asked("diff-contains", {"value": "a"}, 1), spans=20, count=True)
    list(judge([case], Texts({(7, 1): "a"}), matcher, limit=limit, budget=0.5))
    [[search]] = matcher.batches
    assert (search.text, search.spans, search.count) == (EvidenceKey(7, Subject.DIFF, 1), 20, True)
    assert matcher.limits == [(limit, 0.5)]


def test_texts_are_searched_in_batches_so_that_few_are_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "BATCH", 10)
    matcher = FakeMatcher()
    cases = [Case(trial, asked("diff-contains", {"value": "x"})) for trial in range(5)]
    verdicts = dict(judge(cases, Texts({(trial, None): "x" * 6 for trial in range(5)}), matcher))
    assert [len(batch) for batch in matcher.batches] == [2, 2, 1]
    assert sorted(verdicts) == [0, 1, 2, 3, 4]
    assert all(verdict.passed for verdict in verdicts.values())


def test_cancelling_ends_early_without_the_verdicts_that_are_missing() -> None:
    done: list[int] = []
    cases = [Case(1, asked("diff-empty", {})) for _ in range(5)]
    for index, _ in judge(cases, Texts({(1, None): ""}), FakeMatcher(), cancelled=lambda: len(done) >= 2):
        done.append(index)
    assert done == [0, 1]


def test_cancelling_during_a_search_ends_it() -> None:
    done: list[int] = []
    cases = [Case(1, asked("diff-contains", {"value": "a"})) for _ in range(5)]
    for index, _ in judge(cases, Texts({(1, None): "a"}), FakeMatcher(), cancelled=lambda: len(done) >= 1):
        done.append(index)
    assert len(done) == 1
