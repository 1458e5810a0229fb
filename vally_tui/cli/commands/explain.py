"""``vally-tui explain``: why a grader says what it says of a trial, and what would change it. Owns which are meant."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from msgspec import Struct

from vally_tui.cli.diagnostics import Diagnostics, ExitStatus
from vally_tui.cli.explain_json import explanation_object
from vally_tui.cli.explain_report import ExplainReport
from vally_tui.cli.gathering import Gathered, gathered
from vally_tui.cli.json_report import issue_object, source_object
from vally_tui.cli.options import options_of
from vally_tui.cli.output import Output
from vally_tui.errors import UsageError
from vally_tui.grading.model import State
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, TimeLimit
from vally_tui.triage.explain.explain import explain
from vally_tui.triage.explain.lens import measured
from vally_tui.triage.explain.model import Explanation
from vally_tui.triage.explain.subject import subject_of, written_by
from vally_tui.triage.gathered import GatheredTrial, identity
from vally_tui.triage.options import Only, Options

_INCOMPLETE = frozenset({State.NO_EVIDENCE, State.INVALID, State.TIMEOUT, State.ERROR})
_ANSWERS = frozenset({State.PASS, State.FAIL, State.INVALID})
"""States that can differ from a recorded verdict; an invalid config does not pass."""


class Explained(Struct, frozen=True):
    """An explanation and the trial that it is of."""

    gathered: GatheredTrial
    position: int
    """0-based place of the grader."""
    explanation: Explanation
    measured_on: int
    """On how many trials the choices were measured."""


def run(arguments: Namespace, engine: Matcher, out: Output, told: Diagnostics) -> None:
    """Explain and print; what was found goes into the exit status."""
    options = options_of(arguments)
    if not options.stimuli:
        raise UsageError("explain wants --stimulus NAME: whose trials are meant")
    with gathered(options, told) as found:
        if not found.sources or (found.mistyped and not found.gathering.trials):
            return
        trials = _chosen(found, arguments.trial, options)
        explained = _explained(found, trials, arguments.grader, options, engine)
        _print(explained, arguments.output, found, out, told)


def _chosen(found: Gathered, index: int | None, options: Options) -> list[GatheredTrial]:
    """The trials that are meant: those with this index, which is 0 where none was recorded; all without one."""
    every = list(found.gathering.trials.values())
    if not every:
        raise UsageError(f"no trial of the stimulus {' or '.join(map(repr, options.stimuli))} is in these runs")
    trials = [trial for trial in every if index is None or (trial.trial.trial_index or 0) == index]
    if not trials:
        known = sorted({trial.trial.trial_index or 0 for trial in every})
        raise UsageError(f"there is no trial {index}: this stimulus has {', '.join(map(str, known))}")
    return trials


def _explained(
    found: Gathered, trials: Sequence[GatheredTrial], wanted: str, options: Options, engine: Matcher
) -> Iterator[Explained]:
    """Explain the grader on each trial, as it is asked for."""
    evidence = found.gathering.store(options.max_diff)
    limit = FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte)
    for own in trials:
        if not own.trial.has_trajectory:
            continue
        position = _position(own, wanted)
        config, recorded = own.graders.configs[position], own.graders.recorded[position]
        subject = subject_of(
            own.trial,
            config,
            single_turn=own.graders.single_turn,
            recorded=recorded,
            written=written_by(own.source, own.trial),
        )
        explanation = explain(subject, engine, evidence, limit=limit)
        assert explanation is not None
        peers = _peers(found, own, position)
        with_effects = measured(explanation, peers, engine, evidence)
        assert with_effects is not None
        if _is_shown(with_effects, own, options.only):
            yield Explained(own, position, with_effects, len(peers))


def _position(own: GatheredTrial, wanted: str) -> int:
    """The 0-based place of the grader that is meant by a 1-based place or a name."""
    configs = own.graders.configs
    if wanted.isdecimal() and 1 <= int(wanted[:9]) <= len(configs):
        return int(wanted) - 1
    for position, config in enumerate(configs):
        recorded = own.graders.recorded[position]
        if wanted in (config.name, config.type, recorded.name if recorded is not None else None):
            return position
    known = ", ".join(f"{number} {config.label}" for number, config in enumerate(configs, 1)) or "none"
    raise UsageError(f"there is no grader {wanted!r} in {own.trial.stimulus!r}: its graders are {known}")


def _peers(found: Gathered, own: GatheredTrial, position: int) -> list[int]:
    """The trials that have the same grader at the same place."""
    name = identity(own.graders.configs[position])
    return [
        key
        for key, other in found.gathering.trials.items()
        if other.trial.has_trajectory
        and other.trial.stimulus == own.trial.stimulus
        and position < len(other.graders.configs)
        and identity(other.graders.configs[position]) == name
    ]


def _is_shown(explanation: Explanation, own: GatheredTrial, only: Only | None) -> bool:
    recorded = explanation.subject.recorded
    match only:
        case Only.FAILED:
            return explanation.state is State.FAIL
        case Only.ERROR:
            return explanation.state in _INCOMPLETE or explanation.subject.error is not None
        case Only.FLIPPED:
            known = recorded is not None and recorded.is_verdict and explanation.state in _ANSWERS
            return known and recorded is not None and recorded.passed is not (explanation.state is State.PASS)
    return True


def _print(explained: Iterator[Explained], output: str, found: Gathered, out: Output, told: Diagnostics) -> None:
    report = ExplainReport(out)
    kept = []
    told_any = False
    for one in explained:
        told_any = True
        if one.explanation.state in _INCOMPLETE:
            told.found(ExitStatus.INCOMPLETE)
        if output == "text":
            report.show(one.gathered, one.position, one.explanation, one.measured_on)
            continue
        value = explanation_object(one.gathered, one.position, one.explanation)
        if output == "jsonl":
            out.json_line(value)
        else:
            kept.append(value)
    if output == "json":
        runs = [source_object(source) for source in found.sources]
        out.json_line({"runs": [*runs], "trials": [*kept], "issues": [issue_object(issue) for issue in found.issues]})
    elif not told_any:
        told.note("none of these trials has anything to explain: it has no trajectory, or --only leaves it out")
