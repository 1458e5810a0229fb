"""The order of work of the judging service. The fake engine holds still where a test wants to say something meanwhile."""

from collections.abc import Callable, Iterator, Sequence
from queue import Queue
from threading import Event

import pytest

from tests.triage.builders import PlainMatcher, Texts, contains
from vally_tui.errors import EngineUnavailable
from vally_tui.grading.graders import Faults, Question, ask
from vally_tui.grading.judge import EvidenceSource
from vally_tui.grading.model import GraderConfig, State
from vally_tui.grading.pattern import Matcher, Pattern
from vally_tui.triage import judge
from vally_tui.triage.judge import EngineTrouble, JobDone, Judged, JudgedInView, JudgingService, News

LONG = 10.0
"""Seconds until a test that waits in vain fails."""
TEXTS = Texts(t0="raise", t1="return", t2="raise raise", t3=None)


def asks(pattern: str) -> Question:
    asked = ask(contains(pattern))
    assert isinstance(asked, Question)
    return asked


class Bench:
    """A service with its fake engine and the news that it has delivered."""

    def __init__(self, matcher: PlainMatcher | None = None) -> None:
        self.matcher = matcher or PlainMatcher()
        self.news: Queue[News] = Queue()
        self.service = JudgingService(self.matcher, TEXTS, self.news.put)

    def next(self) -> News:
        return self.news.get(timeout=LONG)

    def verdicts(self, news: int = 1) -> dict[tuple[int, int], State]:
        """Slot and trial -> state, of the next pieces of news."""
        found = {}
        for _ in range(news):
            said = self.next()
            assert isinstance(said, Judged)
            found |= {(said.slot, trial): verdict.state for trial, verdict in said.verdicts.items()}
        return found

    def meanwhile(self, pattern: str, do: Callable[[], None]) -> None:
        """Do something while the engine is about to answer this pattern for the first time."""
        done = Event()

        def during(searched: str, trial: int) -> None:
            if searched == pattern and not done.is_set():
                done.set()
                do()

        self.matcher.during = during


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.service.close()


def test_verdicts_of_a_question_come_for_all_its_trials(bench: Bench) -> None:
    bench.service.want(5, asks("raise"), [0, 1, 3])
    bench.service.start()

    assert bench.verdicts() == {(5, 0): State.PASS, (5, 1): State.FAIL, (5, 3): State.NO_EVIDENCE}


def test_faults_of_a_config_are_verdicts_too(bench: Bench) -> None:
    asked = ask(GraderConfig("diff-contains", config={}))
    assert isinstance(asked, Faults)
    bench.service.want(5, asked, [0])
    bench.service.start()

    assert bench.verdicts() == {(5, 0): State.INVALID}


def test_the_view_comes_first_then_typing_then_jobs_then_the_rest(bench: Bench) -> None:
    bench.service.want(1, asks("rest"), [0])
    bench.service.ask("job", lambda matcher, evidence, cancelled: "done")
    bench.service.want(2, asks("typed"), [0], typing=True)
    bench.service.view(0, [(3, asks("seen"))])
    bench.service.start()

    news = [bench.next() for _ in range(4)]

    assert [type(said) for said in news] == [JudgedInView, Judged, JobDone, Judged]
    assert [pattern for pattern, _ in bench.matcher.asked] == ["seen", "typed", "rest"]


def test_the_view_has_the_places_of_its_matches_and_their_count(bench: Bench) -> None:
    bench.service.view(2, [(1, asks("raise"))])
    bench.service.start()

    said = bench.next()

    assert isinstance(said, JudgedInView)
    assert (said.trial, said.slot) == (2, 1)
    assert list(said.verdict.spans) == [(0, 5), (6, 11)]
    assert said.verdict.match_count == 2


def test_trials_are_judged_in_the_order_in_which_they_are_wanted(bench: Bench) -> None:
    bench.service.want(1, asks("raise"), [2, 0, 1])
    bench.service.start()

    bench.verdicts()

    assert [trial for _, trial in bench.matcher.asked] == [2, 0, 1]


def test_a_newer_question_of_a_grader_replaces_the_one_that_runs_and_its_answers_are_dropped(bench: Bench) -> None:
    def retype() -> None:
        bench.service.want(1, asks("raise"), [0, 1], typing=True)

    bench.meanwhile("rai", retype)
    bench.service.want(1, asks("rai"), [0, 1], typing=True)
    bench.service.start()

    said = bench.next()

    assert isinstance(said, Judged)
    assert said.asked == asks("raise")
    assert said.verdicts.keys() == {0, 1}
    assert ("rai", 1) not in bench.matcher.asked


def test_what_was_cancelled_for_the_view_is_done_behind_it(bench: Bench) -> None:
    bench.meanwhile("return", lambda: bench.service.view(0, [(2, asks("seen"))]))
    bench.service.want(1, asks("return"), [0, 1])
    bench.service.start()

    first, second = bench.next(), bench.next()

    assert isinstance(first, JudgedInView)
    assert isinstance(second, Judged)
    assert {trial: verdict.state for trial, verdict in second.verdicts.items()} == {0: State.FAIL, 1: State.PASS}


def test_less_urgent_wishes_do_not_interrupt(bench: Bench) -> None:
    bench.meanwhile("raise", lambda: bench.service.want(2, asks("later"), [0]))
    bench.service.want(1, asks("raise"), [0, 1], typing=True)
    bench.service.start()

    assert bench.verdicts(2) == {(1, 0): State.PASS, (1, 1): State.FAIL, (2, 0): State.FAIL}
    assert [pattern for pattern, _ in bench.matcher.asked] == ["raise", "raise", "later"]


