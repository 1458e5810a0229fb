"""What can be copied now: texts of the evidence and of the focused grader, each with its key. Owns no clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from vally_tui.diffs.model import FileKind
from vally_tui.errors import VallyTuiError
from vally_tui.grading.model import GraderConfig
from vally_tui.spec.edit import as_mapping
from vally_tui.spec.render import block_lines
from vally_tui.triage.views import pattern_of, shown_verdict

if TYPE_CHECKING:
    from vally_tui.ui.screens.triage import TriageScreen


class Copy(Struct, frozen=True):
    """One text to copy."""

    id: str
    key: str
    words: str
    text: str | None
    why: str = ""
    """Why there is no such text."""


def copies(screen: TriageScreen) -> tuple[Copy, ...]:
    """All that could be copied, the line or the marked text first."""
    return (*_of_evidence(screen), *_of_grader(screen))


def _of_evidence(screen: TriageScreen) -> tuple[Copy, ...]:
    view, document = screen.diff.view, screen.session.document
    text = document.text if document is not None else ""
    match = text[slice(*screen.marks.current)] if screen.marks.current is not None else None
    position = view.position
    index = document.index if document is not None else None
    file = index.files[position.file] if index is not None and position.file is not None else None
    path = file.path if file is not None and file.kind is not FileKind.PART else None
    return (
        Copy("line", "l", "line, or marked text", view.copy_text(), "there is no line here"),
        Copy("match", "m", "current match", match, "no match is chosen: n goes to one"),
        Copy("path", "f", "file path", path, "the cursor is in no file"),
    )


def _of_grader(screen: TriageScreen) -> tuple[Copy, ...]:
    board, state = screen.session.board, screen.session.state
    if state.trial is None or state.slot is None:
        why = "no grader is focused: press its number first"
        return tuple(Copy(each, key, words, None, why) for each, key, words in _GRADER)
    config = board.config(state.slot, state.edits)
    verdict = shown_verdict(board, state, state.trial, state.slot).verdict
    texts = {
        "pattern": pattern_of(config) if isinstance(config.config, dict) else None,
        "yaml": grader_yaml(config),
        "evidence": verdict.evidence,
    }
    lacking = {
        "pattern": f"{config.type} has no pattern",
        "yaml": "this config cannot be written as YAML",
        "evidence": "this grader has said nothing yet",
    }
    return tuple(Copy(each, key, words, texts[each], lacking[each]) for each, key, words in _GRADER)


_GRADER = (
    ("pattern", "p", "pattern"),
    ("yaml", "g", "grader as YAML"),
    ("evidence", "e", "evidence sentence"),
)


def grader_yaml(config: GraderConfig) -> str | None:
    """The grader as an item of a spec's ``graders`` list; None where it cannot be written."""
    try:
        return "\n".join(block_lines([as_mapping(config)])) + "\n"
    except (VallyTuiError, RecursionError):
        # A recorded config may be nested as deep as its file allows.
        return None
