"""Reads a trial's record again at its place in the file, and says so when the file does not hold it there any more."""

from __future__ import annotations

import os
import zlib
from types import TracebackType
from typing import BinaryIO

from vally_tui.runs.files import Refusal, open_regular, refusal
from vally_tui.runs.model import IssueKind, LoadIssue, RunSource, Trial
from vally_tui.runs.shapes import Malformed, RecordShape, read_shape


class RecordFile:
    """A results file that is opened for as long as records are read again; use it with ``with``, in one thread."""

    def __init__(self, source: RunSource) -> None:
        self.source = source
        """The run."""
        self._file: BinaryIO | Refusal | None = None

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None and not isinstance(self._file, Refusal):
            self._file.close()

    def read(self, trial: Trial) -> RecordShape | LoadIssue:
        """The needed fields of a trial's record, or why they are not to be had."""
        line = self.line(trial)
        if isinstance(line, LoadIssue):
            return line
        shape = read_shape(line)
        return _changed(self.source, trial) if isinstance(shape, Malformed) else shape

    def line(self, trial: Trial) -> bytes | LoadIssue:
        """The bytes of a trial's record, which are proven to be those that were loaded."""
        # Opened when first asked, as sidecars and missing evidence need no record.
        if self._file is None:
            self._file = open_regular(self.source.results)
        if isinstance(self._file, Refusal):
            return _lost(self.source, trial, self._file)
        place = trial.place
        try:
            line = os.pread(self._file.fileno(), place.length, place.offset)
        except OSError as error:
            return _lost(self.source, trial, refusal(error))
        same = len(line) == place.length and zlib.crc32(line) == place.check
        return line if same else _changed(self.source, trial)


def _lost(source: RunSource, trial: Trial, why: Refusal) -> LoadIssue:
    message = f"the results file {why.why}, so the record of this trial cannot be read again"
    return LoadIssue(IssueKind.UNREADABLE_FILE, source.shown, trial.place.line, message)


def _changed(source: RunSource, trial: Trial) -> LoadIssue:
    message = "the results file has changed since it was read, and its record of this trial is gone: read the run again"
    return LoadIssue(IssueKind.UNREADABLE_FILE, source.shown, trial.place.line, message)
