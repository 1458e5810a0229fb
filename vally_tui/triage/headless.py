"""Judges whole runs without a screen: read, judge, grade, a step at a time and in the order of the file. Prints nothing.

Little is kept: a step's trials and their texts are let go when the next step is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import MatchPlace, match_place
from vally_tui.grading.graders import Faults, Question, ask
from vally_tui.grading.judge import Case, judge
from vally_tui.grading.model import GraderConfig, RecordedDetail, TrialGrade, Verdict
from vally_tui.grading.pairing import recorded_verdict
from vally_tui.grading.pattern import FULL_LIMIT, Matcher, TimeLimit
from vally_tui.grading.score import grade_trial
from vally_tui.runs.evidence import DEFAULT_MAX_BYTES, sidecar_issues
from vally_tui.runs.load import load_run
from vally_tui.runs.model import DiffForm, DiffRecord, IssueKind, LoadIssue, RunSource, Trial, TrialStatus
from vally_tui.runs.reread import RecordFile
from vally_tui.runs.shapes import DetailShape, GradeShape, RecordShape
from vally_tui.spec.model import EvalSpec
from vally_tui.triage.board import Standing, standing_of
from vally_tui.triage.graders_of import DEFAULT_SCORING, Graders, Scoring, StimulusGraders, graders_of, stimuli_of
from vally_tui.triage.options import Only, Options
from vally_tui.triage.step_evidence import StepEvidence


@dataclass(frozen=True, slots=True)
class Plan:
    """What is judged, and how closely it is looked at."""

    spec: Mapping[str, StimulusGraders] | None = None
    """Stimulus -> the graders that replace the recorded ones; None: the recorded ones everywhere."""
    scoring: Scoring = DEFAULT_SCORING
    spans: int = 0
    """How many matches of each grader are wanted, at most; 0: only the verdicts, and no counts."""
    limit: TimeLimit = FULL_LIMIT
    max_bytes: int = DEFAULT_MAX_BYTES
    """Bytes of a sidecar; a larger one is refused."""
    whole_evidence: bool = False
    """Whether long recorded sentences, of which a loaded run keeps the beginning, are read again."""


@dataclass(frozen=True, slots=True)
class JudgedGrader:
    """One grader on one trial."""

    config: GraderConfig
    recorded: RecordedDetail | None
    verdict: Verdict
    evidence: str | None
    """The sentence that says why; whole only where that was wanted."""
    places: tuple[MatchPlace, ...] = ()
    """Where each of the verdict's spans begins; only where spans were wanted."""

    @property
    def name(self) -> str:
        """What the grader is called: as configured, else as Vally recorded it, else by its type."""
        recorded = self.recorded.name if self.recorded is not None else None
        return self.config.name or recorded or self.config.type

    @property
    def recorded_passed(self) -> bool | None:
        """What Vally concluded; None where nothing is recorded, or no verdict."""
        return self.recorded.passed if self.recorded is not None and self.recorded.is_verdict else None

    @property
    def flipped(self) -> bool:
        """Whether the verdict differs from the recorded one; also where it is only for want of evidence."""
        known = self.verdict.passed is not None and self.recorded_passed is not None
        return known and self.verdict.passed is not self.recorded_passed


