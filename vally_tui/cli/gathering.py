"""Reads all trials that a command is asked about, telling what was wrong on the way. Owns no judgement and no output."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from vally_tui.cli.diagnostics import Diagnostics
from vally_tui.cli.inputs import tell_mistyped
from vally_tui.runs.discover import discover
from vally_tui.runs.model import IssueKind, LoadIssue, RunSource
from vally_tui.spec.model import EvalSpec
from vally_tui.triage.gathered import Gathering, gather
from vally_tui.triage.graders_of import stimuli_of
from vally_tui.triage.options import Options
from vally_tui.triage.wanted import WantedTrials


class Gathered(Struct, frozen=True):
    """What was read."""

    sources: tuple[RunSource, ...]
    gathering: Gathering
    spec: EvalSpec | None
    issues: tuple[LoadIssue, ...]
    """Everything that standard error was told."""
    mistyped: bool
    """Whether standard error was told of a stimulus or model that nothing has."""


@contextmanager
def gathered(options: Options, told: Diagnostics) -> Iterator[Gathered]:
    """The trials that are asked for, in memory; their texts can be read until the end of the context."""
    spec = _spec(options.spec)
    issues = (
        [LoadIssue(IssueKind.SPEC, options.spec or "", issue.line, issue.message) for issue in spec.issues]
        if spec
        else []
    )
    found = discover(options.runs, options.run_dir, sys.stdin.buffer if sys.stdin is not None else None)
    try:
        for error in found.errors:
            told.error(str(error))
        wanted = WantedTrials(options)
        gathering = gather(found.sources, None if spec is None else stimuli_of(spec), wanted)
        issues += [*found.issues, *gathering.issues]
        for issue in issues:
            told.issue(issue)
        mistyped = _mistyped(wanted, options, found.sources, spec)
        tell_mistyped(mistyped, told)
        unread = [LoadIssue(IssueKind.UNREADABLE_FILE, "", None, str(error)) for error in found.errors]
        yield Gathered(tuple(found.sources), gathering, spec, (*unread, *issues), bool(mistyped))
    finally:
        found.close()


def _mistyped(wanted: WantedTrials, options: Options, sources: Sequence[RunSource], spec: EvalSpec | None) -> list[str]:
    """The sentences on names that nothing has; none where a RUN could not be read at all and so says nothing."""
    if options.runs and not sources:
        return []
    if not options.runs:
        # Without any RUN there is no model that could be the right one.
        wanted = WantedTrials(replace(options, models=()))
    return list(wanted.mistyped(stimulus.name for stimulus in spec.stimuli) if spec is not None else wanted.mistyped())


def _spec(path: str | None) -> EvalSpec | None:
    if path is None:
        return None
    # Reading YAML takes time that a call without a spec need not wait for.
    from vally_tui.spec.document import read_spec

    return read_spec(Path(path)).spec
