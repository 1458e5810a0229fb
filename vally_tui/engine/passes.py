"""One pass: which searches are still to be done, in which batches they go to the worker, and what its answers mean.

Owns no process: it is asked for the next batch and is told each message that comes back.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import chain

from msgspec import Struct, field

from vally_tui.engine.frames import MAX_JOBS, MAX_SPANS, Code, Frame, Results, pack
from vally_tui.engine.killed import Killed
from vally_tui.engine.supervisor import End
from vally_tui.engine.texts import Measured, Residents, measure
from vally_tui.grading.model import NO_SPANS, Spans
from vally_tui.grading.pattern import Answer, Outcome, Pattern, Search, TimeLimit

_FIRST_LOAD = 1 << 20
"""Bytes of new texts in the first batch; small, so that the first answers come soon."""

_LOAD = 4 << 20
"""Bytes of new texts in a later batch; the worker searches one batch while the next is loaded."""

_OUTSTANDING = 2
"""Batches that the worker may have at once."""

_OWN_FAILURES, _OUTSIDE_KILLS = 2, 5
"""How often the process may end on one and the same search, alone in its batch, before the search is given up."""

_MOST_MS = (1 << 31) - 1

_NO_TEXT = object()
"""Stands for the key of a text where there is none yet."""

_SHRINK = 8
"""By how much batches get smaller after the worker has ended; they grow again with each one that is done."""

_FOUND_CODE, _NOT_FOUND_CODE = Code.FOUND, Code.NOT_FOUND

_FOUND, _NOT_FOUND, _NONE_COUNTED = Answer(Outcome.FOUND), Answer(Outcome.NOT_FOUND), Answer(Outcome.NOT_FOUND, count=0)


class Batch(Struct):
    """Searches that go to the worker in one run message."""

    run: int
    searches: Sequence[Search]
    """All searches of the pass; ``indices`` says which of them."""
    indices: list[int] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    """The length of each one's text."""
    fresh: dict[Hashable, Measured] = field(default_factory=dict)
    """Texts that come with it."""
    load: int = 0
    """Bytes of those."""
    blocks: set[int] = field(default_factory=set)
    """Blocks that lie in the worker already and are needed."""
    held: int = 0
    """Bytes of those."""
    patterns: list[Pattern] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    """Which of those each one looks for."""
    text: Hashable = _NO_TEXT
    """The key of the last one's text: the next search is often of the same."""
    _numbers: dict[int, int] = field(default_factory=dict)
    messages: list[str | None] = field(default_factory=list)
    """V8's message for each pattern that it refuses."""
    answered: int = 0
    """How many of the searches, from the first, are answered."""

    def take(self, index: int, units: int) -> None:
        """Add a search whose text has so many units."""
        pattern, self.text, _, _ = self.searches[index]
        # By identity, since the same few objects come thousands of times and hashing one is slow.
        number = self._numbers.setdefault(id(pattern), len(self.patterns))
        if number == len(self.patterns):
            self.patterns.append(pattern)
        self.indices.append(index)
        self.units.append(units)
        self.numbers.append(number)

    def pattern(self, job: int) -> Pattern:
        """What a job of it looks for."""
        return self.patterns[self.numbers[job]]

    def message(self, residents: Residents, limit: TimeLimit, killed: Killed) -> bytes:
        """The run message; all texts must have a place by now."""
        jobs: list[int] = []
        last, slot, milliseconds = _NO_TEXT, 0, 0
        watched = bool(killed)
        for index, units, number in zip(self.indices, self.units, self.numbers, strict=True):
            pattern, text, spans, count = self.searches[index]
            if watched and killed.only_first(pattern, units):
                spans, count = min(spans, 1), False
            if spans:
                spans = max(0, min(spans, MAX_SPANS))
            if text != last:
                last, slot, milliseconds = text, residents.places[text].slot, _milliseconds(limit, units)
            jobs += (number, slot, spans, count, milliseconds)
        patterns = [(pattern.kind, pattern.source, pattern.flags) for pattern in self.patterns]
        header = {"do": "run", "run": self.run, "patterns": patterns, "size": len(self.indices)}
        return pack(header, array("i", jobs).tobytes())


