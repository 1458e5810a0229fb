"""Files, hunks and lines of a unified diff as plain values. Owns no parsing.

Offsets are half-open and count Unicode code points of the exact recorded text; rows count its lines from 0; lines are
split on ``\\n`` only, and a row's text is ``text[start:end]`` without that newline.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class FileKind(StrEnum):
    """What a diff says happened to a file."""

    MODIFIED = "modified"
    ADDED = "added"
    DELETED = "deleted"
    RENAMED = "renamed"
    COPIED = "copied"
    MODE = "mode"
    SUBMODULE = "submodule"
    UNMERGED = "unmerged"
    COMBINED = "combined"
    HEADLESS = "headless"
    """Hunks without any file header."""
    PART = "part"
    """No file: a part of a text that is no diff. The scanner makes none."""


class LineKind(StrEnum):
    """The class of a row, and of the character at an offset."""

    ADDED = "added"
    REMOVED = "removed"
    CONTEXT = "context"
    HEADER = "header"
    """A row of a file's header."""
    HUNK_HEADER = "hunk-header"
    SECTION = "section"
    """Only of an offset: inside the section heading, behind the second ``@@`` of a hunk header."""
    MARKER = "marker"
    """``\\ No newline at end of file``, in any language."""
    BINARY = "binary"
    """Payload of a binary patch, and ``Binary files … differ``."""
    OTHER = "other"
    """Gaps that fit no kind, and text outside of files."""


class Hunk(NamedTuple):
    """One hunk of a file; a plain tuple, since a diff may have a hundred thousand of them."""

    start: int
    """Offset of its ``@@`` line."""
    body: int
    """Offset of its first body row."""
    end: int
    """Offset behind its last row, markers and surplus rows included."""
    row: int
    """Row of its ``@@`` line in the whole text."""
    rows: int
    """Body rows, markers and surplus rows included."""
    old_start: int
    old_count: int
    """As the header says, not as the body has it."""
    new_start: int
    new_count: int
    heading: int
    """Offset of the section heading in the ``@@`` line; the end of that line where there is none."""
    surplus: int
    """Offset of the first row beyond the header's counts; ``end`` where there is none."""
    parents: int = 1
    """Sign columns of a body row: 1, or the number of parents in a combined diff."""
    notice: str | None = None
    """Where header and body disagree: what is wrong, in one sentence."""


class Anchor(Struct, frozen=True):
    """A known place inside a long stretch of rows."""

    offset: int
    """Offset of the start of a row."""
    row: int
    """That row, in the whole text."""
    added: int = 0
    """``+`` rows between the body of its hunk and here; 0 outside of hunks."""
    removed: int = 0
    markers: int = 0


class FileDiff(Struct, frozen=True):
    """One file's section of a diff, or a stretch of text outside of files."""

    start: int
    end: int
    row: int
    """Row of its first line in the whole text."""
    rows: int
    kind: FileKind | None
    """None: text outside of files (mail headers, commit messages, warnings)."""
    path: str | None
    """The new path, else the old one, decoded for display (surrogateescape for bytes that are no UTF-8)."""
    old_path: str | None
    """The old path where it differs from ``path`` (renames, copies)."""
    added: int
    removed: int
    header_end: int
    """Offset behind its header: the first hunk, gap or binary payload; ``start`` for text outside of files."""
    payload_end: int
    """Offset behind the payload of a binary patch, which begins at ``header_end``; ``header_end`` without one."""
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False
    old_mode: str | None = None
    new_mode: str | None = None
    notice: str | None = None
    """What is odd about this file, in one sentence; hunks' own notices included."""
    anchors: tuple[Anchor, ...] = ()
    """Known places inside its long stretches, in order, so that a window deep inside one is found at once."""


class DiffLine(Struct, frozen=True):
    """One row of the text, ready to be drawn."""

    row: int
    start: int
    end: int
    kind: LineKind
    old_number: int | None = None
    """1-based line of the old file."""
    new_number: int | None = None
    surplus: bool = False
    """A row beyond the counts of its hunk's header: kind known, number not."""


class Place(Struct, frozen=True):
    """Where an offset lies."""

    file: int | None
    """Index into the files of the diff (outside stretches are not counted); None outside of files."""
    hunk: int | None
    """Index into the file's hunks; None in headers and gaps."""
    row: int
    column: int
    """Code points from the row's start."""
    kind: LineKind
