"""``vally-tui grade``: judges runs again and prints every verdict. Owns the exit status; judging is triage's."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from vally_tui.cli.arguments import options_of
from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.output import Output
from vally_tui.cli.report import TextReport
from vally_tui.cli.trial_json import JsonDocument, JsonLines
from vally_tui.grading.model import State
from vally_tui.grading.pattern import Matcher
from vally_tui.runs.discover import discover
from vally_tui.runs.model import IssueKind, LoadIssue
from vally_tui.triage.headless import Plan, judged_steps, plan_of, wanted_trials, with_spec
from vally_tui.triage.judged import JudgedTrial, Step
from vally_tui.triage.options import Options

MATCHES = 20
"""Matches of each grader that are printed at most."""

_INCOMPLETE = frozenset({State.NO_EVIDENCE, State.INVALID, State.TIMEOUT, State.ERROR, State.UNRECORDED})


class Report(Protocol):
    """A way to print what was judged."""

    def issue(self, issue: LoadIssue) -> None:
        """Something could not be read as it should be; standard error has it already."""
        ...

    def step(self, step: Step, shown: tuple[JudgedTrial, ...]) -> None:
        """A part of a run was judged; these of its trials are asked for."""
        ...

    def end(self) -> None:
        """Nothing more comes."""
        ...


def run(arguments: Namespace, engine: Matcher, out: Output, told: Diagnostics) -> None:
    """Judge and print; what was found goes into the exit status."""
    options = options_of(arguments)
    plan = plan_of(options) if arguments.output == "text" else plan_of(options, spans=MATCHES, whole_evidence=True)
    spec_issues: tuple[LoadIssue, ...] = ()
    if options.spec is not None:
        plan, spec_issues = _with_spec(plan, options.spec)
    findings = _Findings(_report(arguments.output, options, out), told)
    findings.issues(spec_issues)
    _judge(options, plan, engine, findings)
    findings.end(require_pass=arguments.require_pass)


def _with_spec(plan: Plan, path: str) -> tuple[Plan, tuple[LoadIssue, ...]]:
    # Reading YAML takes time that a call without a spec need not wait for.
    from vally_tui.spec.document import read_spec

    spec = read_spec(Path(path)).spec
    issues = tuple(LoadIssue(IssueKind.SPEC, path, issue.line, issue.message) for issue in spec.issues)
    return with_spec(plan, spec), issues


def _report(output: str, options: Options, out: Output) -> Report:
    match output:
        case "jsonl":
            return JsonLines(out)
        case "json":
            return JsonDocument(out)
    return TextReport(out, options)


def _judge(options: Options, plan: Plan, engine: Matcher, findings: _Findings) -> None:
    found = discover(options.runs, options.run_dir, sys.stdin.buffer if sys.stdin is not None else None)
    try:
        for error in found.errors:
            findings.unreadable(str(error))
        findings.issues(found.issues)
        for step in judged_steps(found.sources, plan, engine, wanted_trials(options)):
            findings.issues(step.issues)
            findings.step(step, options)
    finally:
        found.close()


@dataclass(slots=True)
class _Findings:
    """Hands everything to the report and gathers what the exit status is made of."""

    report: Report
    told: Diagnostics
    judged: int = 0
    passed: int = 0
    shown: int = 0
    _states: set[State] = field(default_factory=set)

    def unreadable(self, message: str) -> None:
        self.told.error(message)
        self.report.issue(LoadIssue(IssueKind.UNREADABLE_FILE, "", None, message))

    def issues(self, issues: Iterable[LoadIssue]) -> None:
        for issue in issues:
            self.told.issue(issue)
            self.report.issue(issue)

    def step(self, step: Step, options: Options) -> None:
        # What is not shown counts all the same: a filter must not turn a failing run into a passing one.
        self.judged += len(step.trials)
        self.passed += sum(trial.passed for trial in step.trials)
        self._states.update(grader.verdict.state for trial in step.trials for grader in trial.graders)
        self.report.step(step, tuple(trial for trial in step.trials if trial.shown_for(options.only)))

    def end(self, *, require_pass: bool) -> None:
        self.report.end()
        if self._states & _INCOMPLETE:
            self.told.found(ExitStatus.INCOMPLETE)
        if require_pass and (self.passed < self.judged or not self.judged):
            self.told.found(ExitStatus.NOT_PASSED)
            missed = self.judged - self.passed
            what = f"{missed} of {self.judged} trials have not passed" if self.judged else "no trial was judged"
            self.told.note(f"--require-pass: {what}")
