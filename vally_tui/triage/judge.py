"""The judging service: one thread that answers what the screen wants to know next, the newest wish first.

Order: what is in view, then the grader that is being edited, then jobs that were asked for, then all the rest. Any newer
wish of a higher rank cancels the search that is running. News is delivered as frozen values on the service's thread; who
receives it must hand it to the thread that owns the state.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import islice, takewhile

from msgspec import Struct

from vally_tui.errors import EngineUnavailable
from vally_tui.grading.graders import Faults, Question
from vally_tui.grading.judge import Case, EvidenceSource, judge
from vally_tui.grading.model import PENDING, State, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, TYPING_LIMIT, ForgivingMatcher, Matcher, TimeLimit

Asked = Question | Faults

PORTION = 256
"""Cases that are judged in one call; between two calls the order of wishes is looked at again."""
NEWS_EVERY = 0.05
"""Seconds between two pieces of news of the same column: at most 20 a second."""
SPANS_IN_VIEW = 200_000
"""Matches of the trial in view that are marked; more are only counted."""
TRIES = 3
"""How often in a row the engine is asked for before everything that is wanted is let go."""
RETRY_AFTER = 1.0
"""Seconds until it is asked for again, where no new wish comes in."""
IDLE_AFTER = 0.7
"""Seconds without a new wish after which searches that ran over the limit of typing are tried at the full one."""


class Judged(Struct, frozen=True):
    """Verdicts of one grader, without the places of its matches."""

    slot: int
    asked: Asked
    verdicts: dict[int, Verdict]
    """Trial key -> verdict."""


class JudgedInView(Struct, frozen=True):
    """The verdict of one grader on the trial in view, with its matches and their count."""

    trial: int
    slot: int
    asked: Asked
    verdict: Verdict


class JobDone(Struct, frozen=True):
    """The result of a job."""

    token: Hashable
    value: object


class EngineTrouble(Struct, frozen=True):
    """V8 cannot be had; nothing can be judged again, unless a later wish finds it there."""

    message: str


News = Judged | JudgedInView | JobDone | EngineTrouble
Job = Callable[[Matcher, EvidenceSource, Callable[[], bool]], object]
"""Work that needs the engine: called on the service's thread with a way to see that it was cancelled."""


class _Rank(IntEnum):
    """The order of wishes."""

    VIEW = 0
    TYPING = 1
    JOB = 2
    REST = 3
    LATE = 4
    SLOW = 5


class _Column(Struct):
    """The trials on which a question is still to be judged."""

    asked: Asked
    waiting: deque[int]
    typing: bool
    slow: deque[int]
    """Trials that ran over the limit of typing."""


