"""What a trial is called in one line, wherever it stands alone."""

from vally_tui.triage.board import Board


def trial_label(board: Board, key: int) -> str:
    """Stimulus, number, model, and the run where several are open; an empty text for a trial that is gone."""
    entry = board.entries.get(key)
    if entry is None:
        return ""
    trial = entry.trial
    parts = [trial.stimulus or "no stimulus", f"trial {board.numbers.get(key, 0)}"]
    if trial.model:
        parts.append(trial.model)
    if len(board.sources) > 1:
        parts.append(board.sources[entry.run].name)
    return " · ".join(parts)