@dataclass(frozen=True, slots=True)
class JudgedTrial:
    """A trial with its verdicts of now."""

    trial: Trial
    graders: tuple[JudgedGrader, ...]
    """In the order of the stimulus; empty without a trajectory, as then nothing can be said of them."""
    grade: TrialGrade | None
    """None without graders or without a trajectory."""
    standing: Standing
    """What the trial is in lists and tallies, each of which it is in once."""

    @property
    def failed(self) -> bool:
        """A grader says fail, judged now or recorded; lacking evidence is not failing."""
        return any(says_fail(grader.verdict) for grader in self.graders)

    @property
    def in_error(self) -> bool:
        """The execution ended in an error, or a grader could not be judged as it should be."""
        return self.trial.status is TrialStatus.ERROR or any(grader.verdict.broken for grader in self.graders)

    @property
    def flipped(self) -> bool:
        """Some grader's verdict differs from the recorded one."""
        return any(grader.flipped for grader in self.graders)

    @property
    def passed(self) -> bool:
        """The execution succeeded and every grader has passed; a trial of which nothing is known has not."""
        done = self.trial.status in (TrialStatus.SUCCESS, TrialStatus.UNKNOWN)
        return done and bool(self.graders) and all(grader.verdict.passed is True for grader in self.graders)

    def shown_for(self, only: Only | None) -> bool:
        """Whether a person who asked for some trials only wants this one."""
        match only:
            case Only.FAILED:
                return self.failed
            case Only.ERROR:
                return self.in_error
            case Only.FLIPPED:
                return self.flipped
        return True


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a run: the next trials, and what was wrong in it."""

    source: RunSource
    trials: tuple[JudgedTrial, ...]
    """Those that are wanted, in the order of the file."""
    issues: tuple[LoadIssue, ...]
    unknown_records: int
    """Records of unknown type in it."""
    last: bool
    """Whether the run is read to its end."""
    torn: bool
    """Whether its last line is not finished yet."""


def says_fail(verdict: Verdict) -> bool:
    """Whether a verdict is a fail that was concluded, not one for want of something."""
    return verdict.passed is False and not verdict.broken


def plan_of(options: Options, *, spans: int = 0, whole_evidence: bool = False) -> Plan:
    """The plan for recorded graders that the options ask for."""
    limit = FULL_LIMIT if options.timeout is None else TimeLimit(options.timeout, FULL_LIMIT.per_megabyte)
    return Plan(spans=spans, limit=limit, max_bytes=options.max_diff, whole_evidence=whole_evidence)


def with_spec(plan: Plan, spec: EvalSpec) -> Plan:
    """The same plan with a spec's graders, weights and threshold; of stimuli with one name the first counts."""
    return replace(plan, spec=stimuli_of(spec), scoring=Scoring(spec.threshold, spec.weights))


def wanted_trials(options: Options) -> Callable[[Trial], bool]:
    """Whether a trial is of the stimuli and models that were asked for."""
    stimuli, models = frozenset(options.stimuli), frozenset(options.models)

    def wanted(trial: Trial) -> bool:
        return (not stimuli or trial.stimulus in stimuli) and (not models or trial.model in models)

    return wanted


def judged_steps(
    sources: Iterable[RunSource], plan: Plan, matcher: Matcher, wanted: Callable[[Trial], bool] = lambda trial: True
) -> Iterator[Step]:
    """Judge runs one after the other; ``wanted`` says which trials are judged at all. Raises EngineUnavailable."""
    key = 0
    for source in sources:
        judging = _Judging(source, plan, matcher, StepEvidence(source, plan.max_bytes))
        for step in load_run(source, first_key=key, seen=judging.evidence.seen):
            key += len(step.trials)
            judged = judging.judge(tuple(trial for trial in step.trials if wanted(trial)))
            issues = (*step.issues, *judging.issues(judged))
            yield Step(source, judged, issues, step.unknown_records, step.last, step.torn)


