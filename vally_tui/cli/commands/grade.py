"""``vally-tui grade``: judges runs again and prints every verdict. Owns the exit status; judging is triage's."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable

from msgspec import Struct, field

from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.inputs import found_runs, planned, tell, tell_mistyped
from vally_tui.cli.json_report import JsonDocument, JsonLines
from vally_tui.cli.options import options_of
from vally_tui.cli.output import Output
from vally_tui.cli.report import TextReport
from vally_tui.cli.trial_json import trial_objects
from vally_tui.grading.model import State
from vally_tui.grading.pattern import Matcher
from vally_tui.triage.headless import judged_steps, plan_of
from vally_tui.triage.judged import JudgedTrial
from vally_tui.triage.options import Options
from vally_tui.triage.wanted import WantedTrials

MATCHES = 20
"""Matches of each grader that are printed at most."""

_INCOMPLETE = frozenset({State.NO_EVIDENCE, State.INVALID, State.TIMEOUT, State.ERROR, State.UNRECORDED})

Report = TextReport | JsonLines[JudgedTrial] | JsonDocument[JudgedTrial]


def run(arguments: Namespace, engine: Matcher, out: Output, told: Diagnostics) -> None:
    """Judge and print; what was found goes into the exit status."""
    options = options_of(arguments)
    report = _report(arguments.output, options, out)
    plan = plan_of(options) if arguments.output == "text" else plan_of(options, spans=MATCHES, whole_evidence=True)
    plan = planned(plan, options, told, report)
    found, wanted = _Found(), WantedTrials(options)
    with found_runs(options, told, report) as sources:
        for step in judged_steps(sources, plan, engine, wanted):
            tell(step.issues, told, report)
            # What is not shown counts all the same: a filter must not turn a failing run into a passing one.
            found.take(step.trials)
            report.step(step, tuple(trial for trial in step.trials if trial.shown_for(options.only)))
    report.end()
    if sources:
        tell_mistyped(wanted.mistyped(), told)
    found.tell(told, require_pass=arguments.require_pass)


def _report(output: str, options: Options, out: Output) -> Report:
    match output:
        case "jsonl":
            return JsonLines(out, trial_objects)
        case "json":
            return JsonDocument(out, trial_objects)
    return TextReport(out, options)


class _Found(Struct):
    """What the exit status is made of."""

    judged: int = 0
    passed: int = 0
    states: set[State] = field(default_factory=set)

    def take(self, trials: Iterable[JudgedTrial]) -> None:
        for trial in trials:
            self.judged += 1
            self.passed += trial.passed
            self.states.update([grader.verdict.state for grader in trial.graders])

    def tell(self, told: Diagnostics, *, require_pass: bool) -> None:
        if self.states & _INCOMPLETE:
            told.found(ExitStatus.INCOMPLETE)
        if require_pass and (self.passed < self.judged or not self.judged):
            told.found(ExitStatus.NOT_PASSED)
            missed = self.judged - self.passed
            what = f"{missed} of {self.judged} trials have not passed" if self.judged else "no trial was judged"
            told.note(f"--require-pass: {what}")