def _milliseconds(limit: TimeLimit, units: int) -> int:
    """How long a search of a text of so many units may take, as a job has it."""
    milliseconds = limit.seconds(units) * 1000
    return int(milliseconds) if milliseconds < _MOST_MS else _MOST_MS


class Pass:
    """The searches of one request."""

    def __init__(
        self, searches: Sequence[Search], load: Callable[[Hashable], str], limit: TimeLimit, killed: Killed
    ) -> None:
        self._searches = searches
        self._load = load
        self._limit = limit
        self._killed = killed
        self._todo = deque(range(len(searches)))
        self._ready: list[tuple[int, Answer]] = []
        self._batches: dict[int, Batch] = {}
        self._measured: Measured | None = None
        self._load_limit = _FIRST_LOAD
        self._most = MAX_JOBS
        self._ends: dict[int, int] = {}

    @property
    def done(self) -> bool:
        """Whether every search is answered and every answer was taken."""
        return not (self._todo or self._batches or self._ready)

    @property
    def waits(self) -> bool:
        """Whether the worker has something to do for it."""
        return bool(self._batches)

    @property
    def wants_batch(self) -> bool:
        """Whether the worker should get another batch now."""
        return bool(self._todo) and len(self._batches) < (1 if self._most == 1 else _OUTSTANDING)

    def ready(self) -> list[tuple[int, Answer]]:
        """The answers since the last call."""
        ready, self._ready = self._ready, []
        return ready

    def unanswered(self) -> list[int]:
        """The searches without an answer, in their order."""
        return [*(index for batch in self._batches.values() for index in _left(batch)), *self._todo]

    def next_batch(self, run: int, residents: Residents, interrupted: Callable[[], bool]) -> Batch | None:
        """Load texts and gather searches; None when none of them needs the worker, or when interrupted."""
        batch = Batch(run, self._searches)
        watched = bool(self._killed)
        while self._todo and len(batch.indices) < self._most:
            index = self._todo[0]
            pattern, text, _, _ = self._searches[index]
            answer = self._killed.on_text(text) if watched else None
            if answer is None:
                if text == batch.text:
                    units: int | None = batch.units[-1]
                elif text not in residents.places and interrupted():
                    self._todo.extendleft(reversed(batch.indices))
                    return None
                else:
                    units = self._room_for(text, batch, residents)
                if units is None:
                    break
                answer = self._killed.answer(pattern, units) if watched else None
                if answer is None:
                    batch.take(index, units)
            if answer is not None:
                self._ready.append((index, answer))
            self._todo.popleft()
        if not batch.indices:
            return None
        self._load_limit = _LOAD
        self._batches[run] = batch
        return batch

    def messages(self, batch: Batch, residents: Residents) -> Iterator[bytes]:
        """What is to be sent for a batch: its texts, then the run itself."""
        texts = residents.add(list(batch.fresh.values()), batch.blocks)
        run = batch.message(residents, self._limit, self._killed)
        batch.fresh = {}
        return chain(texts, (run,))

    def _room_for(self, key: Hashable, batch: Batch, residents: Residents) -> int | None:
        """The units of a text that is, or will be, in the worker for this batch; None when it must wait for the next."""
        place = residents.places.get(key)
        if place is not None:
            fits = place.block in batch.blocks or self._pin(place.block, batch, residents)
            return place.units if fits else None
        if key in batch.fresh:
            return batch.fresh[key].units
        text = self._text(key)
        over = batch.load + text.cost > self._load_limit or batch.held + batch.load + text.cost > residents.cap
        if batch.indices and over:
            return None
        self._measured = None
        batch.fresh[key] = text
        batch.load += text.cost
        return text.units

    @staticmethod
    def _pin(block: int, batch: Batch, residents: Residents) -> bool:
        """Keep a block for the batch, unless that would keep more than the worker may hold."""
        cost = residents.use(block)
        if batch.indices and batch.held + batch.load + cost > residents.cap:
            return False
        batch.blocks.add(block)
        batch.held += cost
        return True

    def _text(self, key: Hashable) -> Measured:
        if self._measured is None or self._measured.key != key:
            self._measured = measure(key, self._load(key))
        return self._measured

    def forget_loaded(self) -> None:
        """A text that was loaded and not sent yet may have changed."""
        self._measured = None

    def take(self, frame: Frame) -> None:
        """A message of the worker; one for a run of an older pass is passed over."""
        batch = self._batches.get(frame.header.get("run", -1))
        if batch is None:
            return
        match frame.header["is"]:
            case "invalid":
                batch.messages = frame.header["messages"]
            case "answers":
                self._take_answers(batch, frame)
            case "done":
                del self._batches[batch.run]
                self._most = min(MAX_JOBS, self._most * 2)

    def _take_answers(self, batch: Batch, frame: Frame) -> None:
        results = Results.from_bytes(frame.body, frame.header["jobs"], frame.header["spans"])
        errors = dict(frame.header["errors"])
        at = 0
        each = zip(results.codes, results.counts, results.span_counts, strict=True)
        for job, (code, count, spans) in enumerate(each, frame.header["first"]):
            index = batch.indices[job]
            if code == _FOUND_CODE:
                answer = _FOUND if spans == 0 and count < 0 else _found(results, at, spans, count)
                at += spans
            elif code == _NOT_FOUND_CODE:
                answer = _NONE_COUNTED if self._searches[index].count else _NOT_FOUND
            else:
                answer = self._failure(batch, job, code, errors)
            self._ready.append((index, answer))
        batch.answered = frame.header["first"] + frame.header["jobs"]

    def _failure(self, batch: Batch, job: int, code: int, errors: dict[int, str]) -> Answer:
        if code == Code.INVALID:
            return Answer(Outcome.INVALID, batch.messages[batch.numbers[job]])
        if code == Code.ERROR:
            return Answer(Outcome.ERROR, errors[job])
        return Answer(Outcome.TIMEOUT, _too_slow(self._limit.seconds(batch.units[job])))

    def worker_ended(self, end: End) -> None:
        """The worker is gone, and with it what it had: those searches are to be done again.

        When it ends again and again, batches shrink until it is clear at which search, and that one is given up.
        """
        batches = list(self._batches.values())
        self._batches = {}
        self._todo.extendleft(reversed([index for batch in batches for index in _left(batch)]))
        if not batches or end.blameless:
            return
        if len(batches) == 1 and len(batches[0].indices) == 1:
            self._blame(batches[0], end)
        self._most = max(1, len(batches[0].indices) // _SHRINK)

    def _blame(self, batch: Batch, end: End) -> None:
        index = batch.indices[0]
        self._ends[index] = self._ends.get(index, 0) + 1
        if self._ends[index] >= (_OWN_FAILURES if end.own else _OUTSIDE_KILLS):
            self._todo.remove(index)
            self._ready.append((index, Answer(Outcome.ERROR, end.message)))
            if end.own:
                self._killed.crashed(self._searches[index].text, end.message)


def _too_slow(seconds: float) -> str:
    """What became of a search that ran over its limit, as a sentence about its pattern."""
    return f"took longer than {round(seconds, 3):g} s and was stopped"


def _left(batch: Batch) -> list[int]:
    return batch.indices[batch.answered :]


def _found(results: Results, at: int, spans: int, count: int) -> Answer:
    places = Spans(results.starts[at : at + spans], results.ends[at : at + spans]) if spans else NO_SPANS
    return Answer(Outcome.FOUND, None, count if count >= 0 else None, places)
