"""What mini-racer 0.14 gets wrong or cannot do, and that the engine is not touched by it. One test for each.

Two of them, cancellations that hit the next evaluation and calls beside a running one, are in test_v8.py.
"""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

import vally_tui.engine
from tests.engine.conftest import Asking
from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import Answer, Outcome, Search, TimeLimit, literal, regex

ENGINE = Path(vally_tui.engine.__file__).parent

WITHOUT_CLOSE = """
from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import Search, regex
engine = Engine(20)
print(list(engine.search([Search(regex("b"), "t")], {"t": "abc"}.__getitem__)))
"""


def test_a_program_that_never_closes_its_engine_ends() -> None:
    # mini-racer alone hangs at the interpreter's exit, in 12 of 30 runs on Python 3.11.
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, "-c", WITHOUT_CLOSE], capture_output=True, text=True, timeout=60, check=True
        )
        assert "'found'" in run.stdout


def test_the_worker_calls_no_javascript_function_and_sets_no_object_but_the_box() -> None:
    # Anything synchronous beside a running evaluation blocks mini-racer's loop for ever.
    source = "".join(path.read_text(encoding="utf-8") for path in ENGINE.glob("*.py"))
    assert set(re.findall(r"racer\.(\w+)\(", source)) == {
        "eval_cancelable",
        "low_memory_notification",
        "set_hard_memory_limit",
    }


def test_many_stops_in_a_row_leave_every_next_search_right(ask: Asking) -> None:
    ask.texts = {"bad": "a" * 40 + "!", "good": "needle"}
    pairs = [(regex("(a+)+$"), "bad"), (regex("needle"), "good")] * 60
    answers = ask.all(pairs, limit=TimeLimit(0.001, 0))
    assert {answer.outcome for answer in answers[::2]} == {Outcome.TIMEOUT}
    assert answers[1::2] == [Answer(Outcome.FOUND)] * 60


def test_a_message_with_a_lone_surrogate_comes_out_of_v8(ask: Asking) -> None:
    # As a JavaScript string it would never come back, and the call would hang.
    [message] = ask.engine.check([regex("(\udc00é中😀")])
    assert message == "Invalid regular expression: /(\udc00é中😀/: Unterminated group"


def test_buffers_live_in_constants_of_the_script_and_survive_collection(ask: Asking) -> None:
    # The memory of a buffer that JavaScript has dropped is freed under Python's view of it.
    names = re.search(r"_NAMES = \(([^)]*)\)", (ENGINE / "buffers.py").read_text(encoding="utf-8"))
    assert names is not None
    script = (ENGINE / "match.js").read_text(encoding="utf-8")
    for name in re.findall(r'"(\w+)"', names[1]):
        assert re.search(rf"^const {name} = new ", script, re.MULTILINE), name
    # 60 MB of texts come and go, with several collections.
    for turn in range(6):
        ask.texts = {turn: "x" * 10_000_000 + str(turn)}
        ask.engine.forget_all()
        [(_, answer)] = ask.engine.search([Search(regex(rf"{turn}$"), turn, 1)], ask.load)
        assert list(answer.spans) == [(10_000_000, 10_000_001)]


def test_a_text_with_a_lone_surrogate_gets_into_v8(ask: Asking) -> None:
    # mini-racer encodes strings as UTF-8, which has no lone surrogates.
    large = "\ud800" + "x" * 1_500_000 + "\udfff"
    assert list(ask.one(literal("\udfff"), large).spans) == [(1_500_001, 1_500_002)]
    assert list(ask.one(literal("\udfff"), "a\udfff").spans) == [(1, 2)]


async def test_the_engine_leaves_a_running_loop_alone() -> None:
    # MiniRacer() made inside a running loop takes that loop over.
    loop = asyncio.get_running_loop()
    tasks = asyncio.all_tasks(loop)
    loaded = "py_mini_racer" in sys.modules
    with Engine(20) as engine:
        answers = list(engine.search([Search(regex("b"), "t")], {"t": "abc"}.__getitem__))
    assert answers == [(0, Answer(Outcome.FOUND))]
    assert asyncio.all_tasks(loop) == tasks
    # Other tests of this process may have loaded it; the engine's client never does.
    assert ("py_mini_racer" in sys.modules) is loaded


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the memory of another process from /proc")
def test_thousands_of_searches_do_not_let_the_worker_grow_without_bound(own: Asking) -> None:
    own.texts = {at: f"text {at}" for at in range(100)}
    pid = own.engine.info().pid

    def megabytes() -> float:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096 / 1e6

    for turn in range(200):
        own.all([(regex(f"text {turn}"), at) for at in range(100)])
    before = megabytes()
    for turn in range(1000):
        list(own.engine.search([Search(regex(f"(text) {turn}"), at) for at in range(5)], own.load))
    assert megabytes() < before + 40