@dataclass(slots=True)
class _Judging:
    """Judges the trials of one run; remembers what equal graders ask, and what was told already."""

    source: RunSource
    plan: Plan
    matcher: Matcher
    evidence: StepEvidence
    _asked: dict[int, tuple[tuple[GraderConfig, ...], tuple[Question | Faults | None, ...]]] = field(
        default_factory=dict
    )
    _told: set[str] = field(default_factory=set)

    def judge(self, trials: Sequence[Trial]) -> tuple[JudgedTrial, ...]:
        graders = [graders_of(trial, self.plan.spec) for trial in trials]
        self.evidence.begin({trial.key: (trial, own.single_turn) for trial, own in zip(trials, graders, strict=True)})
        verdicts = self._verdicts(trials, graders)
        judged = tuple(map(self._judged, trials, graders, verdicts))
        self.evidence.end()
        return judged

    def _verdicts(self, trials: Sequence[Trial], graders: Sequence[Graders]) -> list[list[Verdict]]:
        """The verdicts of each trial's graders; none of a trial without a trajectory."""
        verdicts: list[list[Verdict]] = []
        cases: list[Case] = []
        places: list[tuple[int, int]] = []
        for number, (trial, own) in enumerate(zip(trials, graders, strict=True)):
            verdicts.append([])
            if not trial.has_trajectory:
                continue
            for position, (asked, recorded) in enumerate(zip(self._ask(own.configs), own.recorded, strict=True)):
                verdicts[number].append(recorded_verdict(recorded))
                if asked is not None:
                    places.append((number, position))
                    cases.append(Case(trial.key, asked, self.plan.spans, count=self.plan.spans > 0))
        for index, verdict in judge(cases, self.evidence, self.matcher, limit=self.plan.limit):
            number, position = places[index]
            verdicts[number][position] = verdict
        return verdicts

    def _ask(self, configs: tuple[GraderConfig, ...]) -> tuple[Question | Faults | None, ...]:
        # Loader and spec share equal tuples between trials; the tuple is kept, so that its identity stays its own.
        known = self._asked.get(id(configs))
        if known is None:
            known = self._asked[id(configs)] = (configs, tuple(ask(config) for config in configs))
        return known[1]

    def _judged(self, trial: Trial, graders: Graders, verdicts: Sequence[Verdict]) -> JudgedTrial:
        standing = standing_of(trial, tuple(verdicts))
        if not verdicts:
            return JudgedTrial(trial, (), None, standing)
        indexes: dict[int | None, DiffIndex] = {}
        judged = tuple(
            JudgedGrader(
                config,
                recorded,
                verdict,
                self._sentence(trial, recorded, verdict),
                self._places(trial, asked, verdict, indexes),
            )
            for config, recorded, verdict, asked in zip(
                graders.configs, graders.recorded, verdicts, self._ask(graders.configs), strict=True
            )
        )
        details, score = (trial.grade.details, trial.grade.score) if trial.grade else ((), None)
        grade = grade_trial(graders.configs, verdicts, details, score, self.plan.scoring.weights)
        return JudgedTrial(trial, judged, grade, standing)

    def _sentence(self, trial: Trial, recorded: RecordedDetail | None, verdict: Verdict) -> str | None:
        kept = recorded is None or recorded.evidence_whole or verdict.regraded
        if kept or not self.plan.whole_evidence or trial.grade is None:
            return verdict.evidence
        with RecordFile(self.source) as file:
            record = file.read(trial)
        place = next(at for at, detail in enumerate(trial.grade.details) if detail is recorded)
        return _written_evidence(record, place) or verdict.evidence

    def _places(
        self,
        trial: Trial,
        asked: Question | Faults | None,
        verdict: Verdict,
        indexes: dict[int | None, DiffIndex],
    ) -> tuple[MatchPlace, ...]:
        if not verdict.spans or not isinstance(asked, Question):
            return ()
        index = indexes.get(asked.turn)
        if index is None:
            text = self.evidence.text(Case(trial.key, asked).evidence)
            index = indexes[asked.turn] = DiffIndex.build(text)
        return tuple(match_place(index, start) for start in verdict.spans.starts)

    def issues(self, judged: Sequence[JudgedTrial]) -> Iterator[LoadIssue]:
        """What is wrong with these trials beyond what their records say."""
        for own in judged:
            trial = own.trial
            if any(map(_names_a_sidecar, (trial.diff, *trial.turn_diffs.by_turn.values()))):
                yield from sidecar_issues(self.source, trial, self.plan.max_bytes)
            if self.plan.spec is not None and trial.stimulus not in self.plan.spec:
                yield from self._once(IssueKind.GRADERS_DIFFER, trial, _not_in_spec(trial.stimulus))
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


def _not_in_spec(stimulus: str | None) -> str:
    if stimulus is None:
        return "a trial without a stimulus has no graders in the spec: it keeps its recorded ones"
    return f"the stimulus {stimulus!r} is not in the spec: its trials keep their recorded graders"


def _written_evidence(record: RecordShape | LoadIssue, place: int) -> str | None:
    """The sentence of the recorded detail at a place, if the record still has it."""
    grade = record.grade_result if isinstance(record, RecordShape) else None
    details = grade.details if isinstance(grade, GradeShape) else None
    detail = details[place] if isinstance(details, list) and place < len(details) else None
    return detail.evidence if isinstance(detail, DetailShape) and isinstance(detail.evidence, str) else None


def _names_a_sidecar(record: DiffRecord) -> bool:
    """Whether a diff is recorded both in line and as a sidecar."""
    return record.form is DiffForm.INLINE and record.path is not None
