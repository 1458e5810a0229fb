"""Which trials are asked for by stimulus and model, and which of the given names no trial has: mistyped ones. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from vally_tui.runs.model import Trial
from vally_tui.runs.words import shortened
from vally_tui.triage.options import Options

_NEAREST = 3
"""Names that are proposed for a mistyped one at most."""
_COMPARED = 10_000
"""Existing names that are compared with it at most."""
_LENGTH = 100
"""Code points of a name in a message."""


class WantedTrials:
    """Whether a trial is of the stimuli and models that were asked for; remembers the names that there are."""

    def __init__(self, options: Options) -> None:
        self._stimuli, self._models = options.stimuli, options.models
        self._seen_stimuli: dict[str | None, None] = {}
        self._seen_models: dict[str | None, None] = {}

    def __call__(self, trial: Trial) -> bool:
        """Whether this trial is wanted."""
        if self._stimuli:
            self._seen_stimuli[trial.stimulus] = None
        if self._models:
            self._seen_models[trial.model] = None
        return (not self._stimuli or trial.stimulus in self._stimuli) and (
            not self._models or trial.model in self._models
        )

    def mistyped(self, more_stimuli: Iterable[str | None] = ()) -> Iterator[str]:
        """A sentence for each given name that no trial has, once all trials were asked about.

        ``more_stimuli``: those that are known without any trial, from a spec.
        """
        stimuli = dict.fromkeys([*self._seen_stimuli, *more_stimuli])
        yield from _unknown("stimulus", self._stimuli, [name for name in stimuli if name is not None])
        yield from _unknown("model", self._models, [name for name in self._seen_models if name is not None])


def _unknown(what: str, given: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    for name in dict.fromkeys(given):
        if name not in names:
            yield f"--{what} {_quoted(name)}: no trial has this {what}{_hint(name, names)}"


def _hint(name: str, names: Sequence[str]) -> str:
    if not names:
        return ""
    # Imported here, as only a mistyped name needs it.
    from difflib import get_close_matches

    short = [other for other in names if len(other) <= _LENGTH][:_COMPARED]
    near = get_close_matches(name[:_LENGTH], short, _NEAREST)
    if near:
        return f"; did you mean {' or '.join(map(_quoted, near))}?"
    more = f" and {len(names) - _NEAREST} more" if len(names) > _NEAREST else ""
    return f"; there is {', '.join(map(_quoted, names[:_NEAREST]))}{more}"


def _quoted(name: str) -> str:
    return repr(shortened(name, _LENGTH))