class JudgingService:
    """Owns the thread and the order of work; the engine and the evidence are handed in."""

    def __init__(
        self,
        matcher: ForgivingMatcher,
        evidence: EvidenceSource,
        deliver: Callable[[News], None],
        limit: TimeLimit = FULL_LIMIT,
    ) -> None:
        """``deliver`` is called on the service's thread; ``limit`` is the full limit of one search."""
        self._matcher = matcher
        self._evidence = evidence
        self._deliver = deliver
        self._limit = limit
        self._wake = threading.Condition()
        self._columns: OrderedDict[int, _Column] = OrderedDict()
        self._view: deque[tuple[int, int, Asked]] = deque()
        self._slow_view: deque[tuple[int, int, Asked]] = deque()
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._late_jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._changed_at = 0.0
        self._newest = _Rank.SLOW
        self._closed = False
        self._trouble: str | None = None
        """Why the piece of work under way cannot have the engine."""
        self._troubles = 0
        """How often in a row that was so."""
        self._thread = threading.Thread(target=self._run, name="judging", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self, wait: float = 1.0) -> None:
        """Stop working; waits at most so many seconds for a search to be cancelled."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(wait)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is wanted but late jobs."""
        with self._wake:
            waiting = any(column.waiting or column.slow for column in self._columns.values())
            return not waiting and not self._view and not self._jobs

    def want(
        self, slot: int, asked: Asked, trials: Iterable[int], *, typing: bool = False, again: bool = False
    ) -> None:
        """Judge a slot's question on these trials, in this order; an older question of the slot is dropped.

        ``again``: also where its pattern could not be stopped before.
        """
        if again and isinstance(asked, Question) and asked.pattern is not None:
            self._matcher.forgive(asked.pattern)
        with self._wake:
            self._columns[slot] = _Column(asked, deque(trials), typing, deque())
            self._nudge(_Rank.TYPING if typing else _Rank.REST)

    def more(self, slot: int, asked: Asked, trials: Iterable[int]) -> None:
        """Judge a slot's question on further trials, which have just been read."""
        with self._wake:
            column = self._columns.get(slot)
            if column is None or column.asked != asked:
                self._columns[slot] = _Column(asked, deque(trials), False, deque())
            else:
                column.waiting.extend(trials)
            self._nudge(_Rank.REST)

    def forget(self, slot: int) -> None:
        """Drop what is wanted of a slot."""
        with self._wake:
            self._columns.pop(slot, None)

    def view(self, trial: int, asked: Sequence[tuple[int, Asked]]) -> None:
        """Find the matches of these (slot, question) in the trial in view; an older view is dropped."""
        with self._wake:
            self._view = deque((trial, slot, question) for slot, question in asked)
            self._slow_view.clear()
            self._nudge(_Rank.VIEW)

    def ask(self, token: Hashable, job: Job, *, late: bool = False) -> None:
        """Do a job when nothing more urgent waits (``late``: when all is judged); an older one of its token is dropped."""
        with self._wake:
            self._jobs.pop(token, None)
            self._late_jobs.pop(token, None)
            (self._late_jobs if late else self._jobs)[token] = job
            self._nudge(_Rank.LATE if late else _Rank.JOB)

    def _nudge(self, rank: _Rank) -> None:
        self._changed_at = time.monotonic()
        self._newest = min(self._newest, rank)
        self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                work = self._next()
                while work is None and not self._closed:
                    self._wake.wait(IDLE_AFTER if self._has_slow() else None)
                    work = self._next()
                if self._closed or work is None:
                    return
                self._newest = _Rank.SLOW
            work()
            if self._trouble is not None:
                self._bear(self._trouble)

    def _bear(self, message: str) -> None:
        """Tell that the engine cannot be had, and try again a little later; what is still wanted in the end is let go."""
        self._trouble = None
        self._troubles += 1
        self._deliver(EngineTrouble(message))
        with self._wake:
            if self._troubles < TRIES:
                self._wake.wait(RETRY_AFTER)
                return
            self._columns.clear()
            self._view.clear()
            self._jobs.clear()
            self._late_jobs.clear()
            self._slow_view.clear()

    def _answers(
        self, cases: Sequence[Case], limit: TimeLimit, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[int, Verdict]]:
        """Judge; without an engine this ends early, as when it is cancelled, so that the rest stays wanted."""
        try:
            for index, verdict in judge(cases, self._evidence, self._matcher, limit=limit, cancelled=cancelled):
                if is_of_engine(cases[index].question, verdict):
                    self._troubles = 0
                yield index, verdict
        except EngineUnavailable as trouble:
            self._trouble = str(trouble)

    def _cancelled(self, rank: _Rank) -> Callable[[], bool]:
        """Whether a wish came in meanwhile that goes before work of this rank."""

        def cancelled() -> bool:
            # Typing is replaced by newer typing; everything else only gives way to what ranks before it.
            return self._closed or self._newest < rank or (rank is _Rank.TYPING and self._newest is rank)

        return cancelled

    def _next(self) -> Callable[[], None] | None:
        """The most urgent piece of work; called with the lock held."""
        if self._view:
            return self._look(self._view.popleft(), _Rank.VIEW)
        for slot, column in self._columns.items():
            if column.typing and column.waiting:
                return self._fill(slot, column, _Rank.TYPING, TYPING_LIMIT)
        if self._jobs:
            return self._do(*self._jobs.popitem(last=False), _Rank.JOB)
        if any(column.waiting for column in self._columns.values()):
            return self._fill_rest
        if self._late_jobs:
            return self._do(*self._late_jobs.popitem(last=False), _Rank.LATE)
        if time.monotonic() - self._changed_at >= IDLE_AFTER:
            if self._slow_view:
                return self._look(self._slow_view.popleft(), _Rank.SLOW)
            for slot, column in self._columns.items():
                if column.slow:
                    column.waiting, column.slow = column.slow, deque()
                    return self._fill(slot, column, _Rank.SLOW, self._limit)
        return None

    def _has_slow(self) -> bool:
        return bool(self._slow_view) or any(column.slow for column in self._columns.values())

    def _look(self, wish: tuple[int, int, Asked], rank: _Rank) -> Callable[[], None]:
        def look() -> None:
            trial, slot, asked = wish
            quick = rank is _Rank.VIEW and self._is_typed(slot, asked)
            limit = TYPING_LIMIT if quick else self._limit
            case = Case(trial, asked, SPANS_IN_VIEW, count=True)
            done = False
            for _, verdict in self._answers([case], limit, self._cancelled(rank)):
                done = True
                if quick and verdict.state is State.TIMEOUT:
                    self._slow_view.append(wish)
                    verdict = PENDING
                self._deliver(JudgedInView(trial, slot, asked, verdict))
            if not done:
                self._again(wish)

        return look

    def _is_typed(self, slot: int, asked: Asked) -> bool:
        column = self._columns.get(slot)
        return column is not None and column.typing and column.asked == asked

    def _again(self, wish: tuple[int, int, Asked]) -> None:
        with self._wake:
            if not self._closed and all(other[0] == wish[0] for other in self._view):
                self._view.appendleft(wish)

    def _do(self, token: Hashable, job: Job, rank: _Rank) -> Callable[[], None]:
        def do() -> None:
            cancelled = self._cancelled(rank)
            try:
                value = job(self._matcher, self._evidence, cancelled)
            except EngineUnavailable as trouble:
                self._trouble = str(trouble)
            if self._trouble is None and not cancelled():
                self._deliver(JobDone(token, value))
                return
            with self._wake:
                if not self._closed and token not in self._jobs and token not in self._late_jobs:
                    (self._jobs if rank is _Rank.JOB else self._late_jobs)[token] = job

        return do

    def _fill_rest(self) -> None:
        """Judge a portion of trials by all graders that they wait for, so that each text is read once for all."""
        with self._wake:
            first = next((column for column in self._columns.values() if column.waiting), None)
            if first is None:
                return
            order = {trial: place for place, trial in enumerate(islice(first.waiting, PORTION))}
            work = [
                (slot, column, [column.waiting.popleft() for _ in _leading(column.waiting, order)])
                for slot, column in self._columns.items()
            ]
        pairs = [(slot, column, trial) for slot, column, trials in work for trial in trials]
        # By trial, so that the searches of one text stand together, and in the order in which the trials are wanted.
        pairs.sort(key=lambda pair: order[pair[2]])
        verdicts: dict[int, dict[int, Verdict]] = {}
        answered: set[int] = set()
        cases = [Case(trial, column.asked) for _, column, trial in pairs]
        for index, verdict in self._answers(cases, self._limit, self._cancelled(_Rank.REST)):
            answered.add(index)
            slot, _, trial = pairs[index]
            verdicts.setdefault(slot, {})[trial] = verdict
        with self._wake:
            for index in range(len(pairs) - 1, -1, -1):
                if index not in answered:
                    pairs[index][1].waiting.appendleft(pairs[index][2])
        for slot, column, _ in work:
            if slot in verdicts and self._columns.get(slot) is column:
                self._deliver(Judged(slot, column.asked, verdicts[slot]))

    def _fill(self, slot: int, column: _Column, rank: _Rank, limit: TimeLimit) -> Callable[[], None]:
        def fill() -> None:
            until = time.monotonic() + NEWS_EVERY
            verdicts: dict[int, Verdict] = {}
            cancelled = self._cancelled(rank)
            while column.waiting and self._trouble is None and not cancelled() and time.monotonic() < until:
                verdicts |= self._portion(column, limit, rank, cancelled)
            if verdicts and self._columns.get(slot) is column:
                self._deliver(Judged(slot, column.asked, verdicts))

        return fill

    def _portion(
        self, column: _Column, limit: TimeLimit, rank: _Rank, cancelled: Callable[[], bool]
    ) -> dict[int, Verdict]:
        trials = [column.waiting.popleft() for _ in range(min(PORTION, len(column.waiting)))]
        cases = [Case(trial, column.asked) for trial in trials]
        verdicts: dict[int, Verdict] = {}
        answered = set()
        for index, verdict in self._answers(cases, limit, cancelled):
            answered.add(index)
            if rank is _Rank.TYPING and verdict.state is State.TIMEOUT:
                column.slow.append(trials[index])
                verdict = PENDING
            verdicts[trials[index]] = verdict
        column.waiting.extendleft(trial for index, trial in reversed(list(enumerate(trials))) if index not in answered)
        return verdicts


def is_of_engine(asked: Asked, verdict: Verdict) -> bool:
    """Whether a verdict shows that there is an engine: others come from the config or from evidence that lacks."""
    has_pattern = isinstance(asked, Question) and asked.pattern is not None
    return has_pattern and verdict.state not in (State.NO_EVIDENCE, State.PENDING)


def _leading(waiting: deque[int], portion: Container[int]) -> list[int]:
    """The trials at the head of a queue that are in the portion."""
    return list(takewhile(portion.__contains__, waiting))
