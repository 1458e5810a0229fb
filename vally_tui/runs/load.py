"""Reads a results file in steps: the first trials are there before the last record is read; goes on when the file grows.

Keeps no trajectory in memory. Prints nothing; what cannot be read is an issue with its line.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.runs.files import Refusal, open_regular, refusal, size_of
from vally_tui.runs.model import LOST_KINDS, IssueKind, LoadIssue, RecordPlace, Run, RunSource, RunSummary, Trial
from vally_tui.runs.records import ParsedLine, RecordReader
from vally_tui.runs.shapes import BOM
from vally_tui.runs.words import megabytes, shortened

MAX_LINE = 32 << 20
"""Bytes of one line; a longer one is passed over, as an issue. While a line is decoded no other thread works: one of so many
bytes stops the screen for about a tenth of a second."""
MOST_ISSUES = 10_000
"""Issues that are kept of one reading; the rest are counted in a last one."""
_FIRST_BATCH = (40, 0.05)
_LATER_BATCH = (1000, 0.2)
_SKIPPED_AT_ONCE = 1 << 20
_MARKED = 4096
_UNKNOWN_TYPES = 20
_PROVISIONAL = frozenset({IssueKind.TORN_LINE, IssueKind.EMPTY_FILE, IssueKind.NO_TRIALS, IssueKind.UNREADABLE_FILE})
"""Said anew by each reading, where it still holds."""


class LoadStep(Struct, frozen=True):
    """What was read since the step before, and how far reading has come."""

    trials: tuple[Trial, ...]
    issues: tuple[LoadIssue, ...]
    read: int
    """Bytes of the file that are behind."""
    total: int
    """Bytes of the file when reading began, or ``read`` where it grew meanwhile."""
    summary: RunSummary | None
    """The last summary so far; None where none was read in this reading."""
    unknown_records: int
    """Records of unknown type in this step."""
    end: int
    """As ``Run.end``."""
    lines: int
    """As ``Run.lines``."""
    mark: int
    """As ``Run.mark``."""
    last: bool = False
    """Whether the file was read to its end."""
    torn: bool = False
    """Whether the last line is not finished yet."""
    restarted: bool = False
    """The file shrank or was replaced: what was read of it before is void, and this step begins from its start."""

    def parts(self, most: int) -> Iterator[LoadStep]:
        """The step in parts of at most so many trials; all that is no trial comes with the last one."""
        for start in range(0, max(len(self.trials), 1), most):
            end = start + most
            part = replace(self, trials=self.trials[start:end], restarted=self.restarted and start == 0)
            yield part if end >= len(self.trials) else replace(part, issues=(), unknown_records=0, last=False)


def never() -> bool:
    """Cancels nothing."""
    return False


Seen = Callable[[Trial, bytes, str | None], None]
"""Given a trial, the line of its record, and its inline diff of the whole run where it has one."""


def unseen(trial: Trial, line: bytes, diff: str | None) -> None:
    """Keeps nothing."""


def load_run(
    source: RunSource,
    *,
    first_key: int = 0,
    cancelled: Callable[[], bool] = never,
    max_line: int = MAX_LINE,
    seen: Seen = unseen,
) -> Iterator[LoadStep]:
    """Read a results file from its start. The steps can be taken in any one thread; a cancelled reading just ends.

    ``seen`` is told of each trial, for those who judge while they read.
    """
    return _steps(source, started_run(source), first_key, cancelled, max_line, seen)


def resume_run(
    run: Run, *, first_key: int, cancelled: Callable[[], bool] = never, max_line: int = MAX_LINE
) -> Iterator[LoadStep]:
    """Read what was added to a run's file since; from its start, and marked so, where it shrank or was replaced."""
    return _steps(run.source, run, first_key, cancelled, max_line, unseen)


def started_run(source: RunSource) -> Run:
    """A run of which nothing is read yet."""
    return Run(source, (), (), None, 0, complete=False)


