"""The files of the evidence in view as rows, with the graders that match in each. Draws nothing."""

from collections.abc import Sequence

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import files_of
from vally_tui.diffs.model import FileDiff, FileKind
from vally_tui.grading.graders import Subject
from vally_tui.triage.views_model import FileRow, GraderMark, Highlight, Note, PaneTitleView, Tone

MINUS = "−"
BEGINNING = 200
"""Characters of a part of a text that its row has."""


def files_title(index: DiffIndex | None, missing: str | None, subject: Subject = Subject.DIFF) -> PaneTitleView:
    """How many files and lines, or messages; ``missing``: why there are none."""
    if subject is Subject.OUTPUT:
        return PaneTitleView("Files", (Note("none: this is the output", Tone.MUTED, 0),))
    if subject is Subject.TRANSCRIPT and index is not None:
        return PaneTitleView("Messages", (Note(f"{len(index.files):,}", Tone.MUTED, 0),))
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


def file_row(index: DiffIndex, number: int, marks: tuple[GraderMark, ...] = ()) -> FileRow:
    """One file, by its place in the index; of a part of a text how it begins."""
    file = index.files[number]
    if file.kind is FileKind.PART:
        return FileRow(file.kind, f"{number + 1}  {_beginning(index.text, file)}", None, graders=marks)
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


def _beginning(text: str, part: FileDiff) -> str:
    """The first words of a part, in one line."""
    return " ".join(text[part.start : min(part.end, part.start + BEGINNING)].split())
