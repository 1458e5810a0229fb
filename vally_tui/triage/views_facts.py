"""What a trial's record holds as paragraphs to read: prompts, output, recorded results, metrics, events. Draws nothing.

Texts are given whole, as recorded; whoever shows them wraps them and makes them inert. Only events are shortened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from vally_tui.runs.model import RunSource, Trial, TrialStatus
from vally_tui.runs.record_detail import RecordedResult, TrialDetail, TrialEvent
from vally_tui.triage.views_model import Mark, Phrase, Tone, Word

EVENT_CELLS = 600
"""Characters of an event's text that are shown."""
MOST_VALUES = 500
"""Values of one JSON tree that are listed."""
DEEPEST_INDENT = 12
NAME_WIDTH = 14
"""Columns from a name to its value."""


class Paragraph(Struct, frozen=True):
    """A stretch of text of one kind; it may have newlines."""

    text: str
    tone: Tone = Tone.PLAIN
    indent: int = 0
    """Cells that each of its rows is moved in."""
    hang: int = 0
    """Cells that the rows after its first one are moved in besides."""
    lead: Phrase = ()
    """Words before the text on its first row."""
    mark: Mark | None = None
    """The sign that stands before it."""
    heading: bool = False
    """Whether it heads a section."""


def facts(trial: Trial, source: RunSource, detail: TrialDetail, *, number: int) -> list[Paragraph]:
    """All of it; ``number``: the trial's within its stimulus, from 1."""
    found: list[Paragraph] = []
    for title, paragraphs in (
        ("Trial", _identity(trial, source, detail, number)),
        ("Error", [Paragraph(detail.error, Tone.FAIL)] if detail.error else []),
        *_prompts(detail.prompts),
        ("Output", [_output(trial, detail)]),
        ("Recorded results", list(_results(detail.results))),
        ("Metrics", list(_values(detail.metrics))),
        ("Files written by recorded tool calls", [Paragraph(path) for path in detail.written_paths]),
        ("Events", [_event(event) for event in detail.events]),
    ):
        if paragraphs:
            found += [Paragraph(title, Tone.STRONG, heading=True), *paragraphs]
    return found


def _pair(name: str, value: str, tone: Tone = Tone.PLAIN, indent: int = 0) -> Paragraph:
    lead = (Word(f"{name:<{NAME_WIDTH - 1}} ", Tone.MUTED),)
    return Paragraph(value, tone, indent, NAME_WIDTH, lead)


def _identity(trial: Trial, source: RunSource, detail: TrialDetail, number: int) -> list[Paragraph]:
    grade = trial.grade
    score = None if grade is None or grade.score is None else f"{grade.score:g}"
    verdict = None if grade is None or grade.passed is None else "pass" if grade.passed else "fail"
    recorded = " · ".join(part for part in (verdict, score and f"score {score}", grade and grade.evidence) if part)
    pairs = (
        ("stimulus", trial.stimulus),
        ("trial", f"{number}{_of_model(trial)}"),
        ("model", trial.model),
        ("variant", trial.variant),
        ("eval", trial.eval_name),
        ("status", trial.status_text or trial.status.value),
        ("skipped", detail.skip_reason or trial.skip_reason),
        ("recorded", recorded or "ungraded"),
        ("took", None if trial.duration_ms is None else f"{trial.duration_ms / 1000:,.1f} s"),
        ("worked in", detail.work_dir),
        ("record", f"{source.shown}:{trial.place.line}"),
    )
    bad = trial.status is TrialStatus.ERROR
    return [_pair(name, value, Tone.FAIL if bad and name == "status" else Tone.PLAIN) for name, value in pairs if value]


def _of_model(trial: Trial) -> str:
    """Which trial it is of those with its model, as recorded."""
    if trial.trial_index is None or trial.total_trials is None:
        return ""
    return f" · recorded as {trial.trial_index + 1} of {trial.total_trials}"


