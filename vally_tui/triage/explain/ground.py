"""The evidence under an explanation: its text, its index, and places in it as spots. Reads through the evidence source."""

from functools import cached_property

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import locate
from vally_tui.diffs.model import FileKind, LineKind
from vally_tui.grading.graders import Question, Subject
from vally_tui.grading.judge import EvidenceKey, EvidenceSource
from vally_tui.triage.explain.model import Changed, ChangedFile, Spot
from vally_tui.triage.text_index import TextIndex

SHOWN = 240
"""Code points of a row that a spot carries."""
_BEFORE = 60
"""Code points before a match that stay in the excerpt of a long row."""
FILES_NAMED = 12


def key_of(trial: int, question: Question) -> EvidenceKey:
    """The text that a question looks at on a trial."""
    return EvidenceKey(trial, question.subject, question.turn)


class Ground:
    """One recorded text."""

    def __init__(self, key: EvidenceKey, evidence: EvidenceSource) -> None:
        self.key = key
        self.text = evidence.text(key)

    @property
    def is_diff(self) -> bool:
        """Whether the text is a diff; the output of a trial has no files and no signs."""
        return self.key.subject is Subject.DIFF

    @cached_property
    def index(self) -> DiffIndex:
        """Files and rows."""
        return DiffIndex.build(self.text) if self.is_diff else TextIndex(self.text)

    @property
    def rows(self) -> int:
        """Lines of the text."""
        return self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))

    def spot(self, start: int, end: int) -> Spot:
        """A match as a place to be shown."""
        place = locate(self.index, start)
        begin = max(start - place.column, 0)
        stop = self.text.find("\n", begin)
        stop = len(self.text) if stop < 0 else stop
        first = begin if start - begin <= SHOWN - _BEFORE else start - _BEFORE
        line = self.text[first : min(stop, first + SHOWN)]
        mark = (min(start - first, len(line)), min(max(min(end, stop) - first, 0), len(line)))
        file = None if place.file is None else self.index.files[place.file].path
        number = self._number(place.row)
        return Spot(start, end, self.key.turn, place.row, place.kind, file, number, line, mark, self.key.subject)

    def kind(self, offset: int) -> LineKind:
        """The class of the character at an offset; what is certain without an index is answered without one."""
        return locate(self.index, offset).kind

    def kinds_within(self, start: int, end: int, rows: int = 200) -> set[LineKind]:
        """The classes of the rows that a match has characters in, of the first ``rows`` of them."""
        kinds = {self.kind(start)}
        offset = self.text.find("\n", start, max(end - 1, start)) + 1
        while offset and rows:
            kinds.add(self.kind(offset))
            offset = self.text.find("\n", offset, max(end - 1, offset)) + 1
            rows -= 1
        return kinds

    def changed(self) -> Changed:
        """What the diff changes."""
        files = [
            ChangedFile(
                file.path or "a file without a name", file.added, file.removed, (file.kind or FileKind.MODIFIED)
            )
            for file in self.index.files[:FILES_NAMED]
        ]
        return Changed(tuple(files), len(self.index.files), self.index.added, self.index.removed)

    def _number(self, row: int) -> int | None:
        lines = self.index.rows(row, 1)
        if not lines:
            return None
        line = lines[0]
        return line.old_number if line.kind is LineKind.REMOVED else line.new_number
