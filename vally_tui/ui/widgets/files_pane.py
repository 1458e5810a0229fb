"""The files of the evidence in view: kind, path, counts, and which graders match there."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from rich.style import Style
from textual.strip import Strip

from vally_tui.diffs.model import FileKind
from vally_tui.triage.views_model import FileRow, Tone
from vally_tui.ui.render.cells import LONGEST_SHOWN, cells, cut, shorten_path
from vally_tui.ui.render.diff_rows import put_marks
from vally_tui.ui.render.inert import inert
from vally_tui.ui.render.row import Row
from vally_tui.ui.render.signs import ARROW, LOOK, counts, file_sign
from vally_tui.ui.render.styles import Ground, Ink, Look
from vally_tui.ui.widgets.pane import Pane
from vally_tui.ui.widgets.row_list import RowList
from vally_tui.ui.widgets.trials_pane import put_cursor_bar

MARKS_CELLS = 6
PATH_COLUMN = 3

_KIND_TONES = {FileKind.ADDED: Tone.PASS, FileKind.DELETED: Tone.FAIL, FileKind.UNMERGED: Tone.WARN}


class FilesPane(Pane):
    """The file list with its title."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        self.list = FileList()
        super().__init__("Files", self.list, Ground.SURFACE, id=id)


class FileList(RowList):
    """The rows of the file list."""

    DEFAULT_CSS = """
    FileList { scrollbar-background: $surface; scrollbar-background-hover: $surface;
               scrollbar-background-active: $surface; }
    """
    ground = Ground.SURFACE

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._file_at: Callable[[int], FileRow] | None = None
        self._focused: int | None = None
        self._rows: dict[int, FileRow] = {}
        """The rows that were looked at since they were shown."""

    def show(
        self, count: int, file_at: Callable[[int], FileRow], *, cursor: int | None = None, focused: int | None = None
    ) -> None:
        """Shows ``count`` files that ``file_at`` makes; ``focused``: the grader whose number stands first."""
        self._file_at, self._focused = file_at, focused
        self._rows = {}
        self.set_rows(count, cursor=cursor)

    def row_content(self, index: int, part: int, width: int) -> Hashable | None:
        """The file, and the grader whose number stands first."""
        return self._row(index), self._focused

    def _row(self, index: int) -> FileRow | None:
        row = self._rows.get(index)
        if row is None and self._file_at is not None:
            row = self._rows[index] = self._file_at(index)
        return row

    def row_strip(self, index: int, part: int, width: int, *, is_cursor: bool) -> Strip:
        """Draws a file."""
        file = self._row(index)
        if file is None:
            return Row(width).strip()
        return file_strip(file, width, self.look, is_cursor=is_cursor, active=self.active, focused=self._focused)


def file_strip(
    file: FileRow, width: int, look: Look, *, is_cursor: bool, active: bool, focused: int | None = None
) -> Strip:
    """A file: kind, path (shortened in its middle), counts at the right, graders."""
    ground = (Ground.BOOST if active else Ground.PANEL) if is_cursor else Ground.SURFACE
    row = Row(width, look.ground(ground))
    put_cursor_bar(row, look, is_cursor=is_cursor, active=active)
    row.put(file_sign(file.kind), _kind_style(file.kind, look))
    words = [(f"{LOOK}", Tone.WARN)] if file.notice else []
    words += [("binary", Tone.MUTED)] if file.binary else []
    words += counts(file.added, file.removed)
    counted = sum(cells(text) for text, _ in words) + max(len(words) - 1, 0)
    marks_column = width - MARKS_CELLS - 1
    end = marks_column - 2 - counted if words else marks_column + (0 if file.graders else MARKS_CELLS)
    row.to(PATH_COLUMN)
    style = look.text(Tone.STRONG if is_cursor else Tone.PLAIN)
    row.put(path_text(file, max(end - PATH_COLUMN - 1, 4)), style)
    row.to(end)
    for index, (text, tone) in enumerate(words):
        row.put(" " if index else "").put(text, look.text(tone))
    put_marks(row.to(marks_column), file.graders, look, MARKS_CELLS, focused)
    return row.strip()


def _kind_style(kind: FileKind | None, look: Look) -> Style:
    if kind in (FileKind.RENAMED, FileKind.COPIED):
        return look.ink(Ink.SECONDARY) + Style(bold=True)
    if kind is None:
        return look.text(Tone.MUTED)
    return look.text(_KIND_TONES.get(kind, Tone.KEY), bold=True)


def path_text(file: FileRow, width: int) -> str:
    """The path of a file, with the old one before it where it was renamed, in at most ``width`` cells."""
    if file.kind is None:
        return shorten_path(file.path or "text outside of files", width)
    if file.kind is FileKind.PART:
        return cut(inert(file.path[:LONGEST_SHOWN]), width)
    if file.old_path is None:
        return shorten_path(file.path, width)
    arrow = f" {ARROW} "
    names = inert(file.old_path[:LONGEST_SHOWN]), inert(file.path[:LONGEST_SHOWN])
    if cells(arrow.join(names)) <= width:
        return arrow.join(names)
    new = min(cells(names[1]), max((width - 3) * 2 // 3, 1))
    old = width - 3 - new
    if old < 6:
        return shorten_path(file.path, width)
    return shorten_path(file.old_path, old) + arrow + shorten_path(file.path, new)