def _prompts(prompts: Sequence[str]) -> Iterator[tuple[str, list[Paragraph]]]:
    for turn, prompt in enumerate(prompts):
        title = "Prompt" if len(prompts) == 1 else f"Prompt of turn {turn}"
        yield title, [Paragraph(prompt) if prompt else Paragraph("empty", Tone.MUTED)]


def _output(trial: Trial, detail: TrialDetail) -> Paragraph:
    if detail.output:
        return Paragraph(detail.output)
    if not trial.has_trajectory:
        return Paragraph("none: this trial has no trajectory", Tone.MUTED)
    return Paragraph("empty" if detail.output is not None else "not recorded", Tone.MUTED)


def _results(results: Sequence[RecordedResult], indent: int = 0) -> Iterator[Paragraph]:
    for result in results:
        yield _result(result, indent)
        inner = min(indent + 2, DEEPEST_INDENT)
        if result.evidence:
            yield Paragraph(result.evidence, indent=inner)
        yield from _values(result.metadata, inner)
        yield from _results(result.details, inner)


def _result(result: RecordedResult, indent: int) -> Paragraph:
    """The head of a recorded result: sign, type, name, verdict, score and who judged."""
    kind, name = result.grader_type or "", result.name or ""
    called = " · ".join(dict.fromkeys(part for part in (kind, name) if part)) or "unnamed"
    said = [
        "recorded error" if result.status == "error" else None,
        None if result.passed is None else f"recorded {'pass' if result.passed else 'fail'}",
        None if result.score is None else f"score {result.score:g}",
        result.label and result.label not in ("correct", "incorrect") and f"label {result.label}",
        result.kind and f"judged by {result.kind}",
    ]
    words = "  ".join(part for part in said if part)
    return Paragraph(words, Tone.MUTED, indent, 2, (Word(f"{called}  ", Tone.STRONG),), _mark(result))


def _mark(result: RecordedResult) -> Mark:
    if result.status == "error":
        return Mark.ERROR
    if result.passed is None:
        return Mark.RECORDED
    return Mark.PASS if result.passed else Mark.FAIL


def _values(tree: Mapping[str, object], indent: int = 0) -> Iterator[Paragraph]:
    """A JSON object as names and values; nested names are joined with dots."""
    for count, (name, value) in enumerate(_leaves("", tree)):
        if count == MOST_VALUES:
            yield Paragraph(f"more than {MOST_VALUES} values; the record has the others", Tone.MUTED, indent)
            return
        yield _pair(name, value, indent=indent)


def _leaves(name: str, value: object) -> Iterator[tuple[str, str]]:
    """Names and values of a JSON tree, in its order; walked without recursion, as recorded JSON may be deep."""
    waiting: list[tuple[str, object]] = [(name, value)]
    while waiting:
        at, part = waiting.pop()
        if isinstance(part, dict) and part:
            waiting += reversed([(f"{at}.{key}" if at else str(key), each) for key, each in part.items()])
        elif isinstance(part, list) and part:
            waiting += reversed([(f"{at}[{index}]", each) for index, each in enumerate(part)])
        elif at:
            yield at, _scalar(part)


def _scalar(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case int():
            return f"{value:,}" if abs(value) < 10**15 else "a very large number"
        case float():
            return f"{value:g}"
        case str():
            return value or '""'
    return "none" if value == [] or value == {} else str(value)


def _event(event: TrialEvent) -> Paragraph:
    """One event: its turn and type, then what was called or said."""
    lead = [Word("" if event.turn is None else f"T{event.turn} ", Tone.MUTED), Word(f"{event.type}  ", Tone.MUTED)]
    if event.tool:
        lead.append(Word(f"{event.tool}  ", Tone.STRONG))
    failed = event.success is False
    if failed:
        lead.append(Word("failed  ", Tone.FAIL))
    text = "  ".join(part for part in (event.arguments, event.text) if part)
    short = text if len(text) <= EVENT_CELLS else text[: EVENT_CELLS - 1] + "…"
    return Paragraph(short, hang=5, lead=tuple(lead))
