"""Whole runs in memory with their graders, for questions that need many trials at once. Owns the reading, judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field

from vally_tui.grading.model import GraderConfig, RecordedDetail
from vally_tui.runs.evidence import DEFAULT_MAX_BYTES
from vally_tui.runs.load import load_run
from vally_tui.runs.model import LoadIssue, RunSource, Trial
from vally_tui.triage.evidence import EvidenceStore, Whereabouts
from vally_tui.triage.graders_of import Graders, StimulusGraders, graders_of


class GatheredTrial(Struct, frozen=True):
    """A trial, its run and its graders."""

    source: RunSource
    trial: Trial
    graders: Graders


class GatheredGrader(Struct, frozen=True):
    """A grader at its place among those of a stimulus, and the trials that it judges."""

    stimulus: str | None
    position: int
    """0-based."""
    config: GraderConfig
    trials: dict[int, RecordedDetail | None]
    """Key of a trial with a trajectory -> what was recorded of the grader on it."""
    first: GatheredTrial
    """The first trial that has it."""


class Gathering(Struct):
    """What was read; grows while it is read."""

    trials: dict[int, GatheredTrial] = field(default_factory=dict)
    """By key, in the order of the files."""
    issues: list[LoadIssue] = field(default_factory=list)

    def store(self, max_bytes: int = DEFAULT_MAX_BYTES) -> EvidenceStore:
        """The recorded texts of the trials."""
        return EvidenceStore(self._find, max_bytes)

    def _find(self, key: int) -> Whereabouts | None:
        found = self.trials.get(key)
        return None if found is None else (found.source, found.trial, found.graders.single_turn)

    def graders(self) -> Iterator[GatheredGrader]:
        """Each grader once, in the order of its first trial, whether it is judged again or not."""
        known: dict[tuple[object, ...], GatheredGrader] = {}
        for key, gathered in self.trials.items():
            for position, config in enumerate(gathered.graders.configs):
                name = (gathered.trial.stimulus, position, identity(config))
                grader = known.get(name)
                if grader is None:
                    grader = GatheredGrader(gathered.trial.stimulus, position, config, {}, gathered)
                    known[name] = grader
                if gathered.trial.has_trajectory:
                    grader.trials[key] = gathered.graders.recorded[position]
        return iter(known.values())


def gather(
    sources: Iterable[RunSource],
    spec: Mapping[str, StimulusGraders] | None = None,
    wanted: Callable[[Trial], bool] = lambda trial: True,
) -> Gathering:
    """Read runs to their ends; ``wanted`` says which trials are kept."""
    gathering = Gathering()
    key = 0
    for source in sources:
        for step in load_run(source, first_key=key):
            key += len(step.trials)
            gathering.issues += step.issues
            for trial in filter(wanted, step.trials):
                gathering.trials[trial.key] = GatheredTrial(source, trial, graders_of(trial, spec))
    return gathering


def identity(config: GraderConfig) -> str:
    """A text that two configs share when they are equal, whatever their values are."""
    try:
        return repr((config.type, config.name, config.config, config.turn, config.scope))
    except RecursionError:
        # Too deep to be compared: a grader of its own.
        return f"deep config {id(config)}"