def extended(run: Run, *steps: LoadStep) -> Run:
    """The run with what the steps brought, in their order; a torn line that was finished meanwhile is no issue any more."""
    trials, issues, summary, unknown = list(run.trials), list(run.issues), run.summary, run.unknown_records
    for step in steps:
        if step.restarted:
            trials, issues, summary, unknown = [], [], None, 0
        trials += step.trials
        issues = [issue for issue in issues if issue.kind not in _PROVISIONAL] + list(step.issues)
        summary = step.summary or summary
        unknown += step.unknown_records
    if not steps:
        return run
    last = steps[-1]
    return replace(
        run,
        trials=tuple(trials),
        issues=tuple(issues),
        summary=summary,
        unknown_records=unknown,
        complete=last.last and not last.torn,
        end=last.end,
        lines=last.lines,
        mark=last.mark,
    )


def read_run(source: RunSource, *, first_key: int = 0) -> Run:
    """A whole run at once, for those who show nothing meanwhile."""
    return extended(started_run(source), *load_run(source, first_key=first_key))


def _steps(
    source: RunSource,
    run: Run,
    first_key: int,
    cancelled: Callable[[], bool],
    max_line: int,
    seen: Seen,
) -> Iterator[LoadStep]:
    file = open_regular(source.results)
    if isinstance(file, Refusal):
        yield _unreadable(source, run, file)
        return
    with file:
        restarted = _is_other(file, run)
        reading = _Reading(file, source, started_run(source) if restarted else run, first_key, max_line, seen)
        for step in reading.steps(cancelled):
            yield replace(step, restarted=restarted)
            restarted = False


def _unreadable(source: RunSource, run: Run, why: Refusal) -> LoadStep:
    message = f"the file {why.why}: mend that and read the run again"
    issue = LoadIssue(IssueKind.UNREADABLE_FILE, source.shown, None, message)
    return LoadStep((), (issue,), run.end, run.end, None, 0, run.end, run.lines, run.mark, last=True)


def _is_other(file: BinaryIO, run: Run) -> bool:
    return size_of(file) < run.end or (run.end > 0 and _mark(file, run.end) != run.mark)


def _mark(file: BinaryIO, end: int) -> int:
    """A check sum of the first bytes of the file and of the last ones before ``end``."""
    head = os.pread(file.fileno(), min(_MARKED, end), 0)
    tail = os.pread(file.fileno(), min(_MARKED, end), max(0, end - _MARKED))
    return zlib.crc32(tail, zlib.crc32(head))


