"""Judges whole runs without a screen: read, judge, grade, a step at a time and in the order of the file. Prints nothing.

Little is kept: a step's texts are let go when it is judged, its trials when the next step is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Raw, Struct
from msgspec.structs import replace

from vally_tui.grading.judge import Case, EvidenceKey, judge
from vally_tui.grading.model import Evidence, RecordedDetail, Verdict
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, TimeLimit
from vally_tui.grading.score import grade_trial
from vally_tui.runs.evidence import DEFAULT_MAX_BYTES, sidecar_issues
from vally_tui.runs.load import LoadStep, load_run
from vally_tui.runs.model import DiffForm, DiffRecord, IssueKind, LoadIssue, RunSource, Trial
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.shapes import DetailShape, GradeShape, RecordShape, read_detail_shape, read_details
from vally_tui.triage.ahead import ahead
from vally_tui.triage.alike import Kind, Kinds, Outcome, Outcomes
from vally_tui.triage.graders_of import DEFAULT_SCORING, Scoring, Stimuli, not_in_spec, stimuli_of
from vally_tui.triage.judged import JudgedGrader, JudgedTrial, Step, differs
from vally_tui.triage.options import Options
from vally_tui.triage.standing import standing_of
from vally_tui.triage.step_evidence import SeenTexts, StepEvidence, looked_at

if TYPE_CHECKING:
    from vally_tui.diffs.locate import MatchPlace
    from vally_tui.spec.model import EvalSpec


class Plan(Struct, frozen=True):
    """What is judged, and how closely it is looked at."""

    spec: Stimuli | None = None
    """Stimulus -> the graders that replace the recorded ones; None: the recorded ones everywhere."""
    scoring: Scoring = DEFAULT_SCORING
    spans: int = 0
    """How many matches of each grader are wanted, at most; 0: only the verdicts, and no counts."""
    limit: TimeLimit = FULL_LIMIT
    max_bytes: int = DEFAULT_MAX_BYTES
    """Bytes of a sidecar; a larger one is refused."""
    whole_evidence: bool = False
    """Whether long recorded sentences, of which a loaded run keeps the beginning, are read again."""


def plan_of(options: Options, *, spans: int = 0, whole_evidence: bool = False) -> Plan:
    """The plan for recorded graders that the options ask for."""
    limit = FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte)
    return Plan(spans=spans, limit=limit, max_bytes=options.max_diff, whole_evidence=whole_evidence)


def with_spec(plan: Plan, spec: EvalSpec) -> Plan:
    """The same plan with a spec's graders, weights and threshold."""
    return replace(plan, spec=stimuli_of(spec), scoring=Scoring(spec.threshold, spec.weights))


def judged_steps(
    sources: Iterable[RunSource], plan: Plan, matcher: Matcher, wanted: Callable[[Trial], bool] = lambda trial: True
) -> Iterator[Step]:
    """Judge runs one after the other; ``wanted`` says which trials are judged at all. Raises EngineUnavailable."""
    key = 0
    for source in sources:
        judging = _Judging(source, plan, matcher)
        # Three things at a time: while one step is graded and printed, the worker matches the next, and one more is read.
        for part in ahead(judging.verdicts(ahead(_read_steps(source, key, plan)), wanted)):
            key += len(part.step.trials)
            judged = judging.judged(part)
            issues = (*part.step.issues, *judging.issues(judged))
            yield Step(source, judged, issues, part.step.unknown_records, part.step.last, part.step.torn)


def _read_steps(
    source: RunSource, first_key: int, plan: Plan
) -> Iterator[tuple[LoadStep, dict[EvidenceKey, Evidence]]]:
    """The steps of reading a run, each with the texts that it has in hand."""
    stimuli = plan.spec.values() if plan.spec is not None else ()
    seen = SeenTexts(looked_at(config for stimulus in stimuli for config in stimulus.configs))
    for step in load_run(source, first_key=first_key, seen=seen.add):
        yield step, seen.taken()


class _Part(Struct, frozen=True):
    """A step with the verdicts on its trials."""

    step: LoadStep
    trials: Sequence[Trial]
    """Those that are wanted."""
    kinds: Sequence[Kind]
    verdicts: Sequence[Sequence[Verdict]]
    evidence: StepEvidence


