"""Standard error: the only writer of it. Owns the exit statuses and how they outrank each other."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, TextIO

from vally_tui.cli.output import inert

if TYPE_CHECKING:
    from vally_tui.runs.model import LoadIssue

PROGRAM = "vally-tui"


class ExitStatus(IntEnum):
    """What the program's end says to a script."""

    JUDGED = 0
    NOT_PASSED = 1
    """Asked for with --require-pass: some grader or trial has not passed."""
    UNUSABLE = 2
    """Wrong usage, or a RUN or spec that cannot be read; also an error of the program."""
    INCOMPLETE = 3
    """Some grader could not be judged as it should be, or a record was lost."""
    HUNG_UP = 129
    """The terminal of the screen was closed."""
    INTERRUPTED = 130
    READER_GONE = 141
    """Whoever read the output has closed it: what a shell says of other programs then."""
    TERMINATED = 143
    """The screen was asked to end by a signal."""


_BY_RANK = (
    ExitStatus.HUNG_UP,
    ExitStatus.TERMINATED,
    ExitStatus.INTERRUPTED,
    ExitStatus.UNUSABLE,
    ExitStatus.NOT_PASSED,
    ExitStatus.INCOMPLETE,
)


class Diagnostics:
    """Writes standard error and remembers what it means for the exit status."""

    def __init__(self, stream: TextIO | None) -> None:
        """``stream``: None where the program was started without a standard error; then nothing is written."""
        self._stream = stream
        self._found: set[ExitStatus] = set()
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")

    @property
    def status(self) -> ExitStatus:
        """The exit status so far: the larger of 1 and 2 wins, either wins over 3; a signal wins over all."""
        return next((status for status in _BY_RANK if status in self._found), ExitStatus.JUDGED)

    def found(self, status: ExitStatus) -> None:
        """Something was found that the exit status must tell."""
        self._found.add(status)

    def error(self, message: str) -> None:
        """What makes the command line, a RUN or a spec unusable, in one line."""
        self.found(ExitStatus.UNUSABLE)
        self._line(f"{PROGRAM}: error: {inert(message)}")

    def issue(self, issue: LoadIssue) -> None:
        """What could not be read as it should be, with its place."""
        # Here, as the start of the program must not wait for it.
        from vally_tui.runs.model import LOST_KINDS, IssueKind

        if issue.kind is IssueKind.UNREADABLE_FILE:
            self.found(ExitStatus.UNUSABLE)
        elif issue.kind in LOST_KINDS:
            self.found(ExitStatus.INCOMPLETE)
        place = issue.file if issue.line is None else f"{issue.file}:{issue.line}"
        self._line(f"{PROGRAM}: {inert(place)}: {inert(issue.message)}")

    def note(self, message: str) -> None:
        """A word to the person that says nothing against the input."""
        self._line(f"{PROGRAM}: {inert(message)}")

    def usage(self, text: str) -> None:
        """How the program is called, as our own words have it."""
        self._line(text.rstrip("\n"))

    def trace(self, error: BaseException) -> None:
        """The traceback of an error, for --debug."""
        # Here, as few calls need it.
        import traceback

        for part in traceback.format_exception(error):
            for line in part.rstrip("\n").split("\n"):
                self._line(inert(line))

    def _line(self, text: str) -> None:
        if self._stream is None:
            return
        try:
            self._stream.write(text + "\n")
            self._stream.flush()
        except OSError:
            # Nobody reads what is wrong; the exit status still says it.
            self._stream = None
