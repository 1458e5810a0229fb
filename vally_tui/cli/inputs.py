"""What the options name, found and read: the runs and the spec. What is wrong with them is told on the way."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from vally_tui.cli.diagnostics import Diagnostics
from vally_tui.runs.discover import discover
from vally_tui.runs.model import IssueKind, LoadIssue, RunSource
from vally_tui.triage.headless import Plan, with_spec
from vally_tui.triage.options import Options


class IssueTaker(Protocol):
    """A report that may want to print issues itself."""

    def issue(self, issue: LoadIssue) -> None:
        """Something could not be read as it should be; standard error has it already."""
        ...


@contextmanager
def found_runs(options: Options, told: Diagnostics, report: IssueTaker) -> Iterator[tuple[RunSource, ...]]:
    """The runs that can be read, for as long as the context lasts; the others are told."""
    found = discover(options.runs, options.run_dir, sys.stdin.buffer if sys.stdin is not None else None)
    try:
        for error in found.errors:
            told.error(str(error))
            report.issue(LoadIssue(IssueKind.UNREADABLE_FILE, "", None, str(error)))
        tell(found.issues, told, report)
        yield found.sources
    finally:
        found.close()


def planned(plan: Plan, options: Options, told: Diagnostics, report: IssueTaker) -> Plan:
    """The plan with the graders of ``--eval-spec``, where one is given; raises SpecUnreadable."""
    if options.spec is None:
        return plan
    # Reading YAML takes time that a call without a spec need not wait for.
    from vally_tui.spec.document import read_spec

    spec = read_spec(Path(options.spec)).spec
    issues = (LoadIssue(IssueKind.SPEC, options.spec, issue.line, issue.message) for issue in spec.issues)
    tell(issues, told, report)
    return with_spec(plan, spec)


def tell(issues: Iterable[LoadIssue], told: Diagnostics, report: IssueTaker) -> None:
    """Hand issues to standard error and to the report."""
    for issue in issues:
        told.issue(issue)
        report.issue(issue)


def tell_mistyped(sentences: Iterable[str], told: Diagnostics) -> None:
    """Names that were asked for and that nothing has: wrong usage, so that a mistyped one never looks like success."""
    for sentence in sentences:
        told.error(sentence)
