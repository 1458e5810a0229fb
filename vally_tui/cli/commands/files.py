"""``vally-tui files``: lists the files that the diffs of each trial change. Reading them is triage's."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator

from vally_tui.cli.diagnostics import Diagnostics
from vally_tui.cli.files_report import FilesText, file_objects
from vally_tui.cli.inputs import found_runs, planned, tell, tell_mistyped
from vally_tui.cli.json_report import JsonDocument, JsonLines
from vally_tui.cli.options import options_of
from vally_tui.cli.output import Output
from vally_tui.grading.pattern import Matcher
from vally_tui.runs.model import RunSource
from vally_tui.triage.file_lists import FilesStep, TrialFiles, absences, file_steps, files_of
from vally_tui.triage.headless import Plan, judged_steps, plan_of
from vally_tui.triage.options import Options
from vally_tui.triage.wanted import WantedTrials

Report = FilesText | JsonLines[TrialFiles] | JsonDocument[TrialFiles]


def run(arguments: Namespace, engine: Matcher | None, out: Output, told: Diagnostics) -> None:
    """List and print; the engine is needed only where trials of some verdict are asked for."""
    options = options_of(arguments)
    report = _report(arguments.output, out)
    plan = planned(plan_of(options), options, told, report)
    wanted = WantedTrials(options)
    with found_runs(options, told, report) as sources:
        for step in _steps(sources, wanted, options, plan, engine):
            tell(step.issues, told, report)
            if arguments.output != "text":
                # The text says it at the trial's own place.
                tell(absences(step), told, report)
            report.step(step, step.trials)
    report.end()
    if sources:
        tell_mistyped(wanted.mistyped(), told)


def _report(output: str, out: Output) -> Report:
    match output:
        case "jsonl":
            return JsonLines(out, file_objects)
        case "json":
            return JsonDocument(out, file_objects)
    return FilesText(out)


def _steps(
    sources: Iterable[RunSource], wanted: WantedTrials, options: Options, plan: Plan, engine: Matcher | None
) -> Iterator[FilesStep]:
    if engine is None:
        yield from file_steps(sources, wanted, options.max_diff)
        return
    for step in judged_steps(sources, plan, engine, wanted):
        shown = [judged.trial for judged in step.trials if judged.shown_for(options.only)]
        trials = files_of(step.source, shown, options.max_diff)
        yield FilesStep(step.source, trials, step.issues, step.unknown_records, step.last, step.torn)
