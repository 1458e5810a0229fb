"""One engine for the tests of explanations, and a trial whose evidence is given in the test."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

import pytest

from vally_tui.engine.client import Engine
from vally_tui.grading.graders import Question, ask
from vally_tui.grading.judge import Case, EvidenceKey, judge
from vally_tui.grading.model import Absence, Absent, GraderConfig, State
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Matcher, Outcome, Pattern, Search, TimeLimit
from vally_tui.triage.explain.explain import explain, nearly
from vally_tui.triage.explain.model import Choice, Explained, Explanation, Near


@pytest.fixture(scope="package")
def engine() -> Iterator[Engine]:
    with Engine(20) as running:
        running.info()
        yield running


class Recorded:
    """Evidence by turn, the same for every trial."""

    def __init__(self, texts: Mapping[int | None, str]) -> None:
        self.texts = texts

    def holds(self, key: EvidenceKey) -> Absent | int:
        if key.turn not in self.texts:
            return Absent(Absence.TURN_MISSING, f"turn {key.turn} is missing")
        return len(self.texts[key.turn])

    def text(self, key: EvidenceKey) -> str:
        return self.texts[key.turn]


class Hurried:
    """An engine that has time for so many searches only; what it has no time for is pending."""

    def __init__(self, engine: Engine, searches: int) -> None:
        self._engine = engine
        self.left = searches

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        return self._engine.check(patterns)

    def search(
        self,
        searches: Sequence[Search],
        load: Callable[[Hashable], str],
        *,
        limit: TimeLimit = FULL_LIMIT,
        budget: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[tuple[int, Answer]]:
        now, self.left = min(self.left, len(searches)), max(self.left - len(searches), 0)
        yield from self._engine.search(searches[:now], load, limit=limit)
        yield from ((index, Answer(Outcome.PENDING)) for index in range(now, len(searches)))


def contains(**config: object) -> GraderConfig:
    return GraderConfig("diff-contains", config=config)


def forbids(**config: object) -> GraderConfig:
    return GraderConfig("diff-not-contains", config=config)


class Asking:
    """Explains with the real engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.trial = 0

    def why(
        self,
        config: GraderConfig,
        text: str | Mapping[int | None, str],
        turns: tuple[int, ...] = (),
        single_turn: bool = True,
        error: str | None = None,
        written: tuple[str, ...] = (),
        matcher: Matcher | None = None,
    ) -> Explanation:
        subject, evidence = self._subject(config, text, turns, single_turn, error, written)
        explanation = explain(subject, matcher or self.engine, evidence)
        assert explanation is not None
        return explanation

    def near(self, config: GraderConfig, text: str) -> Near | None:
        subject, evidence = self._subject(config, text)
        return nearly(subject, self.engine, evidence)

    def state(self, config: GraderConfig, text: str | Mapping[int | None, str]) -> State:
        subject, evidence = self._subject(config, text)
        question = ask(config)
        assert isinstance(question, Question)
        return next(judge([Case(subject.trial, question)], evidence, self.engine))[1].state

    def _subject(
        self,
        config: GraderConfig,
        text: str | Mapping[int | None, str],
        turns: tuple[int, ...] = (),
        single_turn: bool = True,
        error: str | None = None,
        written: tuple[str, ...] = (),
    ) -> tuple[Explained, Recorded]:
        # The engine keeps texts by their key, so each text is another trial's.
        self.trial += 1
        texts = {None: text} if isinstance(text, str) else text
        return Explained(self.trial, config, turns, single_turn, error, written), Recorded(texts)


@pytest.fixture(scope="package")
def asking(engine: Engine) -> Asking:
    return Asking(engine)


def choice(explanation: Explanation, code: str) -> Choice:
    """The choice of this code."""
    return next(choice for choice in explanation.choices if choice.code == code)


Explainer = Callable[[GraderConfig, str], Explanation]
