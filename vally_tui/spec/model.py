"""A spec as plain frozen values, each with its place in the text. Owns no reading and no text."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from vally_tui.grading.model import NO_WEIGHTS, GraderConfig, Weights


class SpecIssue(Struct, frozen=True):
    """Something in a spec that Vally would not take, or that cannot be used here."""

    line: int
    """1-based."""
    message: str


class GraderAddress(Struct, frozen=True):
    """Which grader of which stimulus, told so that it can be found again in a later text."""

    stimulus: str | None
    stimulus_index: int
    """0-based place of the stimulus in the spec."""
    index: int
    """0-based place of the grader in its stimulus."""
    name: str | None
    type: str
    turn: object
    """As written; UNSET when absent."""
    ordinal: int
    """0-based place among the graders of the stimulus with the same name, type and turn."""


class SpecGrader(Struct, frozen=True):
    """A grader of a spec and where it stands."""

    config: GraderConfig
    address: GraderAddress
    line: int
    """1-based line on which it begins; of an alias the line of the alias."""
    shared: bool
    """Whether any part of it is also used elsewhere, through an anchor and its aliases."""


class SpecStimulus(Struct, frozen=True):
    """A stimulus of a spec."""

    name: str | None
    index: int
    prompts: int
    """1 for ``prompt``, the length of ``turns``, 0 where it has neither."""
    graders: tuple[SpecGrader, ...]
    line: int
    """1-based."""

    @property
    def configs(self) -> tuple[GraderConfig, ...]:
        """The graders without their places, as grading takes them."""
        return tuple(grader.config for grader in self.graders)


class EvalSpec(Struct, frozen=True):
    """What a spec says that matters for judging."""

    path: Path | None
    """None for a text that was never on disk."""
    name: str | None
    stimuli: tuple[SpecStimulus, ...]
    threshold: float | None
    """``scoring.threshold``."""
    weights: Weights = NO_WEIGHTS
    issues: tuple[SpecIssue, ...] = ()

    def stimulus(self, name: str | None) -> SpecStimulus | None:
        """The stimulus that a recorded trial belongs to: the first of that name."""
        return next((stimulus for stimulus in self.stimuli if name is not None and stimulus.name == name), None)
