"""The evidence in view as a document: its text and the index of its files. Read on a thread, the newest wish first."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from vally_tui.diffs.index import DiffIndex
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absent
from vally_tui.triage.evidence import EvidenceStore


@dataclass(frozen=True, slots=True)
class Document:
    """What the diff pane shows."""

    key: EvidenceKey
    index: DiffIndex | None
    """The indexed text; None where there is no evidence."""
    absent: Absent | None = None

    @property
    def text(self) -> str:
        """The exact evidence; empty where there is none."""
        return self.index.text if self.index is not None else ""


class DocumentReader:
    """Owns the thread; delivers each document once, and drops wishes that a newer one has replaced."""

    def __init__(self, evidence: EvidenceStore, deliver: Callable[[Document], None]) -> None:
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
            document = self._read(key)
            if document is not None:
                self._deliver(document)

    def _read(self, key: EvidenceKey) -> Document | None:
        evidence = self._evidence.read(key)
        if isinstance(evidence, Absent):
            return Document(key, None, evidence)
        index = DiffIndex(evidence.text)
        return None if self._wish is not None else Document(key, index)
