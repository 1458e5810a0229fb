"""``vally-tui lint``: graders that cannot be right. Owns which graders are meant and how findings are printed."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Sequence

from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.gathering import Gathered, gathered
from vally_tui.cli.json_report import issue_object, source_object
from vally_tui.cli.options import options_of
from vally_tui.cli.output import JsonValue, Output, Tone, inert
from vally_tui.errors import UsageError
from vally_tui.grading.graders import TEXT_KEYS
from vally_tui.grading.model import GraderConfig
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, TimeLimit
from vally_tui.triage.explain.whynot import one_line
from vally_tui.triage.gathered import identity
from vally_tui.triage.lint import Linted, LintFinding, Severity, lint

_TONES = {Severity.ERROR: Tone.FAIL, Severity.WARNING: Tone.WARN, Severity.NOTE: Tone.MUTED}
_SIGNS = {Severity.ERROR: "✘", Severity.WARNING: "▲", Severity.NOTE: "·"}


class _Place:
    """A grader as findings name it."""

    def __init__(self, linted: Linted, file: str | None, line: int | None) -> None:
        self.linted = linted
        self.file = file
        self.line = line


def run(arguments: Namespace, engine: Matcher, out: Output, told: Diagnostics) -> None:
    """Look at every grader and print what is wrong."""
    options = options_of(arguments)
    if not options.runs and options.spec is None:
        raise UsageError("lint wants a RUN, or a spec with -e SPEC")
    limit = FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte)
    with gathered(options, told) as found:
        places = _places(found, options.stimuli)
        evidence = found.gathering.store(options.max_diff)
        findings = lint([place.linted for place in places], engine, evidence, limit=limit)
        assert findings is not None
        _print(findings, places, arguments.output, found, out)
    if arguments.strict and any(finding.severity is not Severity.NOTE for finding in findings):
        told.found(ExitStatus.NOT_PASSED)


def _places(found: Gathered, stimuli: Sequence[str]) -> list[_Place]:
    """The graders of the spec where one is given, with the trials of the runs; else the recorded ones."""
    recorded = list(found.gathering.graders())
    places = []
    if found.spec is not None:
        trials = {(own.stimulus, own.position, identity(own.config)): tuple(own.trials) for own in recorded}
        for stimulus in found.spec.stimuli:
            if stimuli and stimulus.name not in stimuli:
                continue
            for position, grader in enumerate(stimulus.graders):
                judged = trials.get((stimulus.name, position, identity(grader.config)), ())
                linted = Linted(stimulus.name, position, grader.config, judged, (found.spec.path, stimulus.index))
                places.append(_Place(linted, str(found.spec.path), grader.line))
        known = {stimulus.name for stimulus in found.spec.stimuli}
        recorded = [own for own in recorded if own.stimulus not in known]
    for own in recorded:
        trial = own.first.trial
        linted = Linted(own.stimulus, own.position, own.config, tuple(own.trials), (trial.eval_name, own.first.source))
        places.append(_Place(linted, own.first.source.shown, trial.place.line))
    return places


def _print(
    findings: Sequence[LintFinding], places: Sequence[_Place], output: str, found: Gathered, out: Output
) -> None:
    if output == "text":
        _print_text(findings, places, out)
        return
    values = [_finding_object(finding, places[finding.grader]) for finding in findings]
    if output == "jsonl":
        for value in values:
            out.json_line(value)
        return
    runs = [source_object(source) for source in found.sources]
    issues = [issue_object(issue) for issue in found.issues]
    out.json_line({"runs": [*runs], "findings": [*values], "issues": [*issues]})


def _print_text(findings: Sequence[LintFinding], places: Sequence[_Place], out: Output) -> None:
    shown: int | None = None
    for finding in findings:
        place = places[finding.grader]
        if finding.grader != shown:
            if shown is not None:
                out.line()
            shown = finding.grader
            out.line(out.toned(_head(place), Tone.STRONG))
            out.line(out.toned(f"  {inert(one_line(_written(place.linted.config)))}", Tone.MUTED))
        sign = out.toned(_SIGNS[finding.severity], _TONES[finding.severity])
        out.line(f"  {sign} {finding.check.value}: {inert(one_line(finding.sentence))}")
        if finding.pattern is not None:
            out.line(f"    try {inert(one_line(finding.pattern))}")
    if findings:
        out.line()
    out.line(_summary(findings, len(places)))


def _summary(findings: Sequence[LintFinding], total: int) -> str:
    if not findings:
        return f"nothing to say against {_counted(total, 'grader')}"
    counts = Counter(finding.severity for finding in findings)
    parts = [_counted(counts[severity], severity.value) for severity in Severity if counts[severity]]
    return f"{len({finding.grader for finding in findings})} of {_counted(total, 'grader')}: {', '.join(parts)}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _head(place: _Place) -> str:
    where = f"{place.file}:{place.line}  " if place.file is not None else ""
    own = place.linted
    name = f"{own.stimulus or '(no stimulus)'} · grader {own.position + 1} {own.config.label}"
    return inert(where + name)


def _written(config: GraderConfig) -> str:
    if isinstance(config.config, dict):
        for key in TEXT_KEYS:
            text = config.config.get(key)
            if isinstance(text, str):
                return text
    return config.type


def _finding_object(finding: LintFinding, place: _Place) -> JsonValue:
    own = place.linted
    return {
        "type": "lint-finding",
        "file": place.file,
        "line": place.line,
        "stimulus": own.stimulus,
        "position": own.position + 1,
        "name": own.config.label,
        "graderType": own.config.type,
        "check": finding.check.value,
        "severity": finding.severity.value,
        "sentence": finding.sentence,
        "pattern": finding.pattern,
        "trials": len(own.trials),
    }
