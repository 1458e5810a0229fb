"""Which graders a trial is judged by, and what was recorded of each. Owns the choice between record and spec."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from vally_tui.grading.model import NO_WEIGHTS, GraderConfig, RecordedDetail, Weights
from vally_tui.grading.pairing import pair_recorded, pair_spec
from vally_tui.runs.model import Trial

if TYPE_CHECKING:
    from vally_tui.spec.model import EvalSpec


class Origin(StrEnum):
    """Where the graders of a trial come from."""

    RECORDED = "recorded"
    INFERRED = "inferred"
    """Made from the recorded details, as the record holds no stimulus: their configs are unknown."""
    SPEC = "spec"


class StimulusGraders(Struct, frozen=True):
    """What is needed of a spec's stimulus."""

    configs: tuple[GraderConfig, ...]
    prompts: int
    """How many prompts it sends; 0 where that is not known."""


Stimuli = Mapping[str, StimulusGraders]
"""By name."""


def stimuli_of(spec: EvalSpec) -> Stimuli:
    """The stimuli of a spec by name; of several with the same name the first, as Vally's runs name no other."""
    found: dict[str, StimulusGraders] = {}
    for stimulus in spec.stimuli:
        if stimulus.name is not None:
            found.setdefault(stimulus.name, StimulusGraders(stimulus.configs, stimulus.prompts))
    return found


def not_in_spec(stimulus: str | None) -> str:
    """What is said of trials whose stimulus a given spec does not have."""
    if stimulus is None:
        return "a trial without a stimulus has no graders in the spec: it keeps its recorded ones"
    return f"the stimulus {stimulus!r} is not in the spec: its trials keep their recorded graders"


class Graders(Struct, frozen=True):
    """What a trial is judged by."""

    configs: tuple[GraderConfig, ...]
    recorded: tuple[RecordedDetail | None, ...]
    """For each config what Vally recorded of it."""
    origin: Origin
    single_turn: bool
    """Whether the stimulus has one prompt, which makes ``turn: 0`` the whole diff of a single-turn trajectory."""


def graders_of(trial: Trial, spec: Stimuli | None = None) -> Graders:
    """The graders of a trial: those of its stimulus in ``spec`` (by name) where it is there, else the recorded ones."""
    details = trial.grade.details if trial.grade else ()
    recorded = pair_recorded(trial.graders, details)
    stimulus = spec.get(trial.stimulus) if spec is not None and trial.stimulus is not None else None
    if stimulus is None:
        origin = Origin.RECORDED if trial.graders_known else Origin.INFERRED
        return Graders(trial.graders, recorded, origin, trial.prompts == 1)
    paired = pair_spec(stimulus.configs, trial.graders, recorded)
    return Graders(stimulus.configs, paired, Origin.SPEC, stimulus.prompts == 1)


class Scoring(Struct, frozen=True):
    """How trials become an eval's result."""

    threshold: float | None = None
    """Mean of trial scores from which the eval passes; None: every grader must pass."""
    weights: Weights = NO_WEIGHTS


DEFAULT_SCORING = Scoring()


def scoring_of(spec: EvalSpec) -> Scoring:
    """How a spec scores."""
    return Scoring(spec.threshold, spec.weights)
