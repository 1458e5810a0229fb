"""V8 inside the worker, with a mini-racer that does what the real one does only once in thousands of times."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from vally_tui.engine.v8 import V8, Stopped, Stuck

Script = Callable[[str], Awaitable[Any]]


class Terminated(Exception):
    """Stands for mini-racer's JSTerminatedException."""


class FakeRacer:
    """Answers each evaluation by the next script; remembers what was asked."""

    def __init__(self, *scripts: Script) -> None:
        self.scripts = list(scripts)
        self.codes: list[str] = []
        self.tidied = 0

    async def eval_cancelable(self, code: str) -> Any:
        self.codes.append(code)
        return await self.scripts.pop(0)(code)

    def low_memory_notification(self) -> None:
        self.tidied += 1


async def value(code: str) -> str:
    return f"value of {code}"


async def terminated(code: str) -> str:
    raise Terminated


async def never(code: str) -> str:
    await asyncio.Event().wait()
    return "never"


async def test_an_evaluation_that_nobody_stopped_is_tried_once_more() -> None:
    racer = FakeRacer(terminated, value)
    assert await V8(racer, Terminated).evaluate("1") == "value of 1"
    assert racer.codes == ["1", "1"]


async def test_an_evaluation_that_is_stopped_twice_fails() -> None:
    with pytest.raises(Terminated):
        await V8(FakeRacer(terminated, terminated), Terminated).evaluate("1")


async def test_a_stop_is_done_when_v8_answers_again() -> None:
    racer = FakeRacer(never, value, value)
    v8 = V8(racer, Terminated)
    with pytest.raises(Stopped):
        await v8.evaluate("go()", lambda: True)
    assert await v8.evaluate("next") == "value of next"
    assert racer.codes == ["go()", "0", "next"]


async def test_a_cancellation_that_hits_the_next_evaluation_hits_the_probe_and_nothing_else() -> None:
    racer = FakeRacer(never, terminated, value, value)
    v8 = V8(racer, Terminated)
    with pytest.raises(Stopped):
        await v8.evaluate("go()", lambda: True)
    assert await v8.evaluate("next") == "value of next"
    assert racer.codes == ["go()", "0", "0", "next"]


async def test_v8_that_does_not_answer_after_a_stop_is_stuck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vally_tui.engine.v8.GRACE", 0.01)
    with pytest.raises(Stuck):
        await V8(FakeRacer(never, never), Terminated).evaluate("go()", lambda: True)


async def test_nothing_else_is_asked_of_v8_while_it_evaluates() -> None:
    v8 = V8(FakeRacer(never, value), Terminated)
    refused: list[str] = []

    def beside() -> bool:
        for ask in (v8.tidy, lambda: v8.box("text")):
            try:
                ask()
            except RuntimeError as error:
                refused.append(str(error))
        return True

    with pytest.raises(Stopped):
        await v8.evaluate("go()", beside)
    assert refused == ["something is being evaluated already"] * 2
