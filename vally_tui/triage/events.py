"""What the threads of a session tell it, and what that changes."""

from enum import Flag, auto

from msgspec import Struct

from vally_tui.runs.load import LoadStep
from vally_tui.triage.document import Document, DocumentMore
from vally_tui.triage.judge import EngineTrouble, JobDone, Judged, JudgedInView
from vally_tui.triage.spec_target import SpecFound
from vally_tui.triage.watch import ChangedOnDisk


class Changed(Flag):
    """What is not any more as it was drawn."""

    NOTHING = 0
    TRIALS = auto()
    """Which trials there are, or their order."""
    VERDICTS = auto()
    STATE = auto()
    """Selection, filter or edits."""
    DOCUMENT = auto()
    """Another piece of evidence is in view."""
    DOCUMENT_GROWN = auto()
    """More of its files are known."""
    MATCHES = auto()
    """The places of matches in it."""
    PROGRESS = auto()
    TROUBLE = auto()
    SPEC = auto()
    """Another spec, or another reading of it, is the target of saving."""
    JOB = auto()


class Loaded(Struct, frozen=True):
    """A step of reading a run."""

    run: int
    step: LoadStep


class Progress(Struct, frozen=True):
    """How far reading has come, over all runs."""

    read: int = 0
    total: int = 0
    done: bool = False

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.read / self.total if self.total else 1.0


Event = Loaded | Judged | JudgedInView | JobDone | EngineTrouble | Document | DocumentMore | SpecFound | ChangedOnDisk
