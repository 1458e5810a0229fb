"""Workers that end, freeze or never come up."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.conftest import Asking
from vally_tui.engine.client import Engine
from vally_tui.errors import EngineUnavailable
from vally_tui.grading.pattern import Answer, Outcome, Search, regex

FOUND = Answer(Outcome.FOUND)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGTRAP])
def test_a_worker_that_is_killed_is_replaced_and_its_texts_are_loaded_again(
    own: Asking, number: signal.Signals
) -> None:
    own.texts = {"a": "text"}
    assert own.all([(regex("t"), "a")]) == [FOUND]
    os.kill(own.engine.info().pid, number)
    assert own.all([(regex("x"), "a")]) == [FOUND]
    assert own.loaded == ["a", "a"]
    assert own.engine.info().restarts == 1


def test_a_worker_that_is_killed_again_and_again_in_the_middle_of_a_pass_loses_no_answer(own: Asking) -> None:
    own.texts = {at: "+ foo bar\n" * 2000 + str(at) for at in range(800)}
    searches = [Search(regex("(?m)^[+] (?:foo|zz)* bar$|7$"), at, count=True) for at in range(800)]
    own.engine.info()
    answers = {}
    for index, answer in own.engine.search(searches, own.load):
        answers[index] = answer
        if index in (0, 200, 400, 600):
            os.kill(own.engine.info().pid, signal.SIGKILL)
    assert [answers[at].count for at in range(800)] == [2000 + str(at).endswith("7") for at in range(800)]
    assert own.engine.info().restarts == 4


def test_a_worker_killed_while_it_starts_is_replaced(own: Asking) -> None:
    own.texts = {"a": "text"}
    os.kill(own.engine._supervisor.pid, signal.SIGKILL)
    assert own.all([(regex("t"), "a")]) == [FOUND]


def test_a_worker_whose_pipe_is_closed_is_replaced(own: Asking) -> None:
    own.texts = {"a": "text"}
    own.all([(regex("t"), "a")])
    process = own.engine._supervisor._worker._process  # type: ignore[union-attr]
    # Another file takes the number, so that nothing else breaks.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, process.stdin.fileno())  # type: ignore[union-attr]
    os.close(null)
    assert own.all([(regex("t"), "a")]) == [FOUND]


def test_a_frozen_worker_does_not_hold_up_the_budget_and_goes_on_when_it_thaws(own: Asking) -> None:
    own.texts = {"a": "text"}
    own.all([(regex("t"), "a")])
    pid = own.engine.info().pid
    os.kill(pid, signal.SIGSTOP)
    try:
        assert list(own.engine.search([Search(regex("t"), "a")], own.load, budget=0.2)) == [
            (0, Answer(Outcome.PENDING))
        ]
    finally:
        os.kill(pid, signal.SIGCONT)
    assert own.all([(regex("t"), "a")]) == [FOUND]
    assert own.engine.info().pid == pid


def test_a_worker_frozen_for_good_is_replaced(own: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vally_tui.engine.supervisor._SILENCE", 0.5)
    own.texts = {"a": "text"}
    own.all([(regex("t"), "a")])
    os.kill(own.engine.info().pid, signal.SIGSTOP)
    assert own.all([(regex("t"), "a")]) == [FOUND]
    assert own.engine.info().restarts == 1


def test_a_search_on_which_the_worker_ends_every_time_is_given_up_and_the_others_are_answered(own: Asking) -> None:
    own.texts = {at: f"text {at}" for at in range(20)}

    def load(key: object) -> str:
        if key == 13:
            os.kill(own.engine.info().pid, signal.SIGTRAP)
        return own.texts[key]

    answers = dict(own.engine.search([Search(regex("text"), at) for at in range(20)], load))
    message = "V8's process ended while it searched (exit status -5)"
    assert answers == {at: Answer(Outcome.ERROR, message) if at == 13 else FOUND for at in range(20)}
    restarts = own.engine.info().restarts
    assert list(own.engine.search([Search(regex("x"), 13)], load)) == [(0, Answer(Outcome.ERROR, message))]
    assert own.engine.info().restarts == restarts


@pytest.fixture
def fake_mini_racer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a package of that name and content before the real one, for the worker."""

    def write(code: str) -> None:
        package = tmp_path / "py_mini_racer"
        package.mkdir()
        (package / "__init__.py").write_text(code)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    return write


def said(engine: Engine) -> str:
    with engine, pytest.raises(EngineUnavailable) as raised:
        list(engine.search([Search(regex("a"), "t")], lambda key: "text"))
    return str(raised.value)


def test_without_mini_racer_the_error_says_so_and_how_to_install_it(fake_mini_racer: Callable[[str], None]) -> None:
    fake_mini_racer("raise ModuleNotFoundError(\"No module named 'py_mini_racer'\")")
    message = said(Engine(20))
    assert message.startswith("V8 cannot be used, since the package mini-racer is missing or broken: No module named")
    assert "pip install" in message


def test_a_mini_racer_whose_library_cannot_be_loaded_is_named(fake_mini_racer: Callable[[str], None]) -> None:
    fake_mini_racer("raise OSError('libmini_racer.so: GLIBC_2.27 not found')")
    assert "GLIBC_2.27 not found" in said(Engine(20))


def test_a_worker_that_always_ends_while_starting_is_given_up(fake_mini_racer: Callable[[str], None]) -> None:
    fake_mini_racer("import os; os.write(2, b'some noise\\nlast words\\n'); os._exit(9)")
    engine = Engine(20)
    assert said(engine).startswith("V8's process ended 3 times while it was starting: last words.")


def test_all_questions_to_an_engine_that_cannot_start_have_the_same_answer(
    fake_mini_racer: Callable[[str], None],
) -> None:
    fake_mini_racer("raise ImportError('broken')")
    with Engine(20) as engine:
        for question in (engine.info, lambda: engine.check([regex("a")])):
            with pytest.raises(EngineUnavailable, match="broken"):
                question()


def test_a_python_that_cannot_be_run_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    assert said(Engine(20)).startswith("V8's process cannot be started: ")


CLIENT = """
import os, sys, time
from vally_tui.engine.client import Engine
from vally_tui.grading.pattern import Search, TimeLimit, regex
engine = Engine(20)
engine.start()
pid = engine.info().pid
print(pid, flush=True)
texts = {"bad": "a" * 40 + "!"}
for _ in engine.search([Search(regex("(a+)+$"), "bad")], texts.__getitem__, limit=TimeLimit(600)):
    pass
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_busy_worker_ends_with_its_client_however_that_ends(number: signal.Signals) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert client.stdout is not None
    pid = int(client.stdout.readline())
    threading.Event().wait(0.2)
    client.send_signal(number)
    client.wait(10)
    client.stdout.close()
    assert _ends(pid)


def _ends(pid: int) -> bool:
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(pid):
            return True
        threading.Event().wait(0.05)
    return False


def _is_zombie(pid: int) -> bool:
    """A process that has ended and that nobody has asked about, as happens where no init takes orphans over."""
    said = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return said.strip().startswith("Z") or not said.strip()


def test_no_process_is_left_behind_by_close() -> None:
    engine = Engine(20)
    engine.start()
    pid = engine.info().pid
    engine.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
