from collections.abc import Iterator
from queue import Empty, Queue
from threading import Event

import pytest

from vally_tui.grading.graders import Subject
from vally_tui.grading.judge import EvidenceKey
from vally_tui.grading.model import Absence, Absent, Evidence, Present
from vally_tui.triage import document
from vally_tui.triage.document import Document, DocumentMore, DocumentReader

LONG = 10.0
ONE_FILE = "diff --git a/{0} b/{0}\n--- a/{0}\n+++ b/{0}\n@@ -1 +1 @@\n-old\n+new\n"
THREE_FILES = "".join(ONE_FILE.format(name) for name in ("a", "b", "c"))
GONE = Absent(Absence.NEVER_RECORDED, "no diff")


class Texts:
    """Evidence by trial; ``during`` is called before a text is handed out."""

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.wait = Event()
        self.wait.set()
        self.begun = Event()

    def read(self, key: EvidenceKey) -> Evidence:
        self.asked.append(key.trial)
        self.begun.set()
        assert self.wait.wait(LONG)
        return {0: Present(THREE_FILES), 1: Present(ONE_FILE.format("x")), 2: GONE, 3: Present("")}[key.trial]


class Reading:
    def __init__(self) -> None:
        self.texts = Texts()
        self.news: Queue[Document | DocumentMore] = Queue()
        self.reader = DocumentReader(self.texts, self.news.put)  # type: ignore[arg-type]


def _key(trial: int) -> EvidenceKey:
    return EvidenceKey(trial, Subject.DIFF, None)


@pytest.fixture
def reading() -> Iterator[Reading]:
    reading = Reading()
    reading.reader.start()
    yield reading
    reading.reader.close()


def test_a_text_comes_with_the_index_of_its_files(reading: Reading) -> None:
    reading.reader.want(_key(0))

    found = reading.news.get(timeout=LONG)

    assert isinstance(found, Document)
    assert found.index is not None
    assert found.text == THREE_FILES
    assert [file.path for file in found.index.files] == ["a", "b", "c"]


def test_a_large_diff_comes_in_portions_each_file_once(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "FIRST_PORTION", -1.0)
    monkeypatch.setattr(document, "LATER_PORTIONS", -1.0)
    reading.reader.want(_key(0))

    first = reading.news.get(timeout=LONG)

    assert isinstance(first, Document)
    assert first.index is not None
    assert [file.path for file in first.index.files] == ["a"]
    assert not first.index.complete
    for path in ("b", "c"):
        more = reading.news.get(timeout=LONG)
        assert isinstance(more, DocumentMore)
        assert [file.path for file in more.sections] == [path]
        first.index.extend(more.sections)
    assert first.index.complete


def test_evidence_that_lacks_says_why(reading: Reading) -> None:
    reading.reader.want(_key(2))

    assert reading.news.get(timeout=LONG) == Document(_key(2), None, GONE)


def test_an_empty_diff_is_a_text(reading: Reading) -> None:
    reading.reader.want(_key(3))

    found = reading.news.get(timeout=LONG)

    assert isinstance(found, Document)
    assert found.index is not None
    assert found.index.complete
    assert found.text == ""


def test_of_several_wishes_only_the_newest_is_read(reading: Reading) -> None:
    reading.texts.wait.clear()
    reading.reader.want(_key(0))
    assert reading.texts.begun.wait(LONG)
    for trial in (1, 3, 2):
        reading.reader.want(_key(trial))
    reading.texts.wait.set()

    found = [reading.news.get(timeout=LONG).key.trial]
    while found[-1] != 2:
        found.append(reading.news.get(timeout=LONG).key.trial)

    assert reading.texts.asked == [0, 2]
    with pytest.raises(Empty):
        reading.news.get_nowait()
