"""The files of the evidence in view as rows, with the graders that match in each. Draws nothing."""

from collections.abc import Sequence

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import files_of
from vally_tui.diffs.model import FileDiff
from vally_tui.triage.views_model import FileRow, GraderMark, Highlight, Note, PaneTitleView, Tone

MINUS = "−"


def files_title(index: DiffIndex | None, missing: str | None) -> PaneTitleView:
    """How many files and lines; ``missing``: why there are none."""
    if index is None:
        return PaneTitleView("Files", (Note(missing or "none yet", Tone.MUTED, 0),))
    counts = f"{len(index.files):,}"
    if index.added or index.removed:
        counts += f" · +{index.added:,} {MINUS}{index.removed:,}"
    if not index.complete:
        counts += " so far"
    return PaneTitleView("Files", (Note(counts, Tone.MUTED, 0),))


def marks_by_file(
    index: DiffIndex, matches: Sequence[Highlight], near: Sequence[Highlight] = ()
) -> dict[int, tuple[GraderMark, ...]]:
    """For each file, by index, the graders that match (or nearly match) in it, lowest number first."""
    marks: dict[int, list[GraderMark]] = {}
    for highlight in matches:
        _add(marks, index, highlight, GraderMark(highlight.number, broken=highlight.broken))
    for highlight in near:
        _add(marks, index, highlight, GraderMark(highlight.number, near=True))
    return {file: tuple(sorted(found, key=lambda mark: (mark.near, mark.number))) for file, found in marks.items()}


def _add(marks: dict[int, list[GraderMark]], index: DiffIndex, highlight: Highlight, mark: GraderMark) -> None:
    for file in files_of(index, highlight.spans.starts):
        marks.setdefault(file, []).append(mark)


def file_row(file: FileDiff, marks: tuple[GraderMark, ...] = ()) -> FileRow:
    """One file."""
    return FileRow(
        file.kind,
        file.path or "(no name)",
        file.old_path,
        file.added,
        file.removed,
        marks,
        file.binary,
        file.notice is not None,
    )
