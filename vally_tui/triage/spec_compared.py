"""In what a spec's graders differ from the recorded ones, over all trials; each list of graders is looked at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from vally_tui.runs.model import Trial
from vally_tui.triage.board import Board

if TYPE_CHECKING:
    from vally_tui.spec.differences import Difference
    from vally_tui.spec.model import EvalSpec, SpecStimulus


def differing(board: Board, spec: EvalSpec) -> Iterator[tuple[Trial, SpecStimulus, Difference]]:
    """Each difference, with the first trial that was recorded so and its stimulus in the spec.

    Stimuli that the spec does not have are passed over.
    """
    # Here, as a spec is compared only once the runs are on the screen.
    from vally_tui.spec.differences import differences

    for trial in board.recorded_lists:
        stimulus = spec.stimulus(trial.stimulus)
        if stimulus is not None:
            for difference in differences(stimulus, trial.graders):
                yield trial, stimulus, difference


class SpecCompared:
    """Whether a spec differs at all; kept until the spec is read anew or the trials are others."""

    def __init__(self) -> None:
        self._spec: EvalSpec | None = None
        self._trials = 0
        self._differs = False

    def differs(self, board: Board, spec: EvalSpec, trials: int) -> bool:
        """``trials`` is a number that grows with the trials on the board."""
        if spec is not self._spec or trials != self._trials:
            self._spec, self._trials = spec, trials
            self._differs = next(differing(board, spec), None) is not None
        return self._differs