class _Reading:
    """One pass over a file, from where it was left to its end."""

    def __init__(
        self,
        file: BinaryIO,
        source: RunSource,
        run: Run,
        first_key: int,
        max_line: int,
        seen: Seen,
    ) -> None:
        self._file = file
        self._seen = seen
        self._source = source
        self._reader = RecordReader(source.shown)
        self._key = first_key
        self._max_line = max_line
        self._end, self._lines = run.end, run.lines
        self._total = size_of(file)
        self._summary: RunSummary | None = None
        self._any_trials = bool(run.trials)
        self._types: set[str] = set()
        self._trials: list[Trial] = []
        self._issues: list[LoadIssue] = []
        self._unknown = 0
        self._issue_count = 0
        self._lost_over = False
        self._torn = False

    def steps(self, cancelled: Callable[[], bool]) -> Iterator[LoadStep]:
        most, seconds = _FIRST_BATCH
        since = time.monotonic()
        try:
            self._file.seek(self._end)
            while self._take_line():
                if cancelled():
                    return
                if len(self._trials) >= most or time.monotonic() - since > seconds:
                    yield self._step()
                    most, seconds = _LATER_BATCH
                    since = time.monotonic()
        except OSError as error:
            self._complain(IssueKind.UNREADABLE_FILE, None, f"the file {refusal(error).why}: the rest is not read")
        self._conclude()
        yield self._step(last=True)

    def _take_line(self) -> bool:
        """Read one line; whether there may be more."""
        line = self._file.readline(self._max_line + 1)
        if not line:
            return False
        if len(line) > self._max_line and not line.endswith(b"\n"):
            return self._pass_over(len(line))
        if self._end == 0 and line.startswith(BOM):
            return self._take(line[len(BOM) :], len(BOM))
        return self._take(line, 0)

    def _take(self, line: bytes, mark: int) -> bool:
        """Parse a line that lost ``mark`` bytes of a byte order mark. Its newline stays: cutting it off copies the line."""
        newline = int(line.endswith(b"\n"))
        if line and not line.isspace():
            length = len(line) - newline
            place = RecordPlace(self._end + mark, length, self._lines + 1, zlib.crc32(memoryview(line)[:length]))
            parsed = self._reader.parse(line, place, self._key)
            # Without its newline a line is a record only when it is a whole object, which cannot go on.
            if parsed.malformed and not newline:
                return self._leave_torn()
            self._keep(parsed, place, line)
        self._end += mark + len(line)
        self._lines += newline
        return bool(newline)

    def _keep(self, parsed: ParsedLine, place: RecordPlace, line: bytes) -> None:
        for issue in parsed.issues:
            self._complain(issue.kind, issue.line, issue.message)
        if parsed.trial is not None:
            self._trials.append(parsed.trial)
            self._seen(parsed.trial, line, parsed.diff)
            self._any_trials = True
            self._key += 1
        self._summary = parsed.summary or self._summary
        if parsed.unknown is not None:
            self._unknown += 1
            if parsed.unknown not in self._types and len(self._types) < _UNKNOWN_TYPES:
                self._types.add(parsed.unknown)
                message = f"records of type {parsed.unknown!r} are not known: they are counted and left out"
                self._complain(IssueKind.UNKNOWN_RECORD, place.line, message)

    def _pass_over(self, length: int) -> bool:
        newline = 0
        while not newline and (part := self._file.readline(_SKIPPED_AT_ONCE)):
            length += len(part)
            newline = int(part.endswith(b"\n"))
        if not newline:
            return self._leave_torn()
        message = f"this line has {megabytes(length)}, above the limit of {megabytes(self._max_line)}: it is left out"
        self._complain(IssueKind.TOO_LARGE_LINE, self._lines + 1, message)
        self._end += length
        self._lines += 1
        return True

    def _leave_torn(self) -> bool:
        self._torn = True
        message = (
            "the last line is not finished: it is still being written, or the file was cut; it is left out until then"
        )
        self._complain(IssueKind.TORN_LINE, self._lines + 1, message)
        return False

    def _complain(self, kind: IssueKind, line: int | None, message: str) -> None:
        self._issue_count += 1
        if self._issue_count <= MOST_ISSUES:
            self._issues.append(LoadIssue(kind, self._source.shown, line, message))
        elif kind in LOST_KINDS:
            self._lost_over = True

    def _conclude(self) -> None:
        over = self._issue_count - MOST_ISSUES
        if over > 0:
            kind = IssueKind.MALFORMED_LINE if self._lost_over else IssueKind.MISTYPED_FIELD
            self._note(kind, f"{over} more problems were found in this file and are not listed")
        if self._any_trials:
            return
        if self._end == 0 and not self._torn:
            message = "the file is empty: the run has just begun, or it ended before its first trial"
            self._note(IssueKind.EMPTY_FILE, message)
        else:
            self._note(IssueKind.NO_TRIALS, f"the file holds no trial{self._said_of_it()}")

    def _said_of_it(self) -> str:
        errors = [entry.error for entry in (self._summary.evals if self._summary else ()) if entry.error]
        return f"; its summary says: {shortened(errors[0])}" if errors else ""

    def _note(self, kind: IssueKind, message: str) -> None:
        self._issues.append(LoadIssue(kind, self._source.shown, None, message))

    def _step(self, *, last: bool = False) -> LoadStep:
        trials, self._trials = tuple(self._trials), []
        issues, self._issues = tuple(self._issues), []
        unknown, self._unknown = self._unknown, 0
        return LoadStep(
            trials,
            issues,
            self._end,
            max(self._total, self._end),
            self._summary,
            unknown,
            self._end,
            self._lines,
            _mark(self._file, self._end),
            last,
            self._torn,
        )
