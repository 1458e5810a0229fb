"""One engine at each node level for all tests that do not harm it, and small ways to ask it."""

from collections.abc import Iterator

import pytest

from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import FULL_LIMIT, Answer, Pattern, Search, TimeLimit


class Asking:
    """An engine with texts that stand in the test."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.texts: dict[object, str] = {}
        self.loaded: list[object] = []

    def load(self, key: object) -> str:
        self.loaded.append(key)
        return self.texts[key]

    def one(self, pattern: Pattern, text: str, *, spans: int = 20, count: bool = True) -> Answer:
        """The answer of one pattern in one text."""
        self.texts[text] = text
        [(_, answer)] = self.engine.search([Search(pattern, text, spans, count)], self.load)
        return answer

    def all(self, pairs: list[tuple[Pattern, object]], *, limit: TimeLimit = FULL_LIMIT) -> list[Answer]:
        """The answers of several patterns, each in a text of ``texts``, in their order."""
        searches = [Search(pattern, key) for pattern, key in pairs]
        answers = dict(self.engine.search(searches, self.load, limit=limit))
        return [answers[at] for at in range(len(pairs))]


@pytest.fixture(scope="session")
def shared_engine() -> Iterator[Engine]:
    with Engine(20) as engine:
        yield engine


@pytest.fixture
def ask(shared_engine: Engine) -> Asking:
    shared_engine.forget_all()
    return Asking(shared_engine)


@pytest.fixture
def own() -> Iterator[Asking]:
    """An engine that the test may harm."""
    with Engine(20) as engine:
        yield Asking(engine)
