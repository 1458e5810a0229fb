"""Time limits, budgets, cancelling, and patterns that V8 cannot be talked out of."""

import threading
import time

import pytest

from tests.engine.conftest import Asking
from vally_tui.grading.pattern import Answer, Outcome, Search, TimeLimit, literal, regex

SHORT = TimeLimit(0.05, 0.01)

EXPONENTIAL = regex("(a+)+$")
"""Needs 2^n steps on n times a and something else; V8 can interrupt it."""

LOOKAROUND = regex("(?:(?=(a+))a)+$")
"""Quadratic, and V8 does not look up while it works."""

COMPILE = regex("a?" * 60 + "a" * 60)
"""V8 never comes back from compiling it, on whatever text."""

FOUND, NOT_FOUND = Answer(Outcome.FOUND), Answer(Outcome.NOT_FOUND)
TIMEOUT = Outcome.TIMEOUT


def outcomes(answers: list[Answer]) -> list[Outcome]:
    return [answer.outcome for answer in answers]


@pytest.mark.parametrize("pattern", [EXPONENTIAL, regex("^(.*)+ $"), regex("(x+x+)+y"), regex(r"^(\w+\s?)*$")])
def test_a_search_over_its_limit_times_out_alone(ask: Asking, pattern: object) -> None:
    ask.texts = {"bad": "a" * 40 + "x" * 40 + "!", "good": "needle"}
    answers = ask.all(
        [(regex("needle"), "good"), (pattern, "bad"), (regex("needle"), "good")],  # type: ignore[list-item]
        limit=SHORT,
    )
    assert outcomes(answers) == [Outcome.FOUND, TIMEOUT, Outcome.FOUND]
    assert answers[1].message
    assert ask.engine.info().restarts == 0


def test_what_was_stopped_says_after_how_long(ask: Asking) -> None:
    ask.texts = {"bad": "a" * 40 + "!"}
    assert ask.all([(EXPONENTIAL, "bad")], limit=TimeLimit(0.1, 0)) == [
        Answer(TIMEOUT, "took longer than 0.1 s and was stopped")
    ]


def test_the_same_pattern_is_answered_on_the_texts_where_it_is_quick(ask: Asking) -> None:
    ask.texts = {"bad": "a" * 40 + "!", "good": "aaa", "other": "b"}
    answers = ask.all([(EXPONENTIAL, key) for key in ("bad", "good", "bad", "other")], limit=SHORT)
    assert outcomes(answers) == [TIMEOUT, Outcome.FOUND, TIMEOUT, Outcome.NOT_FOUND]


def test_counting_over_its_limit_keeps_the_verdict_and_the_places_so_far(ask: Asking) -> None:
    ask.texts = {"t": "b b" + "a" * 40 + "!"}
    [(_, answer)] = ask.engine.search([Search(regex("b|(a+)+$"), "t", 20, True)], ask.load, limit=SHORT)
    assert (answer.outcome, answer.count, list(answer.spans)) == (Outcome.FOUND, None, [(0, 1), (2, 3)])


def test_a_larger_text_gets_more_time() -> None:
    assert TimeLimit(0.15, 0.02).seconds(20_000_000) == pytest.approx(0.55)


def test_what_the_budget_does_not_reach_is_pending(ask: Asking) -> None:
    ask.texts = dict.fromkeys(range(20), "a" * 40 + "!")
    searches = [Search(EXPONENTIAL, at) for at in range(20)]
    answers = dict(ask.engine.search(searches, ask.load, limit=TimeLimit(0.1, 0), budget=0.25))
    seen = [answers[at].outcome for at in range(20)]
    assert seen == sorted(seen, key=[TIMEOUT, Outcome.PENDING].index)
    assert seen.count(Outcome.PENDING) >= 17
    assert ask.all([(literal("!"), 3)]) == [FOUND]


def test_a_budget_that_ends_while_texts_are_loaded_leaves_every_search_with_an_answer(ask: Asking) -> None:
    def slow(key: object) -> str:
        time.sleep(0.02)
        return "text"

    answers = dict(ask.engine.search([Search(regex("x"), at) for at in range(50)], slow, budget=0.2))
    assert len(answers) == 50
    assert answers[49] == Answer(Outcome.PENDING)


def test_a_budget_of_nothing_leaves_all_pending(ask: Asking) -> None:
    ask.texts = {"t": "text"}
    assert list(ask.engine.search([Search(regex("t"), "t")], ask.load, budget=0.0)) == [(0, Answer(Outcome.PENDING))]


def test_a_cancelled_search_ends_without_the_missing_answers_and_the_next_is_right(ask: Asking) -> None:
    ask.texts = dict.fromkeys(range(20), "a" * 40 + "!")
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 10

    assert list(ask.engine.search([Search(EXPONENTIAL, at) for at in range(20)], ask.load, cancelled=cancelled)) == []
    assert ask.all([(literal("!"), at) for at in range(20)]) == [FOUND] * 20


