"""The memory that match.js and the worker share. Owns its layout on Python's side, decides nothing.

It can be read while V8 works and after V8 was stopped; match.js publishes ``finished`` last.
"""

from __future__ import annotations

from array import array

from vally_tui.engine.frames import JOB_FIELDS, Code, Results
from vally_tui.engine.offsets import to_code_points
from vally_tui.engine.shelf import Shelf
from vally_tui.engine.v8 import V8

_NAMES = ("JOBS", "META", "CODES", "COUNTS", "SPAN_COUNTS", "SPAN_FROM", "STARTS", "ENDS")


class Buffers:
    """Views of the typed arrays, named as in match.js."""

    def __init__(self, views: dict[str, memoryview]) -> None:
        self._jobs = views["JOBS"].cast("i")
        self._meta = views["META"].cast("i")
        self._codes = views["CODES"]
        self._counts = views["COUNTS"].cast("i")
        self._span_counts = views["SPAN_COUNTS"].cast("I")
        self._span_from = views["SPAN_FROM"].cast("I")
        self._starts = views["STARTS"].cast("I")
        self._ends = views["ENDS"].cast("I")

    @classmethod
    async def open(cls, v8: V8) -> Buffers:
        """Get hold of them, once."""
        return cls({name: await v8.buffer(name) for name in _NAMES})

    def put_jobs(self, jobs: bytes) -> None:
        """Lay down the jobs of a run, as they came."""
        numbers = memoryview(jobs).cast("i")
        self._jobs[: len(numbers)] = numbers

    def limit(self, job: int) -> float:
        """How long a job may take, in seconds."""
        return self._jobs[job * JOB_FIELDS + 4] / 1000

    @property
    def in_work(self) -> int:
        """The job that V8 began last."""
        return self._meta[0]

    @property
    def counting(self) -> bool:
        """Whether that job has its verdict and goes on to the other matches."""
        return bool(self._meta[1])

    @property
    def finished(self) -> int:
        """How many jobs, from the first, are finished."""
        return self._meta[2]

    def give_up(self, job: int) -> None:
        """Finish a job that was stopped: timed out, or found without a count where only the counting was stopped."""
        if self._codes[job] == Code.PENDING:
            self._codes[job] = Code.TIMEOUT
        self._meta[2] = job + 1

    def first_error(self, first: int, end: int) -> int:
        """The first of these jobs at which V8 threw; ``end`` when there is none."""
        at = bytes(self._codes[first:end]).find(Code.ERROR)
        return end if at < 0 else first + at

    def results(self, first: int, end: int, shelf: Shelf) -> Results:
        """What finished jobs found, with offsets in code points."""
        starts, ends = array("I"), array("I")
        for job in range(first, end):
            if self._span_counts[job]:
                begin, finish = self._spans(job, shelf)
                starts += begin
                ends += finish
        counts = array("i", self._counts[first:end])
        return Results(bytes(self._codes[first:end]), counts, array("I", self._span_counts[first:end]), starts, ends)

    def _spans(self, job: int, shelf: Shelf) -> tuple[array[int], array[int]]:
        at = self._span_from[job]
        until = at + self._span_counts[job]
        starts, ends = array("I", self._starts[at:until]), array("I", self._ends[at:until])
        table = shelf.table(self._jobs[job * JOB_FIELDS + 1])
        return to_code_points(starts, ends, table) if table else (starts, ends)
