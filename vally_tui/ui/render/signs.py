"""The signs of the screen, each one cell, with their words. One place, so that a state looks the same everywhere."""

from __future__ import annotations

from vally_tui.diffs.model import FileKind
from vally_tui.triage.views_model import Mark, Tone

LOOK = "▲"
UNSAVED = "●"
NEAR = "~"
EMPTY = "‸"
WHOLE_RUN = "Σ"
ARROW = "→"
BAR = "▌"
MINUS = "−"
BROKEN = "✘"

SIGNS = {
    Mark.PASS: "✔",
    Mark.FAIL: "✘",
    Mark.NO_EVIDENCE: "?",
    Mark.ERROR: "!",
    Mark.RECORDED: "·",
    Mark.SKIPPED: "–",
    Mark.PENDING: "…",
    Mark.DOUBTFUL: LOOK,
}

WORDS = {
    Mark.PASS: "passed",
    Mark.FAIL: "failed",
    Mark.NO_EVIDENCE: "no evidence",
    Mark.ERROR: "error",
    Mark.RECORDED: "recorded only",
    Mark.SKIPPED: "skipped",
    Mark.PENDING: "not judged yet",
    Mark.DOUBTFUL: "doubtful pass",
}
"""As a tally says them, after the number."""

TONES = {
    Mark.PASS: Tone.PASS,
    Mark.FAIL: Tone.FAIL,
    Mark.NO_EVIDENCE: Tone.WARN,
    Mark.ERROR: Tone.FAIL,
    Mark.RECORDED: Tone.MUTED,
    Mark.SKIPPED: Tone.MUTED,
    Mark.PENDING: Tone.MUTED,
    Mark.DOUBTFUL: Tone.WARN,
}

FILE_SIGNS = {
    FileKind.MODIFIED: "M",
    FileKind.ADDED: "A",
    FileKind.DELETED: "D",
    FileKind.RENAMED: "R",
    FileKind.COPIED: "C",
    FileKind.MODE: "m",
    FileKind.SUBMODULE: "S",
    FileKind.UNMERGED: "U",
    FileKind.COMBINED: "X",
    FileKind.HEADLESS: "@",
    FileKind.PART: "¶",
}
OUTSIDE_SIGN = "¶"
"""Text outside of files, and parts of a text that is no diff."""


def file_sign(kind: FileKind | None) -> str:
    """The letter of what happened to a file; a sign of its own for text outside of files."""
    return OUTSIDE_SIGN if kind is None else FILE_SIGNS.get(kind, "M")


def counts(added: int, removed: int) -> list[tuple[str, Tone]]:
    """``+9`` and ``−3`` with their tones; a count of 0 is left out."""
    plus = [(f"+{added}", Tone.PASS)] if added else []
    minus = [(f"{MINUS}{removed}", Tone.FAIL)] if removed else []
    return plus + minus
