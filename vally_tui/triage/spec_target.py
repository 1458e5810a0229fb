"""The spec that edits are saved to: given by the person, or found near the run. Reads specs; writes nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from vally_tui.errors import SpecUnreadable
from vally_tui.runs.model import RunSource, Trial

if TYPE_CHECKING:
    from vally_tui.spec.document import SpecDocument


class SpecTarget(Struct, frozen=True):
    """A spec as it was read."""

    path: Path
    shown: str
    """Its path as a person knows it: relative to the current directory where it is below it."""
    document: SpecDocument
    read_at: float
    """Seconds since the epoch."""
    given: bool
    """Whether the person named it, so that its graders are the ones judged; else it is only where edits are saved."""


class SpecFound(Struct, frozen=True):
    """What looking for a spec has come to."""

    target: SpecTarget | None
    fault: str | None = None
    """Why a spec that is there cannot be read."""


def read_target(path: Path, *, given: bool) -> SpecTarget:
    """Read a spec; raises SpecUnreadable."""
    # Here, as most of what is needed for YAML is needed only once a run is on the screen.
    from vally_tui.spec.document import read_spec

    return SpecTarget(path, shown_path(path), read_spec(path), time.time(), given)


def found_target(recorded: Iterable[tuple[str | None, str | None]], sources: Sequence[RunSource]) -> SpecFound:
    """Look for the spec of (evalFilePath, evalName) pairs below the current directory and the runs' parents."""
    from vally_tui.spec.discover import find_spec

    roots = [Path.cwd(), *dict.fromkeys(source.folder.resolve().parent for source in sources if not source.from_stdin)]
    roots += list(dict.fromkeys(source.folder.resolve() for source in sources if not source.from_stdin))
    for eval_file, eval_name in dict.fromkeys(recorded):
        path = find_spec(eval_file, eval_name, roots)
        if path is not None:
            try:
                return SpecFound(read_target(path, given=False))
            except SpecUnreadable as error:
                return SpecFound(None, str(error))
    return SpecFound(None)


def recorded_evals(trials: Iterable[Trial], most: int = 8) -> tuple[tuple[str | None, str | None], ...]:
    """The distinct (evalFilePath, evalName) of trials, at most so many."""
    found: dict[tuple[str | None, str | None], None] = {}
    for trial in trials:
        if trial.eval_file is not None:
            found[trial.eval_file, trial.eval_name] = None
            if len(found) == most:
                break
    return tuple(found)


def shown_path(path: Path) -> str:
    """A path as a person knows it."""
    try:
        return str(path.resolve().relative_to(Path.cwd().resolve()))
    except (ValueError, OSError):
        return os.fspath(path)
