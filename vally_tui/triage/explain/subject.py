"""From a trial as it was read to the subject of an explanation. Reads the record again where it must."""

from vally_tui.grading.model import GraderConfig, RecordedDetail
from vally_tui.runs.model import LoadIssue, RunSource, Trial, TrialStatus
from vally_tui.runs.record_detail import read_detail
from vally_tui.triage.explain.model import Explained


def subject_of(
    trial: Trial,
    config: GraderConfig,
    *,
    single_turn: bool,
    recorded: RecordedDetail | None = None,
    written: tuple[str, ...] = (),
) -> Explained:
    """A grader on a trial; ``single_turn``: whether the trial's stimulus has one prompt."""
    error = (trial.error or "") if trial.status is TrialStatus.ERROR else None
    return Explained(trial.key, config, turns_of(trial), single_turn and not trial.multi_turn, error, written, recorded)


def turns_of(trial: Trial) -> tuple[int, ...]:
    """The 0-based turns that a trial has evidence of or should have; none where it has one prompt and no turn diffs."""
    prompted = range(trial.prompts) if trial.prompts > 1 else range(0)
    return tuple(sorted({*prompted, *trial.turn_diffs.by_turn}))


def written_by(source: RunSource, trial: Trial) -> tuple[str, ...]:
    """Files that the recorded tool calls of a trial wrote; none where the record cannot be read again."""
    detail = read_detail(source, trial)
    return () if isinstance(detail, LoadIssue) else detail.written_paths
