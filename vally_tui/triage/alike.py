"""What trials that are alike have in common, worked out once for all of them: a large run has few different outcomes.

Parts are told apart by identity, since the loader shares equal ones between trials and grading shares equal verdicts.
Whatever a key stands for is kept beside it, so that no identity is used twice.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from vally_tui.grading.graders import Faults, Question, ask
from vally_tui.grading.model import PENDING, TrialGrade, Verdict
from vally_tui.grading.pairing import recorded_verdict
from vally_tui.runs.model import Trial
from vally_tui.triage.graders_of import Graders, Stimuli, graders_of
from vally_tui.triage.judged import JudgedGrader
from vally_tui.triage.standing import Standing

REMEMBERED = 10_000
"""How many different ones are remembered; a run in which nearly every trial has its own gains nothing from more."""

Made = TypeVar("Made")


class Remembered(Generic[Made]):
    """Values by keys that hold identities."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Made]] = {}

    def get(self, key: Hashable, kept: object, make: Callable[[], Made]) -> Made:
        """The value of a key, made where it is new; ``kept``: what the identities in the key are of."""
        known = self._made.get(key)
        if known is None:
            if len(self._made) >= REMEMBERED:
                self._made.clear()
            known = self._made[key] = (kept, make())
        return known[1]


class Kind(Struct, frozen=True):
    """What trials with the same graders and the same recorded results have in common."""

    graders: Graders
    asked: tuple[Question | Faults | None, ...]
    """What each grader asks; None for one that is not judged again."""
    known: tuple[Verdict, ...]
    """The recorded verdict of each grader that is not judged again, PENDING for the others."""


class Kinds:
    """The kinds of the trials of a run."""

    def __init__(self, spec: Stimuli | None) -> None:
        """``spec``: the graders that replace the recorded ones; None: the recorded ones everywhere."""
        self._spec = spec
        self._kinds = Remembered[Kind]()

    def of(self, trial: Trial) -> Kind:
        """The kind of a trial."""
        key = (id(trial.graders), id(trial.grade), trial.stimulus, trial.graders_known, trial.prompts)
        return self._kinds.get(key, trial, lambda: _kind(graders_of(trial, self._spec)))


def _kind(graders: Graders) -> Kind:
    asked = tuple(ask(config) for config in graders.configs)
    known = tuple(
        PENDING if question is not None else recorded_verdict(config, recorded)
        for question, config, recorded in zip(asked, graders.configs, graders.recorded, strict=True)
    )
    return Kind(graders, asked, known)


class Outcome(Struct, frozen=True):
    """What trials of one kind, one status and the same verdicts have in common."""

    graders: tuple[JudgedGrader, ...]
    grade: TrialGrade | None
    standing: Standing


class Outcomes:
    """The outcomes of the trials of a run."""

    def __init__(self) -> None:
        self._outcomes = Remembered[Outcome]()

    def of(self, trial: Trial, kind: Kind, verdicts: Sequence[Verdict], make: Callable[[], Outcome]) -> Outcome:
        """The outcome of a trial; ``make`` must depend on nothing else of it than its kind, status and verdicts."""
        key = (id(kind), trial.status, trial.has_trajectory, *map(id, verdicts))
        return self._outcomes.get(key, (kind, verdicts), make)
