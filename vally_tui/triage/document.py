"""The evidence in view as a document: its text and the index of its files. Read on a thread, the newest wish first.

A large diff is delivered with its first files, and the others follow in portions, so that it is on the screen at once.
"""

import threading
import time
from collections.abc import Callable, Iterator

from msgspec import Struct

from vally_tui.diffs.hunks import CheckedDiff
from vally_tui.diffs.model import FileDiff
from vally_tui.diffs.scan import scan
from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent
from vally_tui.triage.evidence import EvidenceStore
from vally_tui.triage.text_index import TextIndex


class Document(Struct, frozen=True):
    """What the diff pane shows."""

    key: EvidenceKey
    index: CheckedDiff | TextIndex | None
    """The indexed text; None where there is no evidence."""
    absent: Absent | None = None

    @property
    def text(self) -> str:
        """The exact evidence; empty where there is none."""
        return self.index.text if self.index is not None else ""


class DocumentMore(Struct, frozen=True):
    """Further files of a document that was delivered before."""

    key: EvidenceKey
    sections: tuple[FileDiff, ...]


FIRST_PORTION = 0.01
"""Seconds of indexing before the first files are delivered."""
LATER_PORTIONS = 0.1
BEHIND_FIRST = 0.05
"""Seconds that indexing rests after the first files, so that the screen draws them undisturbed."""


class DocumentReader:
    """Owns the thread; drops wishes that a newer one has replaced."""

    def __init__(self, evidence: EvidenceStore, deliver: Callable[[Document | DocumentMore], None]) -> None:
        self._evidence = evidence
        self._deliver = deliver
        self._wake = threading.Condition()
        self._wish: EvidenceKey | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="reading evidence", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Stop after the document that is being read; does not wait for it."""
        with self._wake:
            self._closed = True
            self._wake.notify()

    def want(self, key: EvidenceKey) -> None:
        """Read this evidence next."""
        with self._wake:
            self._wish = key
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                while self._wish is None and not self._closed:
                    self._wake.wait()
                if self._closed or self._wish is None:
                    return
                key, self._wish = self._wish, None
            for news in self._read(key):
                self._deliver(news)

    def _read(self, key: EvidenceKey) -> Iterator[Document | DocumentMore]:
        evidence = self._evidence.read(key)
        if isinstance(evidence, Absent):
            yield Document(key, None, evidence)
            return
        if key.subject is not Subject.DIFF:
            yield Document(key, TextIndex(evidence.text, evidence.parts))
            return
        portions = _portions(evidence.text)
        yield Document(key, CheckedDiff(evidence.text, next(portions, ())))
        with self._wake:
            self._wake.wait_for(self._is_needed_elsewhere, BEHIND_FIRST)
        for sections in portions:
            if self._is_needed_elsewhere():
                return
            yield DocumentMore(key, sections)

    def _is_needed_elsewhere(self) -> bool:
        return self._wish is not None or self._closed


def _portions(text: str) -> Iterator[tuple[FileDiff, ...]]:
    """The sections of a text, as many at a time as are found in a moment; each is handed over once."""
    portion: list[FileDiff] = []
    until = time.monotonic() + FIRST_PORTION
    for section in scan(text):
        portion.append(section)
        if time.monotonic() > until:
            yield tuple(portion)
            portion = []
            until = time.monotonic() + LATER_PORTIONS
    if portion:
        yield tuple(portion)