def test_a_newer_search_ends_an_older_one_that_is_not_finished(ask: Asking) -> None:
    ask.texts = {"bad": "a" * 40 + "!", "good": "x"}
    older = ask.engine.search([Search(regex("x"), "good"), Search(EXPONENTIAL, "bad")], ask.load)
    assert next(older) == (0, FOUND)
    assert ask.all([(regex("y"), "good")]) == [NOT_FOUND]
    assert list(older) == []


def test_a_search_that_is_dropped_half_way_does_no_harm(ask: Asking) -> None:
    ask.texts = {"bad": "a" * 40 + "!", "good": "x"}
    older = ask.engine.search([Search(regex("x"), "good"), Search(EXPONENTIAL, "bad")], ask.load)
    next(older)
    older.close()  # type: ignore[attr-defined]
    assert ask.all([(regex("x"), "good")]) == [FOUND]


def test_what_v8_cannot_stop_is_ended_with_its_process_and_the_pass_goes_on(own: Asking) -> None:
    own.texts = {"huge": "a" * 300_000 + "!", "good": "needle", "small": "aa"}
    pairs = [(regex("needle"), "good"), (LOOKAROUND, "huge"), (regex("needle"), "good"), (LOOKAROUND, "small")]
    before = own.engine.info().pid
    assert outcomes(own.all(pairs, limit=SHORT)) == [Outcome.FOUND, TIMEOUT, Outcome.FOUND, Outcome.FOUND]
    after = own.engine.info()
    assert (after.restarts, after.pid != before) == (1, True)


def test_a_killed_pattern_is_not_run_again_until_it_is_asked_for(own: Asking) -> None:
    own.texts = {"t": "a" * 30}
    assert outcomes(own.all([(COMPILE, "t")], limit=SHORT)) == [TIMEOUT]
    assert own.engine.killed == {COMPILE}
    assert outcomes(own.all([(COMPILE, "t"), (regex("a"), "t")])) == [TIMEOUT, Outcome.FOUND]
    assert own.engine.info().restarts == 1
    own.engine.forgive(COMPILE)
    assert outcomes(own.all([(COMPILE, "t")], limit=SHORT)) == [TIMEOUT]
    assert own.engine.info().restarts == 2


def test_counting_that_v8_cannot_stop_leaves_the_verdict_and_later_the_first_match(own: Asking) -> None:
    text = "b" + "a" * 300_000 + "!"
    own.texts = {"t": text, "good": "x"}
    searches = [Search(regex("b|(?:(?=(a+))a)+$"), "t", 20, True), Search(regex("x"), "good")]
    for _ in range(2):
        answers = dict(own.engine.search(searches, own.load, limit=SHORT))
        assert (answers[0].outcome, answers[0].count, list(answers[0].spans)) == (Outcome.FOUND, None, [(0, 1)])
        assert answers[1] == FOUND
    assert own.engine.info().restarts == 1


def test_a_search_cancelled_while_v8_cannot_be_stopped_does_not_hold_up_the_next(own: Asking) -> None:
    own.texts = {"t": "a" * 30, "good": "x"}
    own.engine.info()
    started = time.monotonic()
    stop = lambda: time.monotonic() > started + 0.1  # noqa: E731
    assert list(own.engine.search([Search(COMPILE, "t")], own.load, cancelled=stop)) == []
    assert own.all([(regex("x"), "good")]) == [FOUND]
    assert own.engine.killed == {COMPILE}


def test_random_cancels_never_give_a_wrong_answer(ask: Asking) -> None:
    ask.texts = {at: f"+ line {at}\n" + "a" * (40 if at % 7 == 0 else 3) + "!\n" for at in range(100)}
    patterns = [regex("(?m)^[+] line .*7$"), EXPONENTIAL, regex("[bad"), literal("line 4"), regex("(?i)LINE 1")]
    expected = {
        0: lambda at: Outcome.FOUND if str(at).endswith("7") else Outcome.NOT_FOUND,
        1: lambda at: TIMEOUT if at % 7 == 0 else Outcome.NOT_FOUND,
        2: lambda at: Outcome.INVALID,
        3: lambda at: Outcome.FOUND if str(at).startswith("4") else Outcome.NOT_FOUND,
        4: lambda at: Outcome.FOUND if str(at).startswith("1") else Outcome.NOT_FOUND,
    }
    seen = 0
    for turn in range(60):
        kind = turn * 3 % 5
        until = time.monotonic() + turn * 7 % 13 / 1000
        searches = [Search(patterns[kind], at) for at in range(100)]
        answers = ask.engine.search(
            searches,
            ask.load,
            limit=TimeLimit(0.02, 0),
            budget=0.1,
            cancelled=lambda until=until: time.monotonic() > until,
        )
        for at, answer in answers:
            seen += 1
            assert answer.outcome in (expected[kind](at), Outcome.PENDING), (patterns[kind], at)
    assert seen > 0


def test_closing_from_another_thread_ends_a_search(own: Asking) -> None:
    own.texts = {"bad": "a" * 40 + "!"}
    own.engine.info()
    closer = threading.Timer(0.1, own.engine.close)
    closer.start()
    assert list(own.engine.search([Search(EXPONENTIAL, "bad")], own.load, limit=TimeLimit(60))) == []
    closer.join()
