"""What a person asks for on the command line, as values. Owns no parsing; the screen and the commands read them alike."""

from __future__ import annotations

from enum import StrEnum
from typing import BinaryIO, Literal

from msgspec import Struct

NodeSetting = Literal["auto", "20", "24"]
"""Which JavaScript the patterns may use; auto asks the Node on this machine."""

MEGABYTE = 1 << 20


class Only(StrEnum):
    """Which trials are shown of those that are judged."""

    FAILED = "failed"
    """A grader says fail; one that only lacked evidence does not."""
    ERROR = "error"
    """The trial ended in an error, or a grader had no evidence, was invalid, timed out or ended in an error."""
    FLIPPED = "flipped"
    """A grader's current verdict differs from the recorded one, also for an invalid config.

    Lack of evidence, a timeout and an error of the engine are no flips: nothing was judged again. They are in ERROR.
    """


class Options(Struct, frozen=True):
    """What all commands and the screen have in common."""

    runs: tuple[str, ...]
    """The RUN arguments as written; "-" is standard input."""
    spec: str | None = None
    """The spec whose graders replace the recorded ones; None: the recorded ones."""
    run_dir: str | None = None
    """The folder in which sidecars are looked up instead of the run's own."""
    stimuli: tuple[str, ...] = ()
    """Only trials of these stimuli; empty: of all."""
    models: tuple[str, ...] = ()
    """Only trials of these models; empty: of all."""
    only: Only | None = None
    timeout: float | None = None
    """Seconds that replace the base of the time limit of one pattern on one text."""
    node_level: NodeSetting = "auto"
    max_diff: int = 256 * MEGABYTE
    """Bytes of a sidecar; a larger one is refused with its size."""
    debug: bool = False
    """Whether an error shows its traceback."""


class ScreenOptions(Options, frozen=True):
    """What the screen is started with."""

    theme: str | None = None
    """The name of a theme; None: the person's own config decides."""
    records: BinaryIO | None = None
    """What "-" among the runs reads: the original standard input, since the terminal has taken its place."""
