"""Where the matches of a trial's graders lie in its diffs: file, line, class. One index serves all graders of a diff."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from vally_tui.diffs.index import DiffIndex
from vally_tui.diffs.locate import MatchPlace, match_place
from vally_tui.diffs.model import FileDiff, LineKind
from vally_tui.diffs.scan import scan
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Spans


class MatchPlaces:
    """The places in the diffs of one trial."""

    def __init__(self, text: Callable[[EvidenceKey], str]) -> None:
        """``text`` gives the evidence of a key."""
        self._text = text
        self._indexes: dict[EvidenceKey, tuple[DiffIndex, Iterator[FileDiff]]] = {}

    def of(self, key: EvidenceKey, spans: Spans) -> tuple[MatchPlace, ...]:
        """Where each span begins; a text that is no diff has lines only."""
        if key.subject is not Subject.DIFF:
            text = self._text(key)
            return tuple(MatchPlace(None, 1 + text.count("\n", 0, start), LineKind.OTHER) for start in spans.starts)
        index = self._index(key, spans.starts[-1])
        return tuple(match_place(index, start) for start in spans.starts)

    def _index(self, key: EvidenceKey, offset: int) -> DiffIndex:
        """The index of a diff, read as far as it is needed for an offset."""
        known = self._indexes.get(key)
        if known is None:
            text = self._text(key)
            known = self._indexes[key] = (DiffIndex(text), scan(text))
        index, unread = known
        while index.covered <= offset and (section := next(unread, None)) is not None:
            index.extend((section,))
        return index