class _Judging:
    """Judges the trials of one run; remembers what trials have in common, and what was told already."""

    def __init__(self, source: RunSource, plan: Plan, matcher: Matcher) -> None:
        self.source = source
        self.plan = plan
        self.matcher = matcher
        self._kinds = Kinds(plan.spec)
        self._outcomes = Outcomes()
        self._told: set[str] = set()

    def verdicts(
        self, steps: Iterable[tuple[LoadStep, dict[EvidenceKey, Evidence]]], wanted: Callable[[Trial], bool]
    ) -> Iterator[_Part]:
        for step, seen in steps:
            trials = [trial for trial in step.trials if wanted(trial)]
            kinds = [self._kinds.of(trial) for trial in trials]
            known = {trial.key: (trial, kind.graders.single_turn) for trial, kind in zip(trials, kinds, strict=True)}
            evidence = StepEvidence(self.source, known, seen, self.plan.max_bytes)
            yield _Part(step, trials, kinds, self._verdicts(trials, kinds, evidence), evidence)

    def judged(self, part: _Part) -> tuple[JudgedTrial, ...]:
        judged = []
        for trial, kind, verdicts in zip(part.trials, part.kinds, part.verdicts, strict=True):
            outcome = self._outcome(trial, kind, verdicts, part.evidence)
            judged.append(JudgedTrial(trial, outcome.graders, outcome.grade, outcome.standing))
        return tuple(judged)

    def _verdicts(self, trials: Sequence[Trial], kinds: Sequence[Kind], evidence: StepEvidence) -> list[list[Verdict]]:
        """The verdicts of each trial's graders; none of a trial without a trajectory."""
        verdicts = [list(kind.known) if trial.has_trajectory else [] for trial, kind in zip(trials, kinds, strict=True)]
        cases: list[Case] = []
        places: list[tuple[list[Verdict], int]] = []
        spans, count = self.plan.spans, self.plan.spans > 0
        for trial, kind, mine in zip(trials, kinds, verdicts, strict=True):
            for position in range(len(mine)):
                question = kind.asked[position]
                if question is not None:
                    places.append((mine, position))
                    cases.append(Case(trial.key, question, spans, count))
        for index, verdict in judge(cases, evidence, self.matcher, limit=self.plan.limit):
            mine, position = places[index]
            mine[position] = verdict
        return verdicts

    def _outcome(self, trial: Trial, kind: Kind, verdicts: Sequence[Verdict], evidence: StepEvidence) -> Outcome:
        def make() -> Outcome:
            return self._made_outcome(trial, kind, verdicts, evidence)

        # Places of matches and whole sentences are each trial's own.
        own = self.plan.spans > 0 or self.plan.whole_evidence
        return make() if own else self._outcomes.of(trial, kind, verdicts, make)

    def _made_outcome(self, trial: Trial, kind: Kind, verdicts: Sequence[Verdict], evidence: StepEvidence) -> Outcome:
        standing = standing_of(trial, verdicts)
        if not verdicts:
            return Outcome((), None, standing)
        graders = kind.graders
        places = self._places(trial, kind, verdicts, evidence)
        judged = tuple(
            JudgedGrader(
                config, recorded, verdict, self._sentence(trial, recorded, verdict), differs(verdict, recorded), own
            )
            for config, recorded, verdict, own in zip(graders.configs, graders.recorded, verdicts, places, strict=True)
        )
        details, score = (trial.grade.details, trial.grade.score) if trial.grade else ((), None)
        grade = grade_trial(graders.configs, verdicts, details, score, self.plan.scoring.weights)
        return Outcome(judged, grade, standing)

    def _places(
        self, trial: Trial, kind: Kind, verdicts: Sequence[Verdict], evidence: StepEvidence
    ) -> Sequence[tuple[MatchPlace, ...]]:
        if not self.plan.spans:
            return [()] * len(verdicts)
        # The diff rooms take time to import, and a report without places needs none of them.
        from vally_tui.triage.match_places import MatchPlaces

        places = MatchPlaces(evidence.text)
        return [
            places.of(Case(trial.key, asked).evidence, verdict.spans) if asked is not None and verdict.spans else ()
            for asked, verdict in zip(kind.asked, verdicts, strict=True)
        ]

    def _sentence(self, trial: Trial, recorded: RecordedDetail | None, verdict: Verdict) -> str | None:
        kept = recorded is None or recorded.evidence_whole or verdict.regraded
        if kept or not self.plan.whole_evidence or trial.grade is None:
            return verdict.evidence
        with RecordFile(self.source) as file:
            record = file.read(trial)
        place = next(at for at, detail in enumerate(trial.grade.details) if detail is recorded)
        return _written_evidence(record, place) or verdict.evidence

    def issues(self, judged: Sequence[JudgedTrial]) -> Iterator[LoadIssue]:
        """What is wrong with these trials beyond what their records say."""
        for own in judged:
            trial = own.trial
            if _names_a_sidecar(trial.diff) or any(map(_names_a_sidecar, trial.turn_diffs.by_turn.values())):
                yield from sidecar_issues(self.source, trial, self.plan.max_bytes)
            if self.plan.spec is not None and trial.stimulus not in self.plan.spec:
                yield from self._once(IssueKind.GRADERS_DIFFER, trial, not_in_spec(trial.stimulus))
            for grader in own.graders:
                for notice in grader.verdict.notices:
                    said = f"grader {grader.config.label!r} of {trial.stimulus!r}: {notice}"
                    yield from self._once(IssueKind.GRADER_CONFIG, trial, said)
            if own.grade is not None and own.grade.notice is not None:
                yield LoadIssue(IssueKind.SCORE, self.source.shown, trial.place.line, own.grade.notice)

    def _once(self, kind: IssueKind, trial: Trial, message: str) -> Iterator[LoadIssue]:
        """An issue of many trials, told at the first one."""
        if message not in self._told:
            self._told.add(message)
            yield LoadIssue(kind, self.source.shown, trial.place.line, message)


def _written_evidence(record: RecordShape | LoadIssue, place: int) -> str | None:
    """The sentence of the recorded detail at a place, if the record still has it."""
    grade = record.grade_result if isinstance(record, RecordShape) else None
    details = read_details(grade.details) if isinstance(grade, GradeShape) else None
    detail = details[place] if isinstance(details, list) and place < len(details) else None
    if isinstance(detail, Raw):
        detail = read_detail_shape(bytes(detail))
    return detail.evidence if isinstance(detail, DetailShape) and isinstance(detail.evidence, str) else None


def _names_a_sidecar(record: DiffRecord) -> bool:
    """Whether a diff is recorded both in line and as a sidecar."""
    return record.path is not None and record.form is DiffForm.INLINE