def test_another_trial_in_view_drops_what_was_wanted_of_the_one_before(bench: Bench) -> None:
    bench.meanwhile("a", lambda: bench.service.view(1, [(1, asks("c"))]))
    bench.service.view(0, [(1, asks("a")), (2, asks("b"))])
    bench.service.start()

    said = bench.next()
    while isinstance(said, JudgedInView) and said.trial == 0:
        said = bench.next()

    assert isinstance(said, JudgedInView)
    assert (said.trial, said.slot) == (1, 1)
    assert "b" not in [pattern for pattern, _ in bench.matcher.asked]


def test_trials_that_are_read_later_are_judged_by_the_same_question(bench: Bench) -> None:
    bench.service.start()
    bench.service.more(1, asks("raise"), [0])
    found = bench.verdicts()

    bench.service.more(1, asks("raise"), [1])

    assert found | bench.verdicts() == {(1, 0): State.PASS, (1, 1): State.FAIL}


def test_a_forgotten_grader_is_judged_no_more(bench: Bench) -> None:
    bench.service.want(1, asks("raise"), [0])
    bench.service.want(2, asks("return"), [0])
    bench.service.forget(1)
    bench.service.start()

    assert bench.verdicts() == {(2, 0): State.FAIL}
    assert bench.matcher.asked == [("return", 0)]


def test_a_pattern_too_slow_for_typing_waits_and_is_tried_at_the_full_limit_when_idle(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "IDLE_AFTER", 0.0)
    bench.matcher.slow = {"raise"}
    bench.service.want(1, asks("raise"), [0, 1], typing=True)
    bench.service.start()

    assert bench.verdicts() == {(1, 0): State.PENDING, (1, 1): State.PENDING}
    assert bench.verdicts() == {(1, 0): State.PASS, (1, 1): State.FAIL}


def test_the_same_holds_for_the_trial_in_view(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "IDLE_AFTER", 0.0)
    bench.matcher.slow = {"raise"}
    bench.service.want(1, asks("raise"), [], typing=True)
    bench.service.view(0, [(1, asks("raise"))])
    bench.service.start()

    news = [bench.next(), bench.next()]

    assert all(isinstance(said, JudgedInView) for said in news)
    assert [said.verdict.state for said in news if isinstance(said, JudgedInView)] == [State.PENDING, State.PASS]


def test_a_job_that_was_cancelled_is_done_anew(bench: Bench) -> None:
    tries = []

    def job(matcher: Matcher, evidence: EvidenceSource, cancelled: Callable[[], bool]) -> object:
        tries.append(cancelled())
        if len(tries) == 1:
            bench.service.view(0, [(1, asks("raise"))])
        return cancelled()

    bench.service.ask("job", job)
    bench.service.start()

    assert isinstance(bench.next(), JudgedInView)
    assert bench.next() == JobDone("job", False)
    assert len(tries) == 2


def test_a_newer_job_with_the_same_token_replaces_the_one_that_waits(bench: Bench) -> None:
    bench.service.ask("job", lambda *_: "old")
    bench.service.ask("job", lambda *_: "new")
    bench.service.ask("other", lambda *_: "other")
    bench.service.start()

    assert [bench.next(), bench.next()] == [JobDone("job", "new"), JobDone("other", "other")]


class NoEngine(PlainMatcher):
    """An engine that cannot be had."""

    def check(self, patterns: Sequence[Pattern]) -> list[str | None]:
        raise EngineUnavailable("V8 could not be loaded.")


def test_without_an_engine_the_trouble_is_told_and_the_service_lives_on() -> None:
    bench = Bench(NoEngine())
    bench.service.want(1, asks("raise"), [0])
    bench.service.start()
    assert bench.next() == EngineTrouble("V8 could not be loaded.")

    bench.service.ask("job", lambda *_: "done")

    assert bench.next() == JobDone("job", "done")
    bench.service.close()


def engine_gone(times: int) -> PlainMatcher:
    """An engine that cannot be had the first times that it is asked."""
    matcher, left = PlainMatcher(), iter(range(times))

    def during(pattern: str, trial: int) -> None:
        if next(left, None) is not None:
            raise EngineUnavailable("V8's process ended.")

    matcher.during = during
    return matcher


@pytest.mark.parametrize("typing", [True, False])
def test_what_is_wanted_while_the_engine_is_gone_is_judged_when_it_is_back(
    typing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge, "RETRY_AFTER", 0.0)
    bench = Bench(engine_gone(judge.TRIES - 1))
    bench.service.want(1, asks("raise"), [0, 1], typing=typing)
    bench.service.view(2, [(1, asks("raise"))])
    bench.service.start()

    news = [bench.next() for _ in range(judge.TRIES - 1)]
    assert news == [EngineTrouble("V8's process ended.")] * (judge.TRIES - 1)
    found = {type(one): one for one in (bench.next(), bench.next())}
    assert isinstance(found[Judged], Judged)
    assert sorted(found[Judged].verdicts) == [0, 1]
    assert isinstance(found[JudgedInView], JudgedInView)
    bench.service.close()


def test_a_wish_after_the_engine_was_given_up_is_judged_when_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "RETRY_AFTER", 0.0)
    bench = Bench(engine_gone(judge.TRIES))
    bench.service.want(1, asks("raise"), [0])
    bench.service.start()
    for _ in range(judge.TRIES):
        assert isinstance(bench.next(), EngineTrouble)

    bench.service.want(1, asks("raise"), [0])

    news = bench.next()
    assert isinstance(news, Judged)
    assert news.verdicts[0].state is State.PASS
    bench.service.close()


def test_nothing_is_delivered_after_closing(bench: Bench) -> None:
    bench.meanwhile("raise", bench.service.close)
    bench.service.want(1, asks("raise"), [0, 1])
    bench.service.start()
    bench.service.close(LONG)

    assert bench.news.empty()
