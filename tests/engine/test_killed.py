"""What is remembered of patterns for which the worker had to be ended."""

from vally_tui.engine.killed import Killed
from vally_tui.grading.pattern import Answer, Outcome, regex

BAD = regex("(?:(?=(a+))a)+$")


def test_a_killed_pattern_is_not_run_on_a_text_of_the_same_size_or_a_quarter_of_it() -> None:
    killed = Killed()
    killed.stuck(BAD, 1000, counting=False)
    answers = [killed.answer(BAD, units) for units in (4000, 1000, 250)]
    assert [answer and answer.outcome for answer in answers] == [Outcome.TIMEOUT] * 3


def test_a_killed_pattern_is_run_on_a_much_smaller_text() -> None:
    killed = Killed()
    killed.stuck(BAD, 1000, counting=False)
    assert killed.answer(BAD, 249) is None


def test_a_pattern_killed_on_an_empty_text_is_run_on_none() -> None:
    killed = Killed()
    killed.stuck(BAD, 0, counting=False)
    assert killed.answer(BAD, 0) is not None


def test_the_smallest_text_counts_in_whatever_order_they_came() -> None:
    killed = Killed()
    killed.stuck(BAD, 100, counting=False)
    killed.stuck(BAD, 1000, counting=False)
    assert killed.answer(BAD, 100) is not None


def test_a_pattern_killed_while_counting_keeps_its_verdict_and_first_match() -> None:
    killed = Killed()
    killed.stuck(BAD, 1000, counting=True)
    assert killed.answer(BAD, 1000) is None
    assert killed.only_first(BAD, 1000)
    assert not killed.only_first(BAD, 249)


def test_a_forgiven_pattern_runs_again() -> None:
    killed = Killed()
    killed.stuck(BAD, 10, counting=False)
    killed.stuck(BAD, 10, counting=True)
    killed.forgive(BAD)
    assert (killed.answer(BAD, 10), killed.only_first(BAD, 10), killed.patterns()) == (None, False, frozenset())


def test_a_text_on_which_the_worker_ended_is_not_loaded_again_until_it_changes() -> None:
    killed = Killed()
    killed.crashed("huge", "V8's process ended")
    assert killed.on_text("huge") == Answer(Outcome.ERROR, "V8's process ended")
    assert killed.on_text("other") is None
    killed.forget_text("huge")
    assert killed.on_text("huge") is None
